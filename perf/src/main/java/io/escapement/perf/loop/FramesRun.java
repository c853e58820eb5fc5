package io.escapement.perf.loop;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Parent;
import java.util.concurrent.TimeUnit;

/**
 * One run of frames, in a process of its own: rooms on a loop, or the same on a game loop thread.
 *
 * <p>Lateness is counted alike on both sides: from a deadline on the grid of the rate until all its rooms have run,
 * once for each room-frame. A deadline that passes while a later one is due already was missed, and counts with the
 * lateness of the frame that ran in its place. A frame that no new deadline asked for does not count.
 */
public final class FramesRun
{
    /** Room-frames that ran, the warm-up's too. */
    public static final String RAN = "ran";
    /** Room-frames that ran as the rooms have counted them, less those. */
    public static final String CHECKSUM_DIFFERENCE = "checksumDifference";
    /** Room-frames whose deadline counts. */
    public static final String DUE = "due";
    /** Those of them that never ran. */
    public static final String MISSED = "missed";
    /** How much longer a frame took than the rate says, as the rooms count frames, in parts of a thousand million. */
    public static final String DRIFT_PPB = "driftPpb";
    /** For how many milliseconds the compilers worked while it counted. */
    public static final String COMPILED_MS = "compiledMs";
    /** Series: lateness. */
    public static final String LATENESS = "lateness";
    /** Series: what a room-frame took. */
    public static final String COST = "cost";

    private static final long SPARE_SECONDS = 30;

    private FramesRun()
    {
    }

    /**
     * Run it in a process of its own.
     *
     * @param options of the run.
     * @return what was found.
     */
    public static Findings run(final FramesOptions options)
    {
        final long limitSeconds =
            TimeUnit.MILLISECONDS.toSeconds((long)options.warmUpMs() + options.measureMs()) + SPARE_SECONDS;
        try (Child child = new Child("frames", FramesRun.class, options.toArguments(), limitSeconds))
        {
            return Findings.await(child, (line) -> { });
        }
    }

    /**
     * The process.
     *
     * @param arguments of {@link FramesOptions}.
     */
    public static void main(final String[] arguments)
    {
        final FramesOptions options = FramesOptions.of(arguments);
        final Findings findings = FramesOptions.ESCAPEMENT.equals(options.what()) ?
            LoopFrames.measure(options) : GameLoopFrames.measure(options);
        findings.tell(Parent::tell);
    }
}
