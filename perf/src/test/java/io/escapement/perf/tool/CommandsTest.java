package io.escapement.perf.tool;

import io.escapement.perf.report.Environment;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs every command for a moment, so that none breaks unnoticed, and pins the fields of its JSON object. */
@Timeout(120)
class CommandsTest
{
    private static final List<String> PERCENTILES = List.of("p50Us", "p90Us", "p99Us", "p999Us", "maxUs");
    private static final List<String> OVERLOAD_ROW = List.of("load", "offeredPerSec", "offered", "accepted", "shed",
        "shedAfter", "shedByReason", "notOffered", "goodputPerSec", "goodputShare", "inTimeShare", "pingP99Ms",
        "pingP99MsAfter", "recoveredMs", "ladder");
    private static final List<String> RATIOS = List.of("p50", "p90");

    @TempDir
    private Path directory;

    @Test
    void shouldRunEcho() throws Exception
    {
        final ToolRun run = run("echo", "--warm-up-ms", "200", "--rate", "2000");
        final Map<String, Object> json = json(run, "bench", "rate", "idle", "pairs", "raw", "engine", "ratio", "null");
        assertEquals("echo", json.get("bench"));
        assertEquals(2000.0, json.get("rate"));
        assertEquals("busy", json.get("idle"));
        assertEquals(1.0, json.get("pairs"));
        assertNumbers(json.get("raw"), PERCENTILES);
        assertNumbers(json.get("engine"), PERCENTILES);
        assertNumbers(json.get("ratio"), RATIOS);
        assertNumbers(json.get("null"), RATIOS);
        assertReport(run, "raw", "engine", "null");
    }

    @Test
    void shouldRunIngress() throws Exception
    {
        final ToolRun run = run("ingress", "--warm-up-ms", "200");
        final List<String> keys = List.of("rawPerSec", "singlePerSec", "batchedPerSec", "ratioSingle", "ratioBatched");
        final Map<String, Object> json = json(run, "bench", keys);
        assertEquals("ingress", json.remove("bench"));
        assertNumbers(json, keys);
        assertReport(run, "raw", "single", "batched");
    }

    @Test
    void shouldRunRing() throws Exception
    {
        final ToolRun run = run("ring", "--warm-up-ms", "200");
        final List<String> keys = List.of("rawPerSec", "enginePerSec", "ratio");
        final Map<String, Object> json = json(run, "bench", keys);
        assertEquals("ring", json.remove("bench"));
        assertNumbers(json, keys);
        assertReport(run, "raw", "engine");
    }

    @Test
    void shouldRunTimers() throws Exception
    {
        final ToolRun run = run("timers", "--warm-up-ms", "30", "--outstanding", "10000");
        final Map<String, Object> json = json(run, "bench", "outstanding", "rows");
        assertEquals("timers", json.get("bench"));
        assertEquals(10000.0, json.get("outstanding"));
        assertRows(json, List.of("escapement", "agrona", "agronaWithMap", "netty", "jdk", "jobTimer"),
            List.of("setNs", "cancelNs", "fireNs", "bytesPerOp"));
        assertReport(run, "escapement-set", "netty-fire", "jobTimer-cancel");
    }

    @Test
    void shouldRunFrames() throws Exception
    {
        final ToolRun run = run("frames", "--warm-up-ms", "200", "--rooms", "16", "--hz", "50", "--work", "10");
        final Map<String, Object> json = json(run, "bench", "rooms", "hz", "rows");
        assertEquals("frames", json.get("bench"));
        assertEquals(16.0, json.get("rooms"));
        assertEquals(50.0, json.get("hz"));
        assertRows(json, List.of("escapement", "gameLoopThread"), List.of(
            "costNs", "latenessP50Us", "latenessP99Us", "latenessP999Us", "periodDriftPpm", "missed"));
        assertReport(run, "escapement", "gameLoopThread", "escapement-cost", "gameLoopThread-cost");
    }

    @Test
    void shouldRunPlayers() throws Exception
    {
        final ToolRun run = crowd("players");
        final Map<String, Object> json = json(run, "bench", "placement", "players", "hz", "pingP50Ms", "pingP99Ms",
            "pingP999Ms", "moveToStateP99Ms", "frameLatenessP99Ms", "frameGapP999Ms", "missedShare", "statesPerSec",
            "deliveredShare", "statesDropped", "lost", "allocatedBytesPerSec", "driverAllocatedBytesPerSec",
            "serverCpu", "botsCpu", "rssMb");
        assertEquals("players", json.remove("bench"));
        assertEquals("spread", json.remove("placement"));
        json.forEach((key, value) -> assertInstanceOf(Double.class, value, key));
        assertEquals(16.0, json.get("players"));
        assertEquals(50.0, json.get("hz"));
        assertEquals(0.0, json.get("lost"));
        assertEquals(0.0, json.get("statesDropped"));
        assertEquals(1.0, json.get("deliveredShare"));
        assertTrue(run.err.contains("warm-up, 200 ms"), run.err);
        final String table = String.join("\n", run.out);
        assertTrue(table.contains("compilers: at work for "), table);
        assertEquals(Environment.stolenMs().isPresent(), table.contains("the hypervisor took "), table);
        assertReport(run, "ping", "moveToState", "frameGap", "frameLateness");
    }

