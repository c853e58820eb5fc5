package io.escapement.arena.room;

import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** A round of three minutes, or the pause after it, in the simulation's time, which stops in an empty arena. */
final class Round
{
    /** Sub-steps of a round. */
    static final int TIME = 3 * 60 * ArenaRules.SUB_STEPS_PER_SECOND;
    /** Sub-steps of a pause: every shot has landed before the next round. */
    static final int PAUSE = 6 * ArenaRules.SUB_STEPS_PER_SECOND;

    private long endsAt;
    private boolean isPause;
    /** A bit for each player. */
    private int winners;

    /** Sub-step of the end of the round, or of the pause. */
    long endsAt()
    {
        return endsAt;
    }

    /** Whether the round is over. */
    boolean isPause()
    {
        return isPause;
    }

    /** The players with most kills, a bit for each. */
    int winners()
    {
        return winners;
    }

    void start(final long subStep)
    {
        endsAt = subStep + TIME;
        isPause = false;
        winners = 0;
    }

    /** Without a kill there is no winner. */
    void end(final long subStep, final ArenaPlayers players)
    {
        endsAt = subStep + PAUSE;
        isPause = true;
        int most = 1;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            final int kills = players.kills(player);
            winners = kills > most ? 0 : winners;
            most = Math.max(most, kills);
            winners |= kills == most ? 1 << player : 0;
        }
    }

    /** The next player at this index has not won any round. */
    void leave(final int player)
    {
        winners &= ~(1 << player);
    }

    void write(final StateWriter writer)
    {
        writer.putLong(endsAt);
        writer.putBoolean(isPause);
        writer.putInt(winners);
    }

    void read(final StateReader reader)
    {
        endsAt = reader.getLong();
        isPause = reader.getBoolean();
        winners = reader.getInt();
    }
}
