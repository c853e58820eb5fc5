package io.escapement.perf.report;

/**
 * A group of series, drawn as percentile curves and over time.
 *
 * @param title      of the axis of values.
 * @param unit       of the values shown.
 * @param scale      nanoseconds, or whatever is recorded, in such a unit.
 * @param isOverTime whether each interval holds one value, so that the chart is drawn over time only.
 */
public record Chart(String title, String unit, double scale, boolean isOverTime)
{
    /** Latency from the planned time. */
    public static final Chart LATENCY = new Chart("latency from the planned send", "us", 1_000);

    /** Throughput over blocks of messages. */
    public static final Chart BLOCKS = new Chart("time for 1024 messages", "us", 1_000);

    /** Of intervals with many values each. */
    public Chart(final String title, final String unit, final double scale)
    {
        this(title, unit, scale, false);
    }

    /** Of intervals with one value each. */
    public static Chart overTime(final String title, final String unit, final double scale)
    {
        return new Chart(title, unit, scale, true);
    }
}
