package io.escapement.gateway;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Strangers who want every place, every descriptor or all of a gateway's patience, beside players who play. The
 * players' round trips are measured with and without them in turn and printed. Full only.
 */
@Timeout(600)
class GatewayCrowdTest
{
    private static final int PLAYERS = 4;
    private static final int CROWD = 10_000;
    /** Each address of 127.0.0.0/8 has its own limit. */
    private static final int ADDRESSES = 250;
    private static final int ROUNDS = 3;
    private static final int SAMPLES = 200;
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int DESCRIPTORS = 64;
    private static final int SLOW = 300;
    private static final int LONG_TEXT = 400;
    private static final int UNREAD = 400;
    private static final long SEND_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final List<Closeable> crowd = new ArrayList<>();
    private GatewayProcesses processes;
    private ChildJvm gateway;
    private List<BrowserClient> players;
    private int sent;

    @BeforeEach
    void start()
    {
        Assumptions.assumeTrue(Tests.isFull(), "the full tests");
        processes = new GatewayProcesses();
        gateway = processes.startGateway();
        players = processes.seated(gateway, 0, PLAYERS);
        roundTrips();
    }

    @AfterEach
    void end()
    {
        disperse();
        CloseHelper.close(processes);
    }

    private void disperse()
    {
        CloseHelper.quietCloseAll(crowd);
        crowd.clear();
    }

