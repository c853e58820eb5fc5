package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Strangers who want every place, every descriptor or all of a gateway's patience, beside players who play. The
 * strangers are another process; {@link RoundTrips} compares the players'. Full only.
 */
@RealTime("a crowd, and the age of what its players get")
class GatewayCrowdTest
{
    private static final int PLAYERS = RoundTrips.PLAYERS;
    private static final int CROWD = 10_000;
    /** The crowd's own descriptors are those of its process, and some for its JVM. */
    private static final int SPARE_DESCRIPTORS = 200;
    /** The heap is 256 MiB, the rest the JVM's, buffers, and 3 KiB of Netty's objects a connection outside of it. */
    private static final long RESIDENT_LIMIT = 480L << 20;
    private static final int DESCRIPTORS = 64;
    private static final int SLOW = 300;
    private static final int LONG_TEXT = 400;
    private static final int UNREAD = 400;
    private static final long SEND_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private GatewayProcesses processes;
    private ChildJvm gateway;
    private ChildJvm crowd;
    private RoundTrips trips;

    @BeforeEach
    void start()
    {
        Assumptions.assumeTrue(Tests.isFull(), "the full tests");
        processes = new GatewayProcesses();
        gateway = processes.startGateway();
        crowd = processes.startCrowd();
        trips = new RoundTrips(processes, gateway, RESIDENT_LIMIT);
    }

    @AfterEach
    void end()
    {
        CloseHelper.close(processes);
    }

    private void come(final Crowd.Manner manner, final int first, final int count)
    {
        crowd.send(GatewayProcesses.CROWD_COMES + " " + GatewayProcesses.port(gateway) + " " + manner + " " + first +
            " " + count);
    }

    private String leave()
    {
        return processes.ask(crowd, GatewayProcesses.CROWD_LEAVES);
    }

    private boolean hasArrived(final int count)
    {
        return processes.ask(crowd, "how many").startsWith("arrived=" + count + " ");
    }

    /**
     * All at once, and those who are refused again and again, until every place is taken. Each attempt ends with a
     * greeting, with FULL, or without an answer: after 1,024 connections without a Hello, the first of them is closed.
     */
    @Test
    void shouldServeItsPlayersWhileTenThousandConnectAtOnce() throws IOException, InterruptedException
    {
        GatewayProcesses.limitDescriptors(crowd, CROWD + SPARE_DESCRIPTORS);
        GatewayProcesses.limitDescriptors(gateway, CROWD + SPARE_DESCRIPTORS);
        final int places = GatewayLimits.CONNECTION_LIMIT_DEFAULT - PLAYERS;
        trips.compare("10,000 connect at once", () -> come(Crowd.Manner.GREETING, 0, CROWD),
            () -> hasArrived(places) && processes.ask(crowd, "how many").contains(CloseCode.FULL.name()), () ->
            {
                processes.awaitConnections(gateway, GatewayLimits.CONNECTION_LIMIT_DEFAULT);
                final String result = leave();
                System.out.println("  " + result);
                assertTrue(result.matches("arrived=" + places +
                    " .* ends=\\{(FULL=\\d+)?(, )?(closed at once=\\d+)?(, )?(cut=\\d+)?}"), result);
            });
    }

    @Test
    void shouldServeItsPlayersBesideRequestsOfAByteASecond()
    {
        trips.compare(SLOW + " requests of a byte a second",
            () -> come(Crowd.Manner.SLOW_REQUEST, 0, SLOW), () -> true, this::leave);
    }

    /** A ping of a player is 22 bytes, so that each is there before 25 seconds of silence are over. */
    @Test
    void shouldServeItsPlayersBesidePlayersWhoSendAByteASecond()
    {
        final int slow = GatewayProcesses.SEATS;
        final int[] first = {1_000};
        trips.compare(slow + " players who send a byte a second", () ->
        {
            come(Crowd.Manner.SLOW_PLAYER, first[0], slow);
            first[0] += slow;
            Tests.await(() -> hasArrived(slow), "their seats");
        }, () -> true, () ->
        {
            final String result = leave();
            assertTrue(result.endsWith("ends={NORMAL=" + slow + "}"), result);
            Tests.await(() -> PLAYERS == processes.taken(), "free seats");
        });
    }

    @Test
    void shouldServeItsPlayersBesideOneThatReadsNothingAndCloseThat()
    {
        final int[] last = {PLAYERS};
        final BrowserClient[] deaf = new BrowserClient[1];
        trips.compare("a player that reads nothing", () ->
        {
            deaf[0] = processes.seated(gateway, ++last[0]);
            deaf[0].isReading = false;
            for (int i = 0; i < UNREAD; i++)
            {
                send("x".repeat(LONG_TEXT));
            }
        }, () -> true, () -> deaf[0].goodbye());
        final BrowserClient closed = processes.seated(gateway, ++last[0]);
        closed.isReading = false;
        final long startNs = System.nanoTime();
        while (0 == processes.count("away " + last[0]))
        {
            assertTrue(System.nanoTime() - startNs < GatewayProcesses.LONG_NS, "it was not closed");
            send("x".repeat(LONG_TEXT));
        }
        closed.cut();
        for (final BrowserClient player : trips.players())
        {
            assertEquals(-1, player.closeCode, "a player was closed");
        }
    }

    /** One of the players sends a text, at a pace that the engine takes. */
    private void send(final String text)
    {
        final long startNs = System.nanoTime();
        trips.send(text);
        Tests.await(() -> System.nanoTime() - startNs > SEND_NS, "the pace");
    }

    @Test
    void shouldServeItsPlayersWhenAllDescriptorsAreUsed() throws IOException, InterruptedException
    {
        final long limit = GatewayProcesses.descriptors(gateway) + DESCRIPTORS;
        GatewayProcesses.limitDescriptors(gateway, limit);
        trips.compare("all descriptors used",
            () -> come(Crowd.Manner.GREETING, 0, 4 * DESCRIPTORS), () -> true, this::leave);
        final long failed = Long.parseLong(processes.ask(gateway, GatewayProcesses.ACCEPTS_FAILED));
        assertTrue(failed > 0, "descriptors were left");
        assertTrue(failed < 1_000, "no pause between " + failed + " accepts that failed");
        GatewayProcesses.limitDescriptors(gateway, 2 * limit);
        processes.seated(gateway, PLAYERS);
        processes.awaitHolding(gateway, PLAYERS + 1, PLAYERS + 1);
    }
}
