package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.CounterTypes;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metric of a counter. A counter has a label for people, such as {@code escapement loop 0: nanoseconds at work},
 * and the metric follows from it: {@code escapement_loop_work_seconds_total{loop="0"}} with the help text "Seconds at
 * work.".
 *
 * @param name   of the metric.
 * @param help   of the metric.
 * @param labels of the counter's series by name.
 * @param scale  of the metric's unit: the counter's value is divided by it.
 */
record EngineMetric(String name, String help, Map<String, String> labels, double scale)
{
    static final double NS_A_SECOND = 1e9;

    private static final String PREFIX = "escapement ";
    private static final String REFUSED = "refused ";
    private static final String NANOSECONDS = "nanoseconds ";
    private static final String BYTES = "bytes ";
    private static final Pattern MEMBER = Pattern.compile(" member (\\d+)");

    static EngineMetric of(final int typeId, final String label, final boolean isGauge)
    {
        // The name of a service may contain a colon, and so may the name of an application's counter.
        final int colon = label.startsWith(PREFIX + "service ") ? label.lastIndexOf(": ") : label.indexOf(": ");
        final String[] owner = label.substring(PREFIX.length(), colon).split(" ", 2);
        final String what = label.substring(colon + 2);
        final Map<String, String> labels = new TreeMap<>();
        if (owner.length > 1)
        {
            labels.put(owner[0], owner[1]);
        }
        final String prefix = "escapement_" + owner[0] + "_";
        if (typeId >= CounterTypes.APPLICATION)
        {
            labels.put("counter", what);
            return new EngineMetric(prefix + "room_counts_total", "Counts of rooms, by the name of the counter.",
                labels, 1);
        }
        if (what.startsWith(REFUSED))
        {
            labels.put("code", what.substring(REFUSED.length()));
            return new EngineMetric(prefix + "refusals_total", "Refusals by code.", labels, 1);
        }
        final Matcher member = MEMBER.matcher(what);
        if (member.find())
        {
            labels.put("member", member.group(1));
            return of(prefix, member.replaceFirst(" member"), isGauge, labels);
        }
        return of(prefix, what, isGauge, labels);
    }

    private static EngineMetric of(
        final String prefix, final String what, final boolean isGauge, final Map<String, String> labels)
    {
        final boolean isTime = what.startsWith(NANOSECONDS);
        final boolean isSize = what.startsWith(BYTES);
        final String words = isTime || isSize ?
            what.substring(what.indexOf(' ') + 1).replaceFirst("^(at|in|of|that) ", "").replaceAll("\\bthe ", "") :
            what;
        final String unit = isTime ? "_seconds" : isSize ? "_bytes" : "";
        // A log that is not ours chooses its labels.
        final String name = prefix + words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_")
            .replaceAll("^_|(_|_total)+$", "") + unit;
        final String help = isTime ? what.replaceFirst("nano", "") : what;
        return new EngineMetric(isGauge ? name : name + "_total",
            help.substring(0, 1).toUpperCase(Locale.ROOT) + help.substring(1) + ".", labels, isTime ? NS_A_SECOND : 1);
    }
}
