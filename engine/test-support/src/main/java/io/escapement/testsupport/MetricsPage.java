package io.escapement.testsupport;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a page of metrics in Prometheus' text format, and refuses a page that Prometheus' linter refuses. Such a page
 * has a metric without HELP or TYPE, a name in another case than snake case or without its unit, a counter without
 * {@code _total}, or a repeated series.
 */
public final class MetricsPage
{
    private static final String LABEL = "[a-z][a-z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
    private static final Pattern SERIES =
        Pattern.compile("([a-z0-9_]+)(\\{" + LABEL + "(?:," + LABEL + ")*})? (NaN|[-+0-9.E]+|[-+]?Infinity)");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    private static final Set<String> OTHER_UNITS = Set.of("ns", "nanoseconds", "us", "microseconds", "ms", "millis",
        "milliseconds", "minutes", "hours", "kb", "mb", "kilobytes", "megabytes", "percent");
    private static final Set<String> UNITS = Set.of("seconds", "bytes");

    private final Map<String, Double> valueBySeriesMap = new LinkedHashMap<>();
    private final Map<String, String> typeByNameMap = new LinkedHashMap<>();
    private final Map<String, String> helpByNameMap = new TreeMap<>();
    private String current = "";

    private MetricsPage()
    {
    }

    /**
     * Read a page.
     *
     * @param text of the page.
     * @return the page.
     * @throws AssertionError if a rule is broken.
     */
    public static MetricsPage parse(final String text)
    {
        final MetricsPage page = new MetricsPage();
        check(text.endsWith("\n"), "the last line has no end", text);
        text.lines().forEach(page::line);
        page.typeByNameMap.keySet().forEach((name) -> check(page.helpByNameMap.containsKey(name), "has no HELP", name));
        check(page.helpByNameMap.size() == page.typeByNameMap.size(), "HELP without TYPE",
            page.helpByNameMap.keySet().toString());
        return page;
    }

    /**
     * The value of a series.
     *
     * @param series name and labels, as on the page.
     */
    public double value(final String series)
    {
        final Double value = valueBySeriesMap.get(series);
        check(null != value, "is not on the page, which has " + valueBySeriesMap.keySet(), series);
        return value;
    }

    /** All series with their values. */
    public Map<String, Double> series()
    {
        return valueBySeriesMap;
    }

    /** The types of all metrics by name. */
    public Map<String, String> types()
    {
        return typeByNameMap;
    }

    /** The help texts of all metrics by name, in the order of their names. */
    public Map<String, String> helps()
    {
        return helpByNameMap;
    }

    private void line(final String line)
    {
        final String[] words = line.split(" ", 4);
        if (line.startsWith("# HELP "))
        {
            check(4 == words.length && !words[3].isBlank(), "has no text", line);
            check(null == helpByNameMap.putIfAbsent(words[2], words[3]), "there is a second HELP", line);
            current = words[2];
        }
        else if (line.startsWith("# TYPE "))
        {
            check(current.equals(words[2]), "HELP does not precede TYPE", line);
            check(null == typeByNameMap.putIfAbsent(words[2], words[3]), "there is a second TYPE", line);
            name(words[2], words[3]);
        }
        else
        {
            series(line);
        }
    }

    private void series(final String line)
    {
        final Matcher matcher = SERIES.matcher(line);
        check(matcher.matches(), "is no series", line);
        final String type = typeByNameMap.getOrDefault(current, "");
        final String part = matcher.group(1).startsWith(current) ? matcher.group(1).substring(current.length()) : "?";
        final boolean isPart = switch (type)
        {
            case "counter", "gauge" -> part.isEmpty();
            case "histogram" -> Set.of("_bucket", "_sum", "_count").contains(part);
            default -> false;
        };
        check(isPart, "is not of the metric " + current + " of type " + type, line);
        final String series = line.substring(0, line.lastIndexOf(' '));
        check(null == valueBySeriesMap.putIfAbsent(series, Double.valueOf(matcher.group(3))),
            "is there twice", series);
    }

    private static void name(final String name, final String type)
    {
        check(NAME.matcher(name).matches(), "is not in snake case", name);
        check("counter".equals(type) == name.endsWith("_total"), "a " + type + " with this name", name);
        final String[] words = (name.endsWith("_total") ? name.substring(0, name.length() - "_total".length()) : name)
            .split("_");
        for (int i = 0; i < words.length; i++)
        {
            check(!OTHER_UNITS.contains(words[i]), "is not in seconds or bytes", name);
            check(!UNITS.contains(words[i]) || words.length - 1 == i, "does not end in its unit", name);
        }
    }

    private static void check(final boolean isRight, final String rule, final String what)
    {
        if (!isRight)
        {
            throw new AssertionError(what + ": " + rule);
        }
    }
}
