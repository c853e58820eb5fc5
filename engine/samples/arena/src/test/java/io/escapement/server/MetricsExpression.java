package io.escapement.server;

import io.escapement.testsupport.MetricsPage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An expression of Prometheus, as dashboards and alerts have it: what it reads, its labels and its unit. */
final class MetricsExpression
{
    private static final Pattern GROUPING =
        Pattern.compile("\\b(sum|max|min|avg|count)( by \\(([a-z_, ]+)\\))? *(?=\\()");
    private static final Pattern NAME =
        Pattern.compile("([a-z_][a-z0-9_]*)(?:(\\()|(\\{[^}]*})?(\\[(?:\\d+[smh]|\\$__rate_interval)])?)");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(?:=|!=|=~|!~)\"");
    private static final Pattern SERIES_LABEL = Pattern.compile("([a-z_]+)=\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Set<String> FUNCTIONS = Set.of("rate", "increase", "histogram_quantile");
    /** Prometheus adds them to all series. */
    private static final Set<String> OF_TARGET = Set.of("instance", "job");

    private final String unit;
    private final Set<String> labels;

    private MetricsExpression(final String unit, final Set<String> labels)
    {
        this.unit = unit;
        this.labels = labels;
    }

    /** The labels of the series on pages by their names. */
    static Map<String, Set<String>> labels(final MetricsPage... pages)
    {
        final Map<String, Set<String>> labelsByNameMap = new HashMap<>();
        labelsByNameMap.put("up", new HashSet<>());
        for (final MetricsPage page : pages)
        {
            for (final String series : page.series().keySet())
            {
                final Set<String> labels =
                    labelsByNameMap.computeIfAbsent(series.replaceAll("\\{.*", ""), (name) -> new HashSet<>());
                SERIES_LABEL.matcher(series).results().forEach((label) -> labels.add(label.group(1)));
            }
        }
        labelsByNameMap.values().forEach((labels) -> labels.addAll(OF_TARGET));
        return labelsByNameMap;
    }

    /**
     * Read an expression.
     *
     * @param labelsByNameMap what it can read.
     * @throws AssertionError if it reads something else, or a counter without its rate.
     */
    static MetricsExpression parse(final String text, final Map<String, Set<String>> labelsByNameMap)
    {
        Set<String> result = null;
        final Set<String> grouping = new TreeSet<>();
        final Matcher groups = GROUPING.matcher(text);
        while (groups.find())
        {
            result = grouping;
            grouping.addAll(Arrays.asList((null == groups.group(3) ? "" : groups.group(3)).split(", *")));
        }
        grouping.remove("");
        String unit = null;
        final Matcher names = NAME.matcher(GROUPING.matcher(text).replaceAll(" "));
        while (names.find())
        {
            final String name = names.group(1);
            if (null != names.group(2))
            {
                check(FUNCTIONS.contains(name), "is no function of this test", name, text);
                continue;
            }
            final Set<String> labels = labelsByNameMap.get(name);
            check(null != labels, "is no metric", name, text);
            final Matcher matchers = MATCHER.matcher(null == names.group(3) ? "" : names.group(3));
            while (matchers.find())
            {
                check(labels.contains(matchers.group(1)), "is no label of " + name, matchers.group(1), text);
            }
            grouping.forEach((label) -> check(labels.contains(label), "is no label of " + name, label, text));
            final boolean isRate = null != names.group(4);
            check(isRate == name.matches(".*_(total|bucket)"), "is read over an interval or not", name, text);
            check(null == unit || text.contains(" / "), "is a second metric", name, text);
            unit = null == unit ? unit(name) : ratio(unit, unit(name), text);
            if (null == result || result != grouping)
            {
                result = null == result ? new TreeSet<>(labels) : result;
                result.retainAll(labels);
            }
        }
        check(null != unit, "has no metric", text, text);
        return new MetricsExpression(unit, result);
    }

    /** In Grafana's words. */
    String unit()
    {
        return unit;
    }

    /** Of its series. */
    Set<String> labels()
    {
        return labels;
    }

    private static String unit(final String name)
    {
        if (name.endsWith("_total"))
        {
            return name.endsWith("_seconds_total") ? "percentunit" : name.endsWith("_bytes_total") ? "Bps" : "cps";
        }
        return name.matches(".*_seconds(_bucket)?") ? "s" : name.endsWith("_bytes") ? "bytes" : "short";
    }

    /** Seconds at work per count. */
    private static String ratio(final String of, final String by, final String text)
    {
        check("percentunit".equals(of) && "cps".equals(by), "have no unit together", of + " and " + by, text);
        return "s";
    }

    private static void check(final boolean isRight, final String rule, final String what, final String text)
    {
        if (!isRight)
        {
            throw new AssertionError(what + ": " + rule + ": " + text);
        }
    }
}
