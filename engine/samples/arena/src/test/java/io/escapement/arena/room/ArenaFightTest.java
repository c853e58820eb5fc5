package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.testsupport.Tests;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Fights of 16 bots; each client checks the server against the rules. */
class ArenaFightTest
{
    private static final int SECONDS = Tests.isFull() ? 300 : 20;

    @ParameterizedTest
    @CsvSource({"60, 1, 0", "60, 8, 3", "30, 4, 1", "15, 8, 2", "8, 15, 0", "8, 15, 1"})
    void shouldShowEverybodyTheSameFight(final int rate, final int sampling, final int latency)
    {
        final String scenario = "rate " + rate + ", sampling " + sampling + ", latency " + latency + ", seeds 1 to 16";
        final ArenaBench arena = fight(rate, sampling, latency, SECONDS * rate);
        assertEquals(List.of(), arena.bench.failures(), scenario);
        assertEquals(SECONDS, arena.room().simulation().subStep() / 120.0, 0.3, scenario);
        // Stop all bots, so that the last deltas arrive.
        arena.players.forEach((player) -> player.brain = null);
        arena.play(2 * latency + 1);

        long deaths = 0;
        long spoken = 0;
        for (final ArenaBench.Player player : arena.players)
        {
            final String who = scenario + ", player " + player.playerId;
            assertEquals(List.of(), player.client.violations(), who);
            assertEquals(0, player.client.stats().gaps(), who);
            assertEquals(1, player.client.stats().fullStates(), who);
            assertTrue(player.client.stats().deltas() >= (long)SECONDS * rate - 2 * latency, who);
            assertEquals(0, player.client.stats().corrections(),
                who + ", last refusal " + player.client.stats().lastRefusal());
            // Without latency, a client and the server agree on the player's position.
            assertTrue(0 != latency || 0 == player.commons.ownError().getMaxValue(), who);
            assertTrue(player.commons.ownError().getTotalCount() > SECONDS, who);
            assertTrue(player.commons.othersError().getValueAtPercentile(50) < 100, who);
            deaths += arena.room().simulation().players().deaths(player.seat.index());
            spoken += player.client.stats().chats();
        }
        final int secondsOfRound = SECONDS % ((Round.TIME + Round.PAUSE) / ArenaRules.SUB_STEPS_PER_SECOND);
        assertTrue(deaths > secondsOfRound / 2, scenario + ": only " + deaths + " deaths");
        assertTrue(spoken > 0, scenario);
        arena.bench.replayAndCompare();
        arena.bench.restoreAndCompare();
    }

    @Test
    void shouldRebuildTheSentWorldOnEveryClient()
    {
        final ArenaBench arena = fight(60, 2, 0, 0);
        for (int i = 0; i < 20 * 60; i++)
        {
            arena.play(1);
            final long sentHash = arena.room().sentWorld().stateHash();
            for (final ArenaBench.Player player : arena.players)
            {
                assertEquals(sentHash, player.client.world().stateHash(), "frame " + i + ", player " + player.playerId);
            }
        }
    }

    static ArenaBench fight(final int rate, final int sampling, final int latency, final int frames)
    {
        final ArenaBench arena = new ArenaBench(16).rate(rate);
        for (int i = 1; i <= 16; i++)
        {
            final ArenaBench.Player player = arena.player(i, sampling, latency).join();
            player.brain = new BotBrain(i, (playerId) -> false);
        }
        return arena.play(frames);
    }
}
