package io.escapement.perf.tool;

import io.escapement.testsupport.JsonReader;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks on the output and the report of a command. */
final class CommandResult
{
    private static final List<String> WHOSE_TIME =
        List.of("processes", "othersCores", "stolenCores", "remarks", "run");
    private static final List<String> PROCESS = List.of(
        "name", "cores", "waitedCores", "compiledMs", "hiccupP99Ms", "hiccupMaxMs", "coresOverTime");

    private CommandResult()
    {
    }

    static Map<String, Object> json(final ToolRun run, final String first, final List<String> others)
    {
        final List<String> keys = new ArrayList<>(List.of(first));
        keys.addAll(others);
        return json(run, keys.toArray(new String[0]));
    }

    /** On a busy host a run may miss its rate, but it must not lose anything. */
    static Map<String, Object> json(final ToolRun run, final String... keys)
    {
        final Map<String, Object> json = run.json();
        assertEquals(json, JsonReader.parse(run.file("result.json")));
        if (0 != run.exitCode)
        {
            assertEquals(1, run.exitCode, run.toString());
            for (final Object fault : assertInstanceOf(List.class, json.remove("faults"), run.toString()))
            {
                assertTrue(fault.toString().contains("missed its rate") ||
                    fault.toString().contains("did not hold (ping)") ||
                    fault.toString().contains("did not hold (missed)"), run.toString());
            }
            assertEquals("FAILED", json.remove("status"));
        }
        final Map<?, ?> environment = assertInstanceOf(Map.class, json.remove("environment"));
        for (final String key : List.of("version", "commit", "command line", "cpu family", "cpu model", "kernel"))
        {
            assertInstanceOf(String.class, environment.get(key), key);
        }
        for (final Object time : assertInstanceOf(List.class, json.remove("whoseTime")))
        {
            final Map<?, ?> members = assertInstanceOf(Map.class, time);
            assertEquals(WHOSE_TIME, List.copyOf(members.keySet()));
            for (final Object process : assertInstanceOf(List.class, members.get("processes")))
            {
                assertEquals(PROCESS, List.copyOf(((Map<?, ?>)process).keySet()));
            }
        }
        assertEquals(List.of(keys), List.copyOf(json.keySet()));
        return json;
    }

    /** The first line and the JSON object name them. */
    static void assertConditions(
        final String channel, final String idle, final ToolRun run, final Map<String, Object> json)
    {
        assertEquals(channel, json.get("channel"));
        assertEquals(idle, json.get("idle"));
        final List<String> words = List.of(run.out.get(0).split("[,;] "));
        assertTrue(words.contains(channel) && words.contains(idle), run.out.get(0));
    }

    static void assertNumbers(final Object object, final List<String> keys)
    {
        assertMembers(object, keys);
        assertFalse(((Map<?, ?>)object).containsValue(null), object.toString());
    }

    /** Numbers of which some may be missing: ratios of runs that are not warm, percentiles beyond the values. */
    static void assertMembers(final Object object, final List<String> keys)
    {
        final Map<?, ?> members = assertInstanceOf(Map.class, object);
        assertEquals(keys, List.copyOf(members.keySet()));
        members.forEach((key, value) -> assertTrue(null == value || value instanceof Double, key + ": " + value));
    }

    static void assertRows(
        final Map<String, Object> json, final List<String> names, final List<String> keys)
    {
        final List<String> found = new ArrayList<>();
        for (final Object row : assertInstanceOf(List.class, json.get("rows")))
        {
            final Map<?, ?> members = assertInstanceOf(Map.class, row);
            found.add(String.valueOf(members.remove("name")));
            assertMembers(members, keys);
        }
        assertEquals(names, found);
    }

    static void assertReport(final ToolRun run, final String... series) throws Exception
    {
        for (final String name : series)
        {
            assertTrue(run.file(name + ".hdr").contains("TotalCount"), name);
            final File log = run.report.resolve(name + ".hlog").toFile();
            try (HistogramLogReader reader = new HistogramLogReader(log))
            {
                final EncodableHistogram interval = reader.nextIntervalHistogram();
                assertNotNull(interval, name + ".hlog has no interval");
                assertTrue(interval.getEndTimeStamp() > interval.getStartTimeStamp() ||
                    name.contains("-"), name + ".hlog has no time");
            }
        }
        final String environment = run.file("environment.txt");
        for (final String line : List.of("jdk: ", "flags: ", "cores: ", "kernel: ", "cpu: ", "governor: ",
            "aeron: 1.", "disruptor: 4.", "agrona: 2."))
        {
            assertTrue(environment.contains(line), line + " is not in\n" + environment);
        }
        assertTrue(run.file("options.txt").contains("--seconds: "));
        final String page = run.file("index.html");
        assertTrue(page.contains("<table>"), "the page has no table");
        assertTrue(page.split("<svg ").length > 2, "a percentile curve and values over time were to be drawn");
        assertTrue(!page.contains(" src=") && !page.contains("<link"), "the page needs another file");
        try (var files = Files.list(run.report))
        {
            assertTrue(files.count() >= 4 + 2 * series.length);
        }
    }
}
