package io.escapement.driver;

import io.escapement.config.ConfigException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Multicast groups in the form address:port. */
class EndpointsTest
{
    @Test
    void shouldParseGroups()
    {
        final InetSocketAddress group = Endpoints.parseGroup("224.0.1.7:40500");
        assertEquals("224.0.1.7", group.getAddress().getHostAddress());
        assertEquals(40_500, group.getPort());
        assertEquals(1, Endpoints.parseGroup("[ff02::101]:1").getPort());
    }

    @Test
    void shouldRefuseWhatThisHostCannotBind() throws IOException
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket udp = new DatagramSocket(0, loopback); ServerSocket tcp = new ServerSocket(0, 1, loopback))
        {
            final String endpoint = "127.0.0.1:" + udp.getLocalPort();
            assertEquals("a: " + endpoint + ": name a free port (Address already in use)",
                refusal(() -> Endpoints.checkUdp("a", endpoint)));
            assertEquals("b: " + tcp.getLocalPort() + ": name a free port (Address already in use)", refusal(() ->
                Endpoints.checkTcp("a", "b", new InetSocketAddress(loopback, tcp.getLocalPort()))));
            assertTrue(refusal(() -> Endpoints.checkUdp("a", "192.0.2.1:0")).startsWith(
                "a: 192.0.2.1:0: this host does not have the address ("));
            assertTrue(refusal(() -> Endpoints.checkTcp("a", "b", new InetSocketAddress("192.0.2.1", 7))).startsWith(
                "a: 192.0.2.1: this host does not have the address ("));
            assertEquals("a: no such host:1: no host has this name: correct it, or name an address",
                refusal(() -> Endpoints.checkHost("a", "no such host:1")));
            assertEquals("a: 7: expected HOST:PORT", refusal(() -> Endpoints.checkHost("a", "7")));
        }
        Endpoints.checkUdp("a", "127.0.0.1:0");
        Endpoints.checkTcp("a", "b", new InetSocketAddress("0.0.0.0", 0));
    }

    private static String refusal(final Executable check)
    {
        return assertThrows(ConfigException.class, check).getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "224.0.1.7", ":40500", "224.0.1.7:", "224.0.1.7:0", "224.0.1.7:65536", "224.0.1.7:-1",
        "224.0.1.8:40500", "192.168.0.7:40500", "127.0.0.1:40500", "0.0.0.0:40500", "224.0.1.777:40500",
        "[ff02::102]:40500", "[::1]:40500", "ff02::101:40500", "localhost:40500", "224.0.1.7:40500|ttl=9",
        " 224.0.1.7:40500"})
    void shouldRefuseAnyOtherText(final String text)
    {
        assertThrows(IllegalArgumentException.class, () -> Endpoints.parseGroup(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "collector", "127.0.0.1:4318", "ftp://127.0.0.1:4318", "http:///v1/metrics",
        "http://a b", "http://me:secret@127.0.0.1:4318", "http://127.0.0.1:65536", "http://127.0.0.1:4318/#a"})
    void shouldRefuseAUrl(final String url)
    {
        assertEquals("otlp: " + url + ": use a URL such as http://127.0.0.1:4318/v1/metrics",
            refusal(() -> Endpoints.parseUrl("otlp", url)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:4318", "https://collector.example/v1/metrics?a=b", "http://[::1]:4318/"})
    void shouldTakeAUrl(final String url)
    {
        assertEquals(url, Endpoints.parseUrl("otlp", url).toString());
    }
}
