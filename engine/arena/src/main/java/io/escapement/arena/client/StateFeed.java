package io.escapement.arena.client;

import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.PictureDecoder;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldReader;

/** Applies states to the world in order. After a lost state a picture must follow soon. */
final class StateFeed
{
    /** A picture must arrive within two seconds after a lost state. */
    private static final long PICTURE_WAIT = 2L * ArenaRules.SUB_STEPS_PER_SECOND;
    private static final int NO_GAP = -1;

    private final World world;
    private final WorldReader reader;
    private final Violations violations;
    private final ClientStats stats;
    private long gapAt = NO_GAP;

    StateFeed(final World world, final Violations violations, final ClientStats stats)
    {
        this.world = world;
        this.violations = violations;
        this.stats = stats;
        reader = new WorldReader(world);
    }

    /** Start over: the next state must be a picture. */
    void forget()
    {
        gapAt = NO_GAP;
        reader.forget();
    }

    /** Apply a picture. False if it is refused. */
    boolean take(final PictureDecoder picture)
    {
        final WorldReader.Result result = reader.apply(picture);
        if (WorldReader.Result.APPLIED != result)
        {
            violations.add("picture refused: " + result);
            return false;
        }
        stats.pictures++;
        gapAt = NO_GAP;
        return true;
    }

    /** Apply a delta. False if it is refused. */
    boolean take(final DeltaDecoder delta)
    {
        final long before = world.subStep();
        final long subStep = delta.subStep();
        switch (reader.apply(delta))
        {
            case APPLIED ->
            {
                stats.deltas++;
                return true;
            }
            case GAP -> onGap(subStep);
            case OLD -> violations.add("delta from the past", subStep, before);
            default -> violations.add("invalid delta", subStep, before);
        }
        return false;
    }

    /** A delta sent before the join may arrive as well; it counts as no loss. */
    private void onGap(final long subStep)
    {
        if (gapAt < 0)
        {
            stats.gaps += World.NO_SEQUENCE == world.sequence() ? 0 : 1;
            gapAt = subStep;
        }
        else if (subStep - gapAt > PICTURE_WAIT)
        {
            violations.add("no picture after a lost state", gapAt, subStep);
            gapAt = subStep;
        }
    }
}
