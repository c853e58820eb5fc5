package io.escapement.perf.report;

/**
 * What a group of series is drawn as: a percentile curve, and the values over time.
 *
 * @param title of the axis of values.
 * @param unit  of the values as they are shown.
 * @param scale nanoseconds in such a unit.
 */
public record Chart(String title, String unit, double scale)
{
    /** Latency from the planned time. */
    public static final Chart LATENCY = new Chart("latency from the planned send", "us", 1_000);
}
