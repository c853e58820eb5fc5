package io.escapement.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;

/**
 * Estimates the cost of each room as a profiler does: by how often its code runs at random times. It adds no work to
 * the loops. The times are random because samples at fixed intervals would meet the same phase of each frame.
 *
 * <p>Older samples count for less, by half after 30 s. One thread samples, others read.
 */
final class RoomCosts
{
    /** Rooms of a loop that are kept. Those of which no sample is left are dropped at each decay. */
    static final int LIMIT = 16 * 1_024;

    private static final long MEAN_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long DECAY_NS = TimeUnit.SECONDS.toNanos(6);
    private static final double DECAY = Math.pow(0.5, 0.2);
    private static final double LEAST = 0.5;

    /**
     * A room with its cost.
     *
     * @param roomId of the room.
     * @param share  of its loop's time, from 0 to 1.
     */
    record Cost(long roomId, double share)
    {
    }

    /**
     * A time for which the samples of a loop met one room and no other.
     *
     * @param roomId   of the room.
     * @param beginNs  of the first sample.
     * @param lengthNs from the first to the last, at least two.
     */
    record Run(long roomId, long beginNs, long lengthNs)
    {
    }

    /** The samples of a loop. */
    private static final class Samples
    {
        /** The longest run that finished in each second of the heat map. */
        private final Map<Long, Run> longestBySecondMap = new HashMap<>();
        private long runningId;
        private long runningSinceNs;
        private final Map<Long, Double> countByRoomMap = new HashMap<>();
        private double count;

        void add(final long roomId)
        {
            count++;
            if (0 != roomId && (countByRoomMap.size() < LIMIT || countByRoomMap.containsKey(roomId)))
            {
                countByRoomMap.merge(roomId, 1.0, Double::sum);
            }
        }

        void addRun(final long roomId, final long nowNs)
        {
            if (roomId != runningId)
            {
                runningId = roomId;
                runningSinceNs = nowNs;
            }
            else if (0 != roomId)
            {
                final Run run = new Run(roomId, runningSinceNs, nowNs - runningSinceNs);
                longestBySecondMap.merge(LatencyHistory.secondOf(nowNs), run,
                    (a, b) -> a.lengthNs >= b.lengthNs ? a : b);
            }
        }

        void forgetRuns(final long nowNs)
        {
            final long first = LatencyHistory.secondOf(nowNs) - LatencyHistory.COLUMNS;
            longestBySecondMap.keySet().removeIf((second) -> second < first);
        }

        void decay()
        {
            count *= DECAY;
            countByRoomMap.replaceAll((roomId, hits) -> hits * DECAY);
            countByRoomMap.values().removeIf((hits) -> hits < LEAST);
        }

        List<Cost> costs()
        {
            final List<Cost> costs = new ArrayList<>();
            countByRoomMap.forEach((roomId, hits) -> costs.add(new Cost(roomId, hits / count)));
            return costs;
        }
    }

    private final IntToLongFunction runningRoom;
    private final Samples[] samplesOfLoops;
    private final SplittableRandom random = new SplittableRandom();
    private long nextNs;
    private long decayedNs;

    /**
     * Begin with no samples.
     *
     * @param runningRoom id of the room that runs on a loop, or 0.
     * @param loops       number of loops.
     * @param nowNs       the time.
     */
    RoomCosts(final IntToLongFunction runningRoom, final int loops, final long nowNs)
    {
        this.runningRoom = runningRoom;
        samplesOfLoops = new Samples[loops];
        for (int i = 0; i < loops; i++)
        {
            samplesOfLoops[i] = new Samples();
        }
        decayedNs = nowNs;
        nextNs = nowNs;
    }

    /** Take a sample if it is time. Returns when the next sample is due. */
    synchronized long sample(final long nowNs)
    {
        if (nowNs - nextNs >= 0)
        {
            nextNs = nowNs + (long)(2 * MEAN_INTERVAL_NS * random.nextDouble());
            for (int i = 0; i < samplesOfLoops.length; i++)
            {
                final long roomId = runningRoom.applyAsLong(i);
                samplesOfLoops[i].add(roomId);
                samplesOfLoops[i].addRun(roomId, nowNs);
            }
            if (nowNs - decayedNs >= DECAY_NS)
            {
                decayedNs = nowNs;
                for (final Samples samples : samplesOfLoops)
                {
                    samples.decay();
                    samples.forgetRuns(nowNs);
                }
            }
        }
        return nextNs;
    }

    /** The rooms of a loop that cost most, in this order. */
    synchronized List<Cost> most(final int loop, final int limit)
    {
        return samplesOfLoops[loop].costs().stream()
            .sorted(Comparator.comparingDouble(Cost::share).reversed().thenComparingLong(Cost::roomId))
            .limit(limit).toList();
    }

    /** The cost of a room, or NaN if no sample has met it. */
    synchronized double share(final int loop, final long roomId)
    {
        final Samples samples = samplesOfLoops[loop];
        final Double hits = samples.countByRoomMap.get(roomId);
        return null == hits ? Double.NaN : hits / samples.count;
    }

    /**
     * The longest run of a room on a loop in a given second or an adjacent second, because a frame is late after the
     * long turn.
     *
     * @return the run, or null if no room was met twice.
     */
    synchronized Run longestRun(final int loop, final long second)
    {
        return LongStream.rangeClosed(second - 1, second + 1)
            .mapToObj(samplesOfLoops[loop].longestBySecondMap::get).filter(Objects::nonNull)
            .max(Comparator.comparingLong(Run::lengthNs)).orElse(null);
    }
}
