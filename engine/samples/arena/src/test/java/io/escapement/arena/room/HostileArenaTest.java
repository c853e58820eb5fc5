package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.arena.common.HostileMessages;
import io.escapement.arena.lobby.LobbyTraffic;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Players who send arbitrary messages: nothing throws, and honest players are not affected. */
class HostileArenaTest
{
    private static final long SEED = 1_703;
    private static final int FRAMES = Tests.isFull() ? 60_000 : 1_200;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final HostileMessages messages = new HostileMessages(random);

    @Test
    void shouldNotDisturbHonestPlayers()
    {
        final ArenaBench arena = new ArenaBench(16);
        final List<ArenaBench.Player> hostile = new ArrayList<>();
        for (int i = 1; i <= 16; i++)
        {
            final ArenaBench.Player player = arena.player(i, 2, 0).join();
            if (i % 2 == 0)
            {
                player.brain = new BotBrain(i, (playerId) -> false);
            }
            else
            {
                hostile.add(player);
            }
        }
        for (int frame = 0; frame < FRAMES; frame++)
        {
            arena.play(1);
            for (final ArenaBench.Player player : hostile)
            {
                for (int n = random.nextInt(4); n > 0; n--)
                {
                    send(player.seat, messages.any(arena.room().simulation().subStep()));
                }
            }
        }
        assertEquals(List.of(), arena.bench.failures(), "seed " + SEED);
        for (final ArenaBench.Player player : arena.players)
        {
            assertEquals(List.of(), player.client.violations(), "seed " + SEED + ", player " + player.playerId);
            assertTrue(player.seat.isPresent());
            if (null != player.brain)
            {
                assertEquals(0, player.client.stats().corrections(), "seed " + SEED + ", player " + player.playerId);
                assertEquals(0, player.commons.ownError().getMaxValue());
                assertEquals(1, player.client.stats().fullStates());
            }
        }
        final long refused = hostile.stream().mapToLong((player) -> player.client.stats().refusals()).sum();
        final long corrected = hostile.stream().mapToLong((player) -> player.client.stats().corrections()).sum();
        assertTrue(refused > 1_000 && corrected > 100, refused + " refused, " + corrected + " corrected");
        arena.bench.replayAndCompare();
        arena.bench.restoreAndCompare();
    }

    @Test
    void shouldNotDisturbTheLobby()
    {
        final LobbyTraffic lobby = new LobbyTraffic(SEED);
        for (int i = 0; i < FRAMES / 4; i++)
        {
            lobby.play(1);
            for (int n = random.nextInt(8); n > 0; n--)
            {
                send(lobby.seat(random.nextInt(lobby.players() / 2)), messages.any(i));
            }
        }
        lobby.assertAllWell();
        lobby.bench.replayAndCompare();
        lobby.bench.restoreAndCompare();
    }

    private void send(final BenchSeat seat, final byte[] bytes)
    {
        seat.send(new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