    /**
     * The 99th percentile of a player's round trips through the room, in microseconds. A message is lost with the
     * trunk's connection, which a busy machine may cost: it is sent again, and the time counts as that round trip's.
     */
    private long roundTrips()
    {
        final long[] micros = new long[SAMPLES];
        for (int i = 0; i < SAMPLES; i++)
        {
            final BrowserClient player = players.get(i % PLAYERS);
            player.received.clear();
            final String text = Integer.toString(sent++);
            final long startNs = System.nanoTime();
            long sentNs = startNs;
            player.message(GatewayProcesses.ROOM, text);
            while (!player.has("event " + text))
            {
                assertEquals(-1, player.closeCode, "a player was closed");
                assertTrue(System.nanoTime() - startNs < Tests.PATIENCE_NS,
                    () -> text + " did not come: " + player.all() + gateway.lines());
                if (System.nanoTime() - sentNs > AGAIN_NS)
                {
                    sentNs = System.nanoTime();
                    player.message(GatewayProcesses.ROOM, text);
                }
                Thread.onSpinWait();
            }
            micros[i] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNs);
            Tests.await(() -> System.nanoTime() - startNs > PAUSE_NS, "the pause");
        }
        Arrays.sort(micros);
        return micros[SAMPLES * 99 / 100];
    }

    /** Compare in turn, print all, and hold the strangers to the worst of the rounds without them, twice. */
    private void assertUndisturbed(final String name, final Runnable begin)
    {
        final long[] without = new long[ROUNDS];
        final long[] with = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++)
        {
            without[i] = roundTrips();
            begin.run();
            with[i] = roundTrips();
            disperse();
            processes.awaitHolding(gateway, PLAYERS, PLAYERS);
        }
        System.out.println(
            name + ": p99 in us with " + Arrays.toString(with) + ", without " + Arrays.toString(without));
        Arrays.sort(with);
        Arrays.sort(without);
        assertTrue(with[ROUNDS / 2] <= 2 * without[ROUNDS - 1] + TimeUnit.MILLISECONDS.toMicros(5),
            () -> name + ": " + Arrays.toString(with) + " us, without " + Arrays.toString(without));
    }

    private SocketChannel connect(final int number)
    {
        try
        {
            final SocketChannel channel = SocketChannel.open();
            crowd.add(channel);
            channel.bind(new InetSocketAddress("127.0.1." + (1 + number % ADDRESSES), 0));
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), GatewayProcesses.port(gateway)));
            return channel;
        }
        catch (final IOException ex)
        {
            // Its backlog is full, or it was closed at once.
            return null;
        }
    }

    @Test
    void shouldServeItsPlayersWhileTenThousandConnectAtOnce()
    {
        assertUndisturbed("10,000 connections at once", () ->
        {
            for (int i = 0; i < CROWD; i++)
            {
                connect(i);
            }
        });
    }

    @Test
    void shouldServeItsPlayersBesideThoseThatSendAByteASecond()
    {
        final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        final List<SocketChannel> slow = new CopyOnWriteArrayList<>();
        clock.scheduleAtFixedRate(() -> slow.forEach(GatewayCrowdTest::sendByte), 1, 1, TimeUnit.SECONDS);
        try
        {
            assertUndisturbed("300 connections that send a byte a second", () ->
            {
                slow.clear();
                for (int i = 0; i < SLOW; i++)
                {
                    final SocketChannel channel = connect(i);
                    assertNotNull(channel);
                    slow.add(channel);
                }
            });
        }
        finally
        {
            clock.shutdownNow();
        }
    }

    private static void sendByte(final SocketChannel channel)
    {
        try
        {
            channel.write(ByteBuffer.wrap(new byte[]{'G'}));
        }
        catch (final IOException closed)
        {
            // By the gateway, after its patience.
        }
    }

    @Test
    void shouldServeItsPlayersBesideOneThatReadsNothingAndCloseThat()
    {
        final int[] last = {PLAYERS};
        assertUndisturbed("a player that reads nothing", () ->
        {
            final BrowserClient deaf = processes.seated(gateway, ++last[0]);
            crowd.add(deaf::goodbye);
            deaf.isReading = false;
            for (int i = 0; i < UNREAD; i++)
            {
                send("x".repeat(LONG_TEXT));
            }
        });
        final BrowserClient deaf = processes.seated(gateway, ++last[0]);
        deaf.isReading = false;
        final long startNs = System.nanoTime();
        while (0 == processes.count("away " + last[0]))
        {
            assertTrue(System.nanoTime() - startNs < GatewayProcesses.LONG_NS, "it was not closed");
            send("x".repeat(LONG_TEXT));
        }
        deaf.cut();
        for (final BrowserClient player : players)
        {
            assertEquals(-1, player.closeCode, "a player was closed");
        }
    }

    /** One of the players sends a text, at a pace that the engine takes. */
    private void send(final String text)
    {
        final long startNs = System.nanoTime();
        players.get(sent++ % PLAYERS).message(GatewayProcesses.ROOM, text);
        Tests.await(() -> System.nanoTime() - startNs > SEND_NS, "the pace");
    }

    @Test
    void shouldServeItsPlayersWhenAllDescriptorsAreUsed() throws IOException, InterruptedException
    {
        final Path open = Path.of("/proc", Long.toString(gateway.handle().pid()), "fd");
        Assumptions.assumeTrue(Files.isDirectory(open), "no /proc");
        final long limit;
        try (Stream<Path> descriptors = Files.list(open))
        {
            limit = descriptors.count() + DESCRIPTORS;
        }
        limitDescriptors(limit);
        assertUndisturbed("all descriptors used", () ->
        {
            for (int i = 0; i < 4 * DESCRIPTORS; i++)
            {
                connect(i);
            }
        });
        gateway.send(GatewayProcesses.ACCEPTS_FAILED);
        Tests.await(() -> null != gateway.valueOf(GatewayProcesses.ACCEPTS_FAILED), "the counter");
        assertNotEquals("0", gateway.valueOf(GatewayProcesses.ACCEPTS_FAILED), "descriptors were left");
        limitDescriptors(2 * limit);
        players.addAll(processes.seated(gateway, PLAYERS, PLAYERS + 1));
        processes.awaitHolding(gateway, PLAYERS + 1, PLAYERS + 1);
    }

    private void limitDescriptors(final long limit) throws IOException, InterruptedException
    {
        final int status = new ProcessBuilder("prlimit", "--pid", Long.toString(gateway.handle().pid()),
            "--nofile=" + limit + ":").inheritIO().start().waitFor();
        assertEquals(0, status, "prlimit");
    }
}