    @Test
    void shouldRunCapacity() throws Exception
    {
        final ToolRun run = crowd("capacity", "--placement", "aligned", "--runs", "1", "--steps", "2");
        final Map<String, Object> json = json(run, "bench", "placement", "players", "runs", "limit", "pingP99Ms",
            "seats", "hz", "sends", "mtu", "stepMs");
        assertEquals("capacity", json.get("bench"));
        assertEquals("aligned", json.get("placement"));
        assertEquals(List.of(json.get("players")), json.get("runs"));
        assertEquals(500.0, json.get("stepMs"));
        if (0 == run.exitCode)
        {
            assertReport(run, "run-1");
        }
    }

    @Test
    void shouldRunOverload() throws Exception
    {
        final ToolRun run = crowd("overload", "--capacity", "16");
        final Map<String, Object> json =
            json(run, "bench", "placement", "capacityPlayers", "capacityMovesPerSec", "admit", "rows");
        assertEquals("overload", json.get("bench"));
        assertEquals(16.0, json.get("capacityPlayers"));
        assertEquals(320.0, json.get("capacityMovesPerSec"));
        final List<Object> loads = new ArrayList<>();
        for (final Object row : assertInstanceOf(List.class, json.get("rows")))
        {
            final Map<?, ?> members = assertInstanceOf(Map.class, row);
            assertEquals(OVERLOAD_ROW, List.copyOf(members.keySet()));
            loads.add(members.get("load"));
            double shed = 0;
            for (final Object count : assertInstanceOf(Map.class, members.get("shedByReason")).values())
            {
                shed += assertInstanceOf(Double.class, count);
            }
            assertEquals((double)members.get("offered"), (double)members.get("accepted") + (double)members.get("shed"));
            assertEquals(shed, (double)members.get("shed") + (double)members.get("shedAfter"));
        }
        assertEquals(List.of(1.0, 2.0, 5.0, 10.0), loads);
        assertReport(run, "load-1", "load-10", "after-load-1");
    }

    @TestFactory
    List<DynamicTest> shouldShowUsageForUnknownOptions()
    {
        final List<DynamicTest> tests = new ArrayList<>();
        for (final String command : Perf.commandLine().getSubcommands().keySet())
        {
            tests.add(DynamicTest.dynamicTest(command, () ->
            {
                final ToolRun run = ToolRun.of(Perf.commandLine(), null, command, "--no-such-option");
                assertEquals(CommandLine.ExitCode.USAGE, run.exitCode, run.toString());
                assertTrue(run.err.contains("--no-such-option"), run.toString());
                assertTrue(run.err.contains("Usage: perf " + command), run.toString());
                assertEquals(List.of(), run.out);
            }));
        }
        assertTrue(tests.size() >= 8, "commands: " + tests.size());
        return tests;
    }

    /** Run with few players. */
    private ToolRun crowd(final String command, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of(command, "--seconds", "1", "--warm-up", "200",
            "--rooms", "4", "--seats", "4", "--trunks", "2", "--hz", "50", "--sends", "20", "--state", "80"));
        arguments.addAll(List.of(options));
        final ToolRun run =
            ToolRun.of(Perf.commandLine(), directory.resolve(command), arguments.toArray(new String[0]));
        assertTrue(run.err.contains("[perf " + command + "]"), "no progress: " + run);
        return run;
    }

    private ToolRun run(final String command, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of(command, "--pairs", "1", "--seconds", "1"));
        arguments.addAll(List.of(options));
        final ToolRun run =
            ToolRun.of(Perf.commandLine(), directory.resolve(command), arguments.toArray(new String[0]));
        assertTrue(run.err.contains("[perf " + command + "]"), "no progress: " + run);
        return run;
    }

    private static Map<String, Object> json(final ToolRun run, final String first, final List<String> others)
    {
        final List<String> keys = new ArrayList<>(List.of(first));
        keys.addAll(others);
        return json(run, keys.toArray(new String[0]));
    }

    /** On a busy host a run may miss its rate, but it must not lose anything. */
    private static Map<String, Object> json(final ToolRun run, final String... keys)
    {
        final Map<String, Object> json = run.json();
        assertEquals(json, JsonText.object(run.file("result.json").strip()));
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
        assertEquals(List.of(keys), List.copyOf(json.keySet()));
        return json;
    }

    private static void assertNumbers(final Object object, final List<String> keys)
    {
        final Map<?, ?> members = assertInstanceOf(Map.class, object);
        assertEquals(keys, List.copyOf(members.keySet()));
        members.forEach((key, value) -> assertInstanceOf(Double.class, value, String.valueOf(key)));
    }

    private static void assertRows(
        final Map<String, Object> json, final List<String> names, final List<String> keys)
    {
        final List<String> found = new ArrayList<>();
        for (final Object row : assertInstanceOf(List.class, json.get("rows")))
        {
            final Map<?, ?> members = assertInstanceOf(Map.class, row);
            found.add(String.valueOf(members.remove("name")));
            assertNumbers(members, keys);
        }
        assertEquals(names, found);
    }

    private static void assertReport(final ToolRun run, final String... series) throws Exception
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
        assertTrue(run.file("options.txt").contains("--seconds: 1"));
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
