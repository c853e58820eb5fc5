package io.escapement.gateway;

import io.escapement.testsupport.RealTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.agrona.CloseHelper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An attack: one network of 61 bits, or hosts of all networks, hold every place of connections without a Hello, and
 * retake each place that they lose. Their sockets connect from a proxy's address, whose PROXY header names theirs. Each
 * attack ends with its test, after {@link #MOST} sockets at the latest.
 */
@RealTime("an attack, by the clock of the machine")
class GatewayFloodTest extends GatewaySystem
{
    private static final String FLOODER = "127.7.7.7";
    private static final int NEWCOMERS = 20;
    private static final int PLACES = 512;
    /** The queue of the kernel has some of them where sockets connect faster than the gateway accepts them. */
    private static final int HELD = PLACES + Listener.BACKLOG + 64;
    private static final int MOST = 20_000;
    private static final byte[] SIGNATURE = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final byte[] PREFIX = {0x20, 1, 0xD, (byte)0xB8};

    /** Behaviour of the connections of an attack once they are open. */
    enum Manner
    {
        /** Nothing, until it is closed. */
        IDLE(false, false),
        /** An upgrade without a Hello. */
        UPGRADED(true, false),
        /** An upgrade without a Hello, with a token that it has made up. */
        WITH_A_TOKEN(true, true),
        /** As IDLE, but each connection is of another network of 48 bits. */
        EVERYWHERE(false, false);

        private final boolean isUpgrading;
        private final boolean hasToken;

        Manner(final boolean isUpgrading, final boolean hasToken)
        {
            this.isUpgrading = isUpgrading;
            this.hasToken = hasToken;
        }
    }

    /** Connects without a pause, and closes the oldest for the next. */
    private final class Flood implements AutoCloseable
    {
        private final Manner manner;
        private final int port;
        private final Thread thread;
        private volatile boolean isOver;
        private volatile int made;
        private volatile IOException fault;

        Flood(final Manner manner, final int port)
        {
            this.manner = manner;
            this.port = port;
            thread = new Thread(this::run, "flood");
            thread.start();
        }

        int made()
        {
            return made;
        }

        private void run()
        {
            final ArrayDeque<Socket> held = new ArrayDeque<>();
            try
            {
                while (!isOver && made < MOST)
                {
                    held.add(connect(made));
                    made++;
                    if (held.size() > HELD)
                    {
                        held.remove().close();
                    }
                }
            }
            catch (final IOException ex)
            {
                fault = ex;
            }
            finally
            {
                CloseHelper.quietCloseAll(held);
            }
        }

        private Socket connect(final int number) throws IOException
        {
            final Socket socket = new Socket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(FLOODER, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(header(number, Manner.EVERYWHERE == manner));
            if (manner.isUpgrading)
            {
                final String token = manner.hasToken ? ", escapement.resume." + "%032x".formatted(number) : "";
                bytes.writeBytes(HostileBytesTest.UPGRADE.replace("escapement.1", "escapement.1" + token)
                    .getBytes(StandardCharsets.US_ASCII));
            }
            try
            {
                socket.getOutputStream().write(bytes.toByteArray());
            }
            catch (final IOException ignored)
            {
                // The gateway has closed it: the next one follows.
            }
            return socket;
        }

        @Override
        public void close() throws IOException
        {
            isOver = true;
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
            if (null != fault)
            {
                throw fault;
            }
        }
    }

    /** Version 2 of the header: an address of one of the eight networks of 64 bits, or of a separate network. */
    private static byte[] header(final int number, final boolean isSpread)
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(SIGNATURE);
        out.write(0x21);
        out.write(0x21);
        out.write(0);
        out.write(36);
        out.write(PREFIX, 0, 4);
        out.write(isSpread ? number >>> 8 : 0);
        out.write(isSpread ? number : 0);
        out.write(0);
        out.write(number % 8);
        out.writeBytes(new byte[4]);
        out.write(number >>> 24);
        out.write(number >>> 16);
        out.write(number >>> 8);
        out.write(number);
        out.writeBytes(new byte[20]);
        return out.toByteArray();
    }

    @ParameterizedTest
    @EnumSource(Manner.class)
    void shouldLetPlayersInDuringAFlood(final Manner manner) throws IOException
    {
        final GatewayContext context = context().proxy(FLOODER).proxyProtocol();
        context.limits().ungreetedLimit(PLACES).addressLimit(HELD);
        launch(context);
        final BrowserClient player = seated(7);
        int welcome = 0;
        try (Flood flood = new Flood(manner, gateway.port()))
        {
            await("a flood", () -> gateway.counter(GatewayCounter.CONNECTIONS_DISPLACED) > 0);
            for (int i = 0; i < NEWCOMERS; i++)
            {
                final BrowserClient newcomer = new BrowserClient(http, uri());
                await("an answer", () -> newcomer.isOpen() || newcomer.isRefused());
                welcome += newcomer.isOpen() && isWelcome(newcomer, FakeLink.NO_TOKEN, "welcome new") ? 1 : 0;
            }
            player.cut();
            await("away", () -> calls.contains("away 7"));
            final BrowserClient back = BrowserClient.returning(http, uri(), player.token);
            await("an answer", () -> back.isOpen() || back.isRefused());
            final boolean isBack = back.isOpen() && isWelcome(back, player.token, "welcome resumed");
            System.out.printf("  %s: %d connections, %d displaced; %d of %d newcomers, resumed: %b%n", manner,
                flood.made(), gateway.counter(GatewayCounter.CONNECTIONS_DISPLACED), welcome, NEWCOMERS, isBack);
            assertEquals(NEWCOMERS, welcome);
            assertTrue(isBack, "the first try of a player who comes back");
        }
        assertTrue(!manner.hasToken || gateway.counter(GatewayCounter.RESUME_TOKENS_UNKNOWN) > 0);
    }

    private boolean isWelcome(final BrowserClient client, final byte[] token, final String welcome)
    {
        try
        {
            client.hello(token);
        }
        catch (final RuntimeException closed)
        {
            return false;
        }
        await("an answer", () -> !client.all().isEmpty() || client.closeCode >= 0);
        return client.has(welcome);
    }
}
