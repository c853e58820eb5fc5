package io.escapement.engine.monitor;

/**
 * Type ids of the engine's counters in Aeron's counters file. They and the counters' labels are stable: a monitoring
 * tool may select counters by them. Between {@link #EDGE_CODES} and {@link #MONITOR} lie the counters of
 * {@code io.escapement.driver.guard.GuardCounter}.
 */
public final class CounterTypes
{
    /** First counter of a loop. */
    public static final int LOOP = 70_000;

    /** Commands that a loop refused: this plus the refusal code. */
    public static final int LOOP_CODES = 70_100;

    /** First counter of the edge. */
    public static final int EDGE = 71_000;

    /** Entries that the edge refused: this plus the refusal code or trunk code. */
    public static final int EDGE_CODES = 71_100;

    /** First counter of the monitor. */
    public static final int MONITOR = 73_000;

    /** First counter of a service. */
    public static final int SERVICE = 73_100;

    /** First counter of a log that several nodes keep. */
    public static final int LOG = 73_500;

    /** First counter of the application. */
    public static final int APPLICATION = 74_000;

    /** Upper bound of all type ids, exclusive. */
    public static final int LIMIT = 75_000;

    private CounterTypes()
    {
    }

    /** Whether a counter belongs to an engine or its media driver's guard. */
    public static boolean includes(final int typeId)
    {
        return typeId >= LOOP && typeId < LIMIT;
    }
}
