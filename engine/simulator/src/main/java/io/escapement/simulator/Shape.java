package io.escapement.simulator;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * How large a schedule is, and what may happen in it. A seed has one, and a failing seed is tried with smaller ones.
 *
 * @param mode    of the engine.
 * @param clients that play.
 * @param ms      of its main part.
 * @param faults  that may happen.
 * @param isFed   whether states travel on feeds.
 */
record Shape(Mode mode, int clients, int ms, Set<Fault> faults, boolean isFed)
{
    private static final int LEAST_MS = 200;

    /** The shape of a seed, in any of these modes. */
    static Shape of(final long seed, final Set<Mode> modes, final int clients, final int longestMs)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final Mode mode = List.copyOf(EnumSet.copyOf(modes)).get(random.nextInt(modes.size()));
        final EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
        for (final Fault fault : Fault.values())
        {
            if (fault.isOf(mode) && random.nextInt(3) > 0)
            {
                faults.add(fault);
            }
        }
        return new Shape(mode, 1 + random.nextInt(clients), longestMs / 3 + random.nextInt(longestMs * 2 / 3), faults,
            random.nextBoolean());
    }

    boolean has(final Fault fault)
    {
        return faults.contains(fault);
    }

    /** Shapes that are one step smaller. */
    List<Shape> smaller()
    {
        final List<Shape> smaller = new ArrayList<>();
        if (clients > 1)
        {
            smaller.add(new Shape(mode, 1, ms, faults, isFed));
            smaller.add(new Shape(mode, clients - 1, ms, faults, isFed));
        }
        if (isFed)
        {
            smaller.add(new Shape(mode, clients, ms, faults, false));
        }
        for (final Fault fault : faults)
        {
            final EnumSet<Fault> fewer = EnumSet.copyOf(faults);
            fewer.remove(fault);
            smaller.add(new Shape(mode, clients, ms, fewer, isFed));
        }
        if (ms / 2 >= LEAST_MS)
        {
            smaller.add(new Shape(mode, clients, ms / 2, faults, isFed));
        }
        return smaller;
    }

    @Override
    public String toString()
    {
        return mode + ", " + clients + (1 == clients ? " client, " : " clients, ") + ms + " ms, " +
            (isFed ? "feeds, " : "") + "faults " + faults;
    }
}
