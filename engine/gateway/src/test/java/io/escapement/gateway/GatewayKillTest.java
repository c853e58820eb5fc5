package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Processes that get SIGKILL: the others' seats and buffers are exactly back. */
@RealTime("processes are killed")
class GatewayKillTest
{
    private static final int PLAYERS = 8;
    private static final long STILL_NS = TimeUnit.SECONDS.toNanos(5);
    private static final String BIG = "b".repeat(480);

    private GatewayProcesses processes;

    @BeforeEach
    void start()
    {
        processes = new GatewayProcesses();
    }

    @AfterEach
    void end()
    {
        if (null != processes)
        {
            processes.close();
        }
    }

    private static void assertReceive(
        final List<BrowserClient> clients, final BrowserClient from, final String text)
    {
        from.message(GatewayProcesses.ROOM, text);
        for (final BrowserClient client : clients)
        {
            Tests.await(() -> client.has("event " + text), text);
        }
    }

    private static void leave(final List<BrowserClient> clients)
    {
        for (final BrowserClient client : clients)
        {
            client.goodbye();
            Tests.await(() -> CloseCode.NORMAL.value() == client.closeCode, "the end");
        }
    }

    @Test
    void shouldKeepTheOthersPlayingWhenAGatewayIsKilled()
    {
        final ChildJvm killed = processes.startGateway();
        final ChildJvm other = processes.startGateway();
        final List<BrowserClient> lost = processes.seated(killed, 0, PLAYERS);
        final List<BrowserClient> others = processes.seated(other, PLAYERS, 2 * PLAYERS);
        assertReceive(lost, others.get(0), "before");
        killed.kill();
        assertReceive(others, others.get(0), "at once");
        Tests.await(() -> PLAYERS == processes.count("away "),
            () -> "all seats away: " + processes.engine().lines());
        assertReceive(others, others.get(0), "after");
        processes.awaitHolding(other, PLAYERS, PLAYERS);

        final List<BrowserClient> returned = processes.seated(other, 0, PLAYERS);
        assertEquals(PLAYERS, processes.count("back "));
        assertEquals(2 * PLAYERS, processes.count("join "), "no seat was made a second time");
        assertReceive(returned, returned.get(0), "here");
        processes.awaitHolding(other, 2 * PLAYERS, 2 * PLAYERS);
        for (final BrowserClient client : others)
        {
            assertEquals(-1, client.closeCode, "a player of the other gateway was closed");
        }
        leave(others);
        leave(returned);
        processes.awaitHolding(other, 0, 0);
        Tests.await(() -> 2 * PLAYERS == processes.count("leave "), "free seats");
    }

    /** The trunk takes nothing for longer than its window lasts, and is lost and resumed. */
    @Test
    void shouldKeepItsPlayersWhenAGatewayStandsStill()
    {
        final ChildJvm still = processes.startGateway();
        final ChildJvm other = processes.startGateway();
        final List<BrowserClient> players = processes.seated(still, 0, PLAYERS);
        final BrowserClient sender = processes.seated(other, PLAYERS, PLAYERS + 1).get(0);
        still.signal("STOP");
        final long endNs = System.nanoTime() + STILL_NS;
        for (int i = 0; System.nanoTime() - endNs < 0; i++)
        {
            final String text = i + BIG;
            sender.message(GatewayProcesses.ROOM, text);
            Tests.await(() -> sender.has("event " + text), text);
            sender.received.clear();
        }
        still.signal("CONT");
        Tests.await(() ->
        {
            // It is refused until the trunk is resumed.
            players.get(0).message(GatewayProcesses.ROOM, "moving");
            return players.stream().allMatch((player) -> player.has("event moving"));
        }, () -> "all to play: " + players.stream().map((player) -> player.closeCode).toList());
        players.forEach((player) -> assertEquals(-1, player.closeCode));
        assertEquals(PLAYERS + 1, processes.count("join "), "no seat was made a second time");
        assertEquals(0, processes.count("leave "));
        processes.awaitHolding(still, PLAYERS, PLAYERS);
    }

    @Test
    void shouldServeTheNextEngineWhenOneIsKilled()
    {
        final ChildJvm gateway = processes.startGateway();
        final List<BrowserClient> players = processes.seated(gateway, 0, PLAYERS);
        processes.engine().kill();
        processes.startEngine();
        for (final BrowserClient player : players)
        {
            Tests.await(() -> CloseCode.ENGINE_LOST.value() == player.closeCode,
                () -> "ENGINE_LOST: " + player.closeCode + player.all());
        }
        processes.awaitHolding(gateway, 0, 0);
        final List<BrowserClient> again = processes.seated(gateway, 0, PLAYERS);
        assertEquals(PLAYERS, processes.count("join "));
        assertReceive(again, again.get(0), "again");
        leave(again);
        processes.awaitHolding(gateway, 0, 0);
    }
}
