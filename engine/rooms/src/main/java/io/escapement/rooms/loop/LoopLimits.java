package io.escapement.rooms.loop;

import io.escapement.config.ConfigException;

/**
 * The place of a host among the loops of its engine, and the limits of its {@link LoopState}. They decide which
 * commands are refused. Therefore a log has them in its header.
 *
 * @param loop         number of the loop, which is the high bits of its rooms' ids.
 * @param loops        number of loops of the engine, 1 to {@link #MAX_LOOPS}.
 * @param openRequests most requests to services and for new rooms without an answer, 1 to {@link #MAX_OPEN_REQUESTS}.
 * @param queueLength  most bytes of signals and reservations that may wait in each queue, {@link #MIN_QUEUE_LENGTH} to
 *                     {@link #MAX_QUEUE_LENGTH}.
 */
public record LoopLimits(int loop, int loops, int openRequests, int queueLength)
{
    /** As many as a room id can name. */
    public static final int MAX_LOOPS = 1_024;

    /** At 2 KiB a request, 2 GiB. */
    public static final int MAX_OPEN_REQUESTS = 1 << 20;

    /** Twice the longest command. */
    public static final int MIN_QUEUE_LENGTH = 4 * 1_024;

    /** So that a queue and its answers fit a buffer. */
    public static final int MAX_QUEUE_LENGTH = 64 * 1_024 * 1_024;

    /** As many requests of rooms as services may have open. Further requests wait in the state of the loop. */
    private static final int OPEN_REQUESTS_DEFAULT = 16 * 1_024;
    private static final int QUEUE_LENGTH_DEFAULT = 256 * 1_024;

    /**
     * Of a host that keeps no messages: a room without the others gets the answers to its requests from the log of the
     * host that it was cut out of.
     */
    public static final LoopLimits NOTHING = new LoopLimits(0, 0, 0, 0);

    /** Refuse values out of range. */
    public LoopLimits
    {
        if (0 != loops || 0 != loop || 0 != openRequests || 0 != queueLength)
        {
            check(loop, loops, openRequests, queueLength);
        }
    }

    /**
     * The limits that engines have. They are settings of a log, and depend on no other option.
     *
     * @param loop  number of the loop.
     * @param loops number of loops of the engine.
     */
    public static LoopLimits of(final int loop, final int loops)
    {
        return new LoopLimits(loop, loops, OPEN_REQUESTS_DEFAULT, QUEUE_LENGTH_DEFAULT);
    }

    /** Whether commands of rooms are kept. */
    public boolean isKeeping()
    {
        return 0 != loops;
    }

    private static void check(final int loop, final int loops, final int openRequests, final int queueLength)
    {
        inRange("loops", loops, 1, MAX_LOOPS);
        inRange("loop", loop, 0, loops - 1);
        inRange("openRequests", openRequests, 1, MAX_OPEN_REQUESTS);
        inRange("queueLength", queueLength, MIN_QUEUE_LENGTH, MAX_QUEUE_LENGTH);
    }

    private static void inRange(final String option, final int value, final int least, final int most)
    {
        ConfigException.check(value >= least && value <= most, option, value, "must be " + least + " to " + most);
    }
}
