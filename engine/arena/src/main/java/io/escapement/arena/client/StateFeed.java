package io.escapement.arena.client;

import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.PictureDecoder;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.world.World;
import io.escapement.arena.world.WorldReader;

/** Puts states into the world, one after the other. Some may be lost; but then a picture has to follow soon. */
final class StateFeed
{
    /** A picture is to come within two seconds after a state was lost. */
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

    /** What comes next builds on nothing that came before. */
    void forget()
    {
        gapAt = NO_GAP;
        reader.forget();
    }

    /** Whether the world is now what the picture shows. */
    boolean take(final PictureDecoder picture)
    {
        final WorldReader.Result outcome = reader.apply(picture);
        if (WorldReader.Result.APPLIED != outcome)
        {
            violations.add("a picture that is " + outcome);
            return false;
        }
        stats.pictures++;
        gapAt = NO_GAP;
        return true;
    }

    /** Whether the world has gone on by the delta. */
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
            case OLD -> violations.add("a delta of the past", subStep, before);
            default -> violations.add("a delta that cannot be", subStep, before);
        }
        return false;
    }

    /** One of before the join may come, too: that is none that was lost. */
    private void onGap(final long subStep)
    {
        if (gapAt < 0)
        {
            stats.gaps += World.NO_SEQUENCE == world.sequence() ? 0 : 1;
            gapAt = subStep;
        }
        else if (subStep - gapAt > PICTURE_WAIT)
        {
            violations.add("deltas without a picture", gapAt, subStep);
            gapAt = subStep;
        }
    }
}
