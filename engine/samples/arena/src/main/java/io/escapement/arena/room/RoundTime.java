package io.escapement.arena.room;

import io.escapement.arena.simulation.ArenaRules;
import io.escapement.rooms.RoomLogic;

/**
 * The time of an arena and of its round.
 *
 * @param subStep of the arena.
 * @param endsAt  sub-step of the end of the round, or of the pause.
 * @param isPause whether the round is over.
 */
public record RoundTime(long subStep, long endsAt, boolean isPause)
{
    /** Sub-steps of a round. */
    public static final int ROUND = Round.TIME;
    /** Most sub-steps between the time at which a round is due to end and its end. */
    public static final int LATEST = ArenaRules.STEP_LIMIT;

    /** Read an arena with a type of {@link ArenaRoom#isType}. */
    public static RoundTime of(final RoomLogic logic)
    {
        return ((ArenaRoom)logic).roundTime();
    }

    /** Whether this is the pause after a round with its end at a sub-step. */
    public boolean isAfterRound(final long endedAt)
    {
        return isPause && endsAt == endedAt + Round.PAUSE;
    }

    /** Whether this is in the round with its end at a sub-step. */
    public boolean isInRound(final long endedAt)
    {
        return !isPause && endsAt <= endedAt && endsAt > endedAt - LATEST;
    }
}
