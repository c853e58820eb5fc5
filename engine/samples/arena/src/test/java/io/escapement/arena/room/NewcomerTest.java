package io.escapement.arena.room;

import io.escapement.arena.client.BotBrain;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.EnteredDecoder;
import io.escapement.arena.common.Received;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Players whose characters are new: the arena marks them for three minutes, in which bots go easy on them. */
class NewcomerTest
{
    private static final int BOTS = 3;
    private static final long NEWCOMER = 9;
    private static final long SUB_STEPS = 3 * 60 * 120;
    private static final int FRAMES = (int)SUB_STEPS / 2;

    private final ArenaBench arena = new ArenaBench(4);

    @Test
    void shouldMarkANewcomerForThreeMinutes()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        arena.play(100);
        final long joinedAt = arena.room().simulation().subStep();
        final ArenaBench.Player ben = arena.player(2).joinAsNewcomer();
        arena.play(2);
        assertTrue(ann.client.isNewcomer(ben.seat.index()));
        assertTrue(ben.client.isNewcomer(ben.seat.index()));
        assertFalse(ben.client.isNewcomer(ann.seat.index()), "a character with a record");
        assertEquals(joinedAt + SUB_STEPS, Received.last(ann.seat, new EnteredDecoder()).newUntil());
        ben.seat.disconnect();
        ben.client.onAway();
        ben.sit();
        // Later players receive the same mark, and a return does not renew it.
        final ArenaBench.Player eve = arena.player(3).join();
        arena.play(FRAMES - 4);
        assertTrue(eve.client.isNewcomer(ben.seat.index()));
        assertTrue(ben.client.isNewcomer(ben.seat.index()));
        arena.bench.restoreAndCompare();
        arena.play(4);
        assertFalse(ann.client.isNewcomer(ben.seat.index()));
        assertFalse(eve.client.isNewcomer(ben.seat.index()));
        assertSame();
    }

    @Test
    void shouldNotMarkTheNextPlayerOfASeat()
    {
        final ArenaBench.Player ann = arena.player(1).join();
        final ArenaBench.Player ben = arena.player(2).joinAsNewcomer();
        arena.play(2);
        final int index = ben.seat.index();
        ben.leave();
        arena.players.remove(ben);
        arena.play(2);
        assertFalse(ann.client.isNewcomer(index));
        for (int id = 3; id < 6; id++)
        {
            final int joined = arena.player(id).join().seat.index();
            arena.play(2);
            assertFalse(ann.client.isNewcomer(joined));
        }
        assertSame();
    }

    @Test
    void shouldLetBotsGoEasyOnANewcomer()
    {
        final int deaths = deaths(true, (playerId) -> false);
        final int others = deaths(false, (playerId) -> false);
        assertTrue(deaths > 0, "bots that do not fight teach nothing");
        assertTrue(others >= 2 * deaths, deaths + " deaths of a newcomer, " + others + " of another");
        assertEquals(others, deaths(true, (playerId) -> NEWCOMER == playerId), "of a bot with a new character");
    }

    /** Deaths in three minutes of a player that stands there among bots. */
    private static int deaths(final boolean isNewcomer, final LongPredicate isBot)
    {
        final ArenaBench arena = new ArenaBench(BOTS + 1);
        for (int i = 1; i <= BOTS; i++)
        {
            final ArenaBench.Player bot = arena.player(i, 6, 1).join();
            bot.brain = new BotBrain(i, isBot);
        }
        final ArenaBench.Player player = arena.player(NEWCOMER, 6, 1);
        if (isNewcomer)
        {
            player.joinAsNewcomer();
        }
        else
        {
            player.join();
        }
        arena.play(FRAMES);
        assertEquals(List.of(), arena.bench.failures());
        for (final ArenaBench.Player each : arena.players)
        {
            // A bot may act before it knows of its death.
            final int refusal = each.client.stats().lastRefusal();
            assertTrue(0 == refusal || ArenaCode.DEAD.value() == refusal, () -> "refused: " + refusal);
        }
        return arena.room().simulation().players().deaths(player.seat.index());
    }

    private void assertSame()
    {
        assertEquals(List.of(), arena.bench.failures());
        arena.bench.replayAndCompare();
        arena.bench.restoreAndCompare();
    }
}
