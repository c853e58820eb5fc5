package io.escapement.perf.rig;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Open-loop load: every message has a planned send time, and the plan does not wait for answers. Because latency counts
 * from the planned time, a stall of either side delays all messages planned during it (no coordinated omission).
 */
public final class LoadRig
{
    /** Sends one message of the plan. */
    @FunctionalInterface
    public interface Sender
    {
        /**
         * Send.
         *
         * @param number    of the message in this load, from 0.
         * @param plannedNs when it was due.
         * @return false if it was not accepted and must be retried.
         */
        boolean send(long number, long plannedNs);
    }

    private final LongSupplier dutyCycle;
    private final Runnable flush;
    private final int burst;
    private final long gatherNs;

    /**
     * Create a rig.
     *
     * @param dutyCycle receives, advances connections, invokes the media driver, and returns {@link System#nanoTime()}
     *                  after it.
     * @param flush     runs after one or more messages were accepted.
     * @param burst     messages sent in a row before the next duty cycle.
     * @param gatherNs  how long due messages are gathered before they are sent together.
     */
    public LoadRig(final LongSupplier dutyCycle, final Runnable flush, final int burst, final long gatherNs)
    {
        this.dutyCycle = dutyCycle;
        this.flush = flush;
        this.burst = burst;
        this.gatherNs = gatherNs;
    }

    /** Run the duty cycle until a condition holds. Returns false if it does not hold in time. */
    public boolean await(final BooleanSupplier condition, final long timeoutNs)
    {
        if (condition.getAsBoolean())
        {
            return true;
        }
        final long startNs = dutyCycle.getAsLong();
        while (!condition.getAsBoolean())
        {
            if (dutyCycle.getAsLong() - startNs > timeoutNs)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Send at equal intervals.
     *
     * @param startNs    planned time of the first message.
     * @param intervalNs between two planned times; 0 sends as fast as messages are accepted.
     * @param count      of messages.
     * @param durationNs the load stops after it, sent or not.
     * @return nanoseconds until the last message was accepted.
     */
    public long run(
        final long startNs, final double intervalNs, final long count, final long durationNs, final Sender sender)
    {
        long next = 0;
        long gatheredNs = startNs;
        long nowNs = dutyCycle.getAsLong();
        while (next < count && nowNs - startNs < durationNs)
        {
            if (nowNs - gatheredNs >= gatherNs)
            {
                final long first = next;
                final long end = Math.min(count, first + burst);
                long plannedNs = startNs + (long)(next * intervalNs);
                while (next < end && plannedNs <= nowNs && sender.send(next, plannedNs))
                {
                    next++;
                    plannedNs = startNs + (long)(next * intervalNs);
                }
                if (next != first)
                {
                    flush.run();
                }
                // After a full burst more messages are due.
                gatheredNs = next - first < burst ? nowNs : gatheredNs;
            }
            if (next < count)
            {
                nowNs = dutyCycle.getAsLong();
            }
        }
        return Math.max(1, System.nanoTime() - startNs);
    }
}
