package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.config.ConfigException;
import io.escapement.testsupport.Tests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A gateway behind a proxy at 127.0.0.1, which one connection of each address may pass. Others come from 127.0.0.2. */
class ProxyTest
{
    private static final String PROXY = "127.0.0.1";
    private static final String OTHER = "127.0.0.2";
    private static final String REFUSED = "";
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};

    private final List<Socket> open = new ArrayList<>();
    private Gateway gateway;

    @AfterEach
    void close() throws IOException
    {
        for (final Socket socket : open)
        {
            socket.close();
        }
        gateway.close();
    }

    private void launch(final GatewayContext options)
    {
        final GatewayContext context = options.secret(new byte[16])
            .udp("127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort());
        context.limits().addressLimit(1);
        gateway = Gateway.launch(context);
    }

    /** Ask for an upgrade, and return the status, or nothing if the connection is closed without one. */
    private String upgrade(final String from, final String... lines) throws IOException
    {
        return upgrade(from, new byte[0], lines);
    }

    private String upgrade(final String from, final byte[] before, final String... lines) throws IOException
    {
        final Socket socket = new Socket();
        open.add(socket);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(PROXY, gateway.port()));
        socket.setSoTimeout((int)TimeUnit.SECONDS.toMillis(20));
        final StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n" +
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
            "Sec-WebSocket-Protocol: " + PlayerMessages.SUBPROTOCOL + "\r\n");
        for (final String line : lines)
        {
            request.append(line).append("\r\n");
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(before);
        bytes.write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        try
        {
            socket.getOutputStream().write(bytes.toByteArray());
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII)
                .replace("HTTP/1.1 ", "");
        }
        catch (final IOException closed)
        {
            return REFUSED;
        }
    }

    @Test
    void shouldCountForTheAddressThatAConfiguredProxyNames() throws IOException
    {
        launch(new GatewayContext().proxy(PROXY).proxy("10.0.0.0/8"));
        final String header = "X-Forwarded-For: ";
        assertEquals("101", upgrade(PROXY, header + "203.0.113.7"));
        assertEquals("429", upgrade(PROXY, header + "203.0.113.7"));
        assertEquals("429", upgrade(PROXY, header + "198.51.100.1, 203.0.113.7"), "the client wrote the first");
        assertEquals("429", upgrade(PROXY, header + "198.51.100.1", header + "203.0.113.7, 10.2.3.4"), "two proxies");
        assertEquals("429", upgrade(PROXY, header + "203.0.113.7:50000"));
        assertEquals(4, gateway.counter(GatewayCounter.CONNECTIONS_OVER_ADDRESS_LIMIT));
        assertEquals("101", upgrade(PROXY, header + "203.0.113.8"));
        assertEquals("101", upgrade(PROXY, header + "2001:db8::1"));
        assertEquals("429", upgrade(PROXY, header + "[2001:db8::2]:443"), "of the same /64");
        assertEquals("101", upgrade(PROXY), "the proxy itself");
        assertEquals("429", upgrade(PROXY));
        for (final String wrong : List.of("", "unknown", "203.0.113", "localhost", "203.0.113.9,"))
        {
            assertEquals("400", upgrade(PROXY, header + wrong), wrong);
        }
        assertEquals(5, gateway.counter(GatewayCounter.PROXY_HEADERS_REFUSED));
    }

    @Test
    void shouldGiveThePlaceOfAnAddressBack() throws IOException
    {
        launch(new GatewayContext().proxy(PROXY));
        assertEquals("101", upgrade(PROXY, "X-Forwarded-For: 203.0.113.7"));
        open.remove(0).close();
        Tests.await(() ->
        {
            try
            {
                return "101".equals(upgrade(PROXY, "X-Forwarded-For: 203.0.113.7"));
            }
            catch (final IOException ex)
            {
                throw new IllegalStateException(ex);
            }
        }, "the place");
    }

    @Test
    void shouldNotReadTheHeaderOfAnybodyElse() throws IOException
    {
        launch(new GatewayContext().proxy(PROXY));
        assertEquals("101", upgrade(OTHER, "X-Forwarded-For: 203.0.113.7"));
        assertEquals(REFUSED, upgrade(OTHER, "X-Forwarded-For: 203.0.113.8"));
        assertEquals("101", upgrade(PROXY, "X-Forwarded-For: 203.0.113.7"), "nobody has this address yet");
        assertEquals(1, gateway.counter(GatewayCounter.CONNECTIONS_OVER_ADDRESS_LIMIT));
    }

    @Test
    void shouldReadTheProxyProtocolOfAConfiguredProxy() throws IOException
    {
        launch(new GatewayContext().proxy(PROXY).proxyProtocol());
        assertEquals("101", upgrade(PROXY, line("TCP4 203.0.113.7 192.0.2.1 50000 443")));
        assertEquals(REFUSED, upgrade(PROXY, line("TCP4 203.0.113.7 192.0.2.1 50001 443")));
        assertEquals(REFUSED, upgrade(PROXY, header(1, 1, 203, 0, 113, 7), "X-Forwarded-For: 203.0.113.8"));
        assertEquals(2, gateway.counter(GatewayCounter.CONNECTIONS_OVER_ADDRESS_LIMIT));
        assertEquals("101", upgrade(PROXY, header(1, 1, 203, 0, 113, 8)));
        assertEquals("101", upgrade(PROXY, line("TCP6 2001:db8::1 2001:db8::2 50000 443")));
        assertEquals(REFUSED, upgrade(PROXY, header(1, 2, 0x20, 1, 13, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3)));
        assertEquals("101", upgrade(PROXY, line("UNKNOWN whatever")), "the proxy itself");
        assertEquals(REFUSED, upgrade(PROXY, header(0, 0)), "a health check of the proxy, the second of its address");
        assertEquals(0, gateway.counter(GatewayCounter.PROXY_HEADERS_REFUSED));
        int refused = 0;
        for (final byte[] wrong : List.of(new byte[0], line("TCP4 203.0.113.9"), line("TCP4 a b 1 2"),
            line("x".repeat(200)), header(2, 1, 203, 0, 113, 9), header(1, 3, 203, 0, 113, 9), header(1, 1, 203),
            header(1, 1, new int[1_100])))
        {
            assertEquals(REFUSED, upgrade(PROXY, wrong));
            assertEquals(++refused, gateway.counter(GatewayCounter.PROXY_HEADERS_REFUSED));
        }
        assertEquals("400", upgrade(OTHER, line("TCP4 203.0.113.9 192.0.2.1 50000 443")), "no proxy: a bad request");
        open.remove(open.size() - 1).close();
        assertEquals("101", upgrade(PROXY, line("TCP4 203.0.113.9 192.0.2.1 50000 443")));
    }

    private static byte[] line(final String text)
    {
        return ("PROXY " + text + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Version 2: command, family and the client's address, behind which zeros stand for the rest. */
    private static byte[] header(final int command, final int family, final int... address)
    {
        final int rest = address.length < 4 ? 0 : address.length + 4;
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(SIGNATURE);
        out.write(0x20 | command);
        out.write(family << 4 | 1);
        out.write(address.length + rest >> 8);
        out.write(address.length + rest);
        for (final int part : address)
        {
            out.write(part);
        }
        out.writeBytes(new byte[rest]);
        return out.toByteArray();
    }

    @Test
    void shouldCloseAProxyThatNamesNobodyInTime() throws IOException
    {
        final GatewayContext context = new GatewayContext().proxy(PROXY).proxyProtocol();
        context.limits().handshakeNs(TimeUnit.MILLISECONDS.toNanos(100));
        launch(context);
        try (Socket silent = new Socket(PROXY, gateway.port()))
        {
            silent.getOutputStream().write(SIGNATURE, 0, 5);
            assertEquals(-1, silent.getInputStream().read());
        }
        assertEquals(1, gateway.counter(GatewayCounter.CLOSED_HANDSHAKE_TIMEOUT));
    }

    @Test
    void shouldNameAWrongNetwork()
    {
        launch(new GatewayContext());
        for (final String wrong : List.of("", "proxy.example", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/-1", "::1/129"))
        {
            final String message =
                assertThrows(ConfigException.class, () -> new GatewayContext().proxy(wrong)).getMessage();
            assertEquals("proxy: ", message.substring(0, 7), message);
        }
        final GatewayContext none = new GatewayContext().secret(new byte[16]).ipc("/none").proxyProtocol();
        assertEquals("proxyProtocol: ",
            assertThrows(ConfigException.class, none::conclude).getMessage().substring(0, 15));
    }

    @Test
    void shouldFindTheClientBehindSeveralProxies() throws IOException
    {
        launch(new GatewayContext());
        final Proxies proxies = new Proxies();
        proxies.add("10.0.0.0/8");
        proxies.add("2001:db8::/32");
        final InetAddress proxy = InetAddress.getByName("10.0.0.1");
        assertEquals(InetAddress.getByName("203.0.113.7"),
            proxies.clientOf(List.of("1.1.1.1, 203.0.113.7 , 2001:db8::5", "10.9.9.9"), proxy));
        assertEquals(InetAddress.getByName("10.1.1.1"), proxies.clientOf(List.of("10.1.1.1"), proxy));
        assertEquals(proxy, proxies.clientOf(List.of(), proxy));
        assertNull(proxies.clientOf(List.of("203.0.113.7, _hidden"), proxy));
    }
}
