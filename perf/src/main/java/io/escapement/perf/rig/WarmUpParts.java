package io.escapement.perf.rig;

import io.escapement.engine.WarmUp;
import java.util.concurrent.TimeUnit;

/**
 * The end of a warm-up. A warm-up consists of parts like the measured part. It is over when the compilers of all
 * processes rested in a part, but not before its least and not after its longest time.
 */
public final class WarmUpParts
{
    private final long leastNs;
    private final long longestNs;
    private final long startNs;

    /**
     * Begin now.
     *
     * @param plan  of the warm-up.
     * @param share of its times.
     */
    public WarmUpParts(final RunPlan plan, final double share, final long nowNs)
    {
        leastNs = (long)(share * TimeUnit.MILLISECONDS.toNanos(plan.warmUpMs));
        longestNs = Math.max(leastNs, (long)(share * TimeUnit.MILLISECONDS.toNanos(plan.warmUpLimitMs)));
        startNs = nowNs;
    }

    /**
     * Whether this part was the last.
     *
     * @param compiledMs time that the compilers worked in it.
     * @param partNs     its length.
     * @param nowNs      its end.
     */
    public boolean isOver(final long compiledMs, final long partNs, final long nowNs)
    {
        final long tookNs = nowNs - startNs;
        return tookNs >= longestNs || tookNs >= leastNs && WarmUp.haveRested(compiledMs, partNs);
    }

    /** Run the parts of a process that needs no other. */
    public static void run(final RunPlan plan, final Runnable part)
    {
        final WarmUpParts warmUp = new WarmUpParts(plan, 1, System.nanoTime());
        boolean isOver = false;
        while (!isOver)
        {
            final long compiledMs = WarmUp.compiledMs();
            final long startNs = System.nanoTime();
            part.run();
            final long endNs = System.nanoTime();
            isOver = warmUp.isOver(WarmUp.compiledMs() - compiledMs, endNs - startNs, endNs);
        }
    }
}
