package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.RoundDecoder;
import io.escapement.arena.codecs.ScoreDecoder;
import io.escapement.arena.common.InMemoryCharacters;
import io.escapement.arena.common.Received;
import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.ArenaSimulation;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Rounds of three minutes: their winners, the pause after them, and the scores of the next. */
class RoundTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final int SAVE_FRAMES = 31 * ArenaRoom.FRAME_RATE;

    private ArenaBench arena = new ArenaBench(4);

    @AfterEach
    void shouldReplayToTheSame()
    {
        arena.assertReplaysToTheSame();
    }

    @Test
    void shouldNameTheWinnersPauseAndStartTheNextRound()
    {
        for (int i = 1; i <= 4; i++)
        {
            arena.player(i, 2, 1).join().brain = new BotBrain(i, (playerId) -> false);
        }
        playUntil(Round.TIME - 2);
        final ArenaPlayers players = arena.room().simulation().players();
        assertTrue(players.kills(0) + players.kills(1) + players.kills(2) + players.kills(3) > 4);
        arena.play(1);
        final int[] kills = new int[4];
        int most = 0;
        for (int player = 0; player < 4; player++)
        {
            kills[player] = players.kills(player);
            most = Math.max(most, kills[player]);
            assertFalse(arena.room().sentWorld().isLiving(player));
        }
        final RoundDecoder end = Received.last(arena.players.get(0).seat, new RoundDecoder());
        assertEquals(1, end.isPause());
        assertEquals(Round.TIME, end.subStep());
        assertEquals(Round.TIME + Round.PAUSE, end.endsAt());
        for (int player = 0; player < 4; player++)
        {
            assertEquals(kills[player] == most, 0 != (end.winners() & 1 << player), "player " + player);
        }
        playUntil(Round.TIME + Round.PAUSE - 2);
        assertEquals(kills[0], players.kills(0), "in the pause");
        assertFalse(arena.room().sentWorld().isLiving(0));
        arena.play(1);
        final RoundDecoder start = Received.last(arena.players.get(0).seat, new RoundDecoder());
        assertEquals(List.of(0, 0), List.of((int)start.isPause(), start.winners()));
        assertEquals(start.subStep() + Round.TIME, start.endsAt());
        for (int player = 0; player < 4; player++)
        {
            assertTrue(arena.room().sentWorld().isLiving(player));
            assertEquals(List.of(0, 0), List.of(players.kills(player), players.deaths(player)));
        }
        assertEquals(0, Received.last(arena.players.get(0).seat, new ScoreDecoder()).kills());
        arena.play(SAVE_FRAMES);
        for (final ArenaBench.Player player : arena.players)
        {
            final int index = player.seat.index();
            assertEquals(0, player.client.stats().corrections());
            final InMemoryCharacters.Character saved = arena.characters.characterByIdMap.get(player.characterId);
            assertTrue(saved.kills >= 10 + kills[index] &&
                saved.kills <= 10 + kills[index] + players.kills(index), "kills of both rounds: " + saved.kills);
        }
    }

    @Test
    void shouldNameNoWinnerWithoutAKill()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        playUntil(Round.TIME);
        assertEquals(1, Received.last(ann.seat, new RoundDecoder()).isPause());
        assertEquals(0, Received.last(ann.seat, new RoundDecoder()).winners());
    }

    @Test
    void shouldNameAllWhoTie()
    {
        arena = new ArenaBench(2);
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player ben = arena.player(2).join();
        arena.play(2);
        arena.shootUntilDeath(ann, ben);
        arena.play(200);
        arena.shootUntilDeath(ben, ann);
        playUntil(Round.TIME);
        assertEquals(3, Received.last(ann.seat, new RoundDecoder()).winners());
        // Who has the place of a winner has won nothing.
        ann.leave();
        arena.players.remove(ann);
        final ArenaBench.Player eve = arena.player(3).join();
        arena.play(1);
        assertEquals(0, eve.seat.index());
        assertEquals(2, Received.last(eve.seat, new RoundDecoder()).winners());
    }

    @Test
    void shouldRespawnNobodyInAPause()
    {
        final ArenaBench rehearsal = new ArenaBench(4);
        final ArenaBench.Player killer = rehearsal.player(1).join();
        final ArenaBench.Player victim = rehearsal.player(2).join();
        rehearsal.play(1_000);
        final int frames = rehearsal.shootUntilDeath(killer, victim);
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player ben = arena.player(2).join();
        // The respawn is due in the pause.
        playUntil(Round.TIME - 2 * frames - ArenaRules.RESPAWN_DELAY / 2);
        arena.shootUntilDeath(ann, ben);
        assertTrue(arena.room().simulation().subStep() < Round.TIME, "the kill was in time");
        playUntil(Round.TIME);
        final ArenaBench.Player eve = arena.player(3).join();
        playUntil(Round.TIME + Round.PAUSE - 4);
        final ArenaSimulation simulation = arena.room().simulation();
        for (final ArenaBench.Player player : arena.players)
        {
            assertEquals(ArenaPlayers.IN_GAME, simulation.players().flags(player.seat.index()));
            player.sender.dash(1, 0);
        }
        arena.play(1);
        Received.assertRefused(ArenaCode.DEAD, eve.seat);
        assertEquals(Round.TIME + Round.PAUSE, Received.last(eve.seat, new RoundDecoder()).endsAt());
        arena.play(2);
        assertTrue(ann.client.canAct() && ben.client.canAct() && eve.client.canAct());
        assertEquals(0, simulation.players().kills(ann.seat.index()));
    }

    @Test
    void shouldTellANewcomerTheRemainingTime()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(1);
        assertEquals(Round.TIME, Received.last(ann.seat, new RoundDecoder()).endsAt());
        playUntil(1_200);
        final ArenaBench.Player ben = arena.player(2).join();
        arena.play(1);
        final RoundDecoder round = Received.last(ben.seat, new RoundDecoder());
        assertEquals(List.of(0, 0), List.of((int)round.isPause(), round.winners()));
        assertEquals(Round.TIME - 1_200, round.endsAt() - round.subStep());
        assertEquals(1, Received.count(ann.seat, RoundDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldStandStillInAnEmptyArenaAndBeginAnew()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        playUntil(1_200);
        ann.leave();
        arena.bench.runFor(50 * SECOND);
        assertEquals(1_200, arena.room().simulation().subStep());
        arena.players.remove(ann);
        final ArenaBench.Player ben = arena.player(2).join();
        arena.play(1);
        assertEquals(1_200 + Round.TIME, Received.last(ben.seat, new RoundDecoder()).endsAt());
    }

    private void playUntil(final int subStep)
    {
        while (arena.room().simulation().subStep() < subStep)
        {
            arena.play(1);
        }
    }
}
