package io.escapement.perf.report;

/**
 * A group of series, drawn as percentile curves and over time.
 *
 * @param title of the axis of values.
 * @param unit  of the values shown.
 * @param scale nanoseconds in such a unit.
 */
public record Chart(String title, String unit, double scale)
{
    /** Latency from the planned time. */
    public static final Chart LATENCY = new Chart("latency from the planned send", "us", 1_000);

    /** Throughput over blocks of messages. */
    public static final Chart BLOCKS = new Chart("time for 1024 messages", "us", 1_000);
}
