package io.escapement.perf.loop;

import io.escapement.perf.rig.RunPlan;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The options of {@code frames}, and the names of its measurements. */
public final class FramesPlan extends RunPlan
{
    /** Subject: rooms on a loop. */
    public static final String ENGINE = "escapement";
    /** Subject: rooms on a loop once more, for the null. */
    public static final String NULL = "escapement-null";
    /** Subject: actions without memory on a game loop thread. */
    public static final String GAME_LOOP_THREAD = "gameLoopThread";
    /** Subject: actions on a game loop thread that own {@link #OWNED_BYTES} each. */
    public static final String GAME_LOOP_THREAD_1500 = "gameLoopThread1500B";
    /** Frames counted by the rooms minus frames recorded, from the first frame on. */
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    /** Room-frames with a deadline in the measured part. */
    public static final String DUE = "due";
    /** Room-frames of {@link #DUE} that never ran. */
    public static final String MISSED = "missed";
    /** By how much the mean period of frames exceeds that of the rate, in parts per billion. */
    public static final String DRIFT_PPB = "driftPpb";
    /** Number of rooms with frames that run together, and are late together. */
    public static final String ROOMS_PER_FRAME = "roomsPerFrame";

    /**
     * Series: lateness, from a deadline until all its rooms have run, once for each room-frame. A missed deadline
     * counts with the lateness of the frame that ran in its place. A frame without a new deadline does not count.
     */
    public static final String LATENESS = "lateness";
    /** Series: duration of a room-frame. */
    public static final String COST = "cost";

    /** Memory of a room, roughly: its instance, guards and buffers. */
    static final int OWNED_BYTES = 1_500;

    /** Rate of most of the warm-up. Code that runs once a frame is not compiled after seconds at 60 Hz. */
    static final int FAST_HZ = 1_000;

    /** Rounds of the least warm-up. */
    static final int WARM_UP_ROUNDS = 4;

    @Option(names = "--rooms", defaultValue = "256", description = "rooms on the loop (default: ${DEFAULT-VALUE})")
    public int rooms;

    @Option(names = "--phases", defaultValue = "1",
        description = "phase groups of the loop (default: ${DEFAULT-VALUE}, because a game loop thread runs all rooms" +
            " together. An engine's default is 4)")
    public int phases;

    @Option(names = "--hz", defaultValue = "60", description = "frames per second (default: ${DEFAULT-VALUE})")
    public int hz;

    @Option(names = "--work", paramLabel = "US", defaultValue = "0",
        description = "busy time of a room's frame in microseconds (default: ${DEFAULT-VALUE})")
    public int workUs;

    @Option(names = "--idle", defaultValue = "park",
        description = "idle strategy of the loop: busy, yield, backoff or park (default: park)")
    public String idle;

    /** Whether a subject is the engine. */
    public static boolean isEngine(final String subject)
    {
        return ENGINE.equals(subject) || NULL.equals(subject);
    }

    /** Those of a phase group, rounded, or all of a game loop thread. */
    long roomsPerFrame()
    {
        return isEngine(subject) ? Math.max(1, Math.round((double)rooms / phases)) : rooms;
    }

    /** Part of a warm-up round at {@link #FAST_HZ}. */
    int fastMs()
    {
        return warmUpMs / WARM_UP_ROUNDS / 4 * 3;
    }

    /** Part of a warm-up round at the measured rate. */
    int paceMs()
    {
        return warmUpMs / WARM_UP_ROUNDS - fastMs();
    }

    /** Memory of an action on a game loop thread. */
    int ownedBytes()
    {
        return GAME_LOOP_THREAD_1500.equals(subject) ? OWNED_BYTES : 0;
    }

    /** Keep the thread busy as a room's frame does. */
    void work()
    {
        if (0 != workUs)
        {
            final long ns = TimeUnit.MICROSECONDS.toNanos(workUs);
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < ns)
            {
                Thread.onSpinWait();
            }
        }
    }
}
