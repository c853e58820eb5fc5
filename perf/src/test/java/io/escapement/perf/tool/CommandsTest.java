package io.escapement.perf.tool;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import static io.escapement.perf.tool.CommandResult.assertConditions;
import static io.escapement.perf.tool.CommandResult.assertMembers;
import static io.escapement.perf.tool.CommandResult.assertNumbers;
import static io.escapement.perf.tool.CommandResult.assertReport;
import static io.escapement.perf.tool.CommandResult.assertRows;
import static io.escapement.perf.tool.CommandResult.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs every command for a moment, so that none breaks unnoticed, and pins the fields of its JSON object. */
@RealTime("perf's commands, each for a moment")
class CommandsTest
{
    private static final List<String> PERCENTILES = List.of("p50Us", "p90Us", "p99Us", "p999Us", "maxUs");
    private static final List<String> RATIOS = List.of(
        "p50", "p50Least", "p50Most", "p90", "p90Least", "p90Most", "p99", "p99Least", "p99Most");
    private static final List<String> LOOP = List.of("ringWaitP50Us", "ringWaitP99Us", "commitWaitP50Us",
        "commitWaitP99Us", "messagesPerTurn", "bytesPerTurn");

    @TempDir
    private Path directory;

    /** Shared memory is in the full run only, and in CrowdCommandsTest. */
    static List<String> channels()
    {
        return Tests.isFull() ? List.of("udp", "ipc") : List.of("udp");
    }

    @ParameterizedTest
    @MethodSource("channels")
    void shouldRunEcho(final String channel) throws Exception
    {
        final ToolRun run = run("echo", "--warm-up-ms", "200", "--rate", "2000", "--channel", channel);
        final Map<String, Object> json = json(
            run, "bench", "channel", "rate", "idle", "pairs", "durability", "raw", "engine", "loop", "ratio", "null");
        assertEquals("echo", json.get("bench"));
        assertConditions(channel, "busy", run, json);
        assertEquals(2000.0, json.get("rate"));
        assertEquals(1.0, json.get("pairs"));
        assertMembers(json.get("raw"), PERCENTILES);
        assertMembers(json.get("engine"), PERCENTILES);
        assertEquals("memory", json.get("durability"));
        assertNumbers(json.get("loop"), LOOP);
        assertMembers(json.get("ratio"), RATIOS);
        assertMembers(json.get("null"), RATIOS);
        assertReport(run, "raw", "engine", "null");
    }

    /** Each is five pairs of processes. */
    static List<String> durabilities()
    {
        return Tests.isFull() ? List.of("recorded", "synced", "cluster") : List.of("recorded");
    }

    @ParameterizedTest
    @MethodSource("durabilities")
    void shouldRunEchoWithDurability(final String durability) throws Exception
    {
        final ToolRun run = run("echo", "--warm-up-ms", "200", "--rate", "500", "--durability", durability,
            "--journal", directory.toString());
        final Map<String, Object> json = json(run, "bench", "channel", "rate", "idle", "pairs", "durability", "raw",
            "engine", "loop", "ratio", "memory", "memoryLoop", "memoryRatio", "memoryNull", "peer", "peerRatio");
        assertEquals(durability, json.get("durability"));
        assertConditions("udp", "cluster".equals(durability) ? "park" : "busy", run, json);
        assertMembers(json.get("memory"), PERCENTILES);
        assertNumbers(json.get("loop"), LOOP);
        assertNumbers(json.get("memoryLoop"), LOOP);
        for (final String ratio : List.of("ratio", "memoryRatio", "memoryNull", "peerRatio"))
        {
            assertMembers(json.get(ratio), RATIOS);
        }
        final String peer = "cluster".equals(durability) ? "aeron-cluster" : "archive";
        assertEquals(peer, ((Map<?, ?>)json.get("peer")).get("name"));
        // A journal at RECORDED commits at once.
        final double commitWaitUs = (double)((Map<?, ?>)json.get("loop")).get("commitWaitP50Us");
        assertEquals(!"recorded".equals(durability), commitWaitUs > 0, "commit wait: " + commitWaitUs);
        assertEquals(0.0, ((Map<?, ?>)json.get("memoryLoop")).get("commitWaitP99Us"));
        assertReport(run, "raw", "memory", "engine", peer, "memory-null", "ringWait", "commitWait");
        try (Stream<Path> left = Files.list(directory))
        {
            assertEquals(List.of(directory.resolve("echo")), left.toList(), "journals are left");
        }
    }

    @ParameterizedTest
    @MethodSource("channels")
    void shouldRunIngress(final String channel) throws Exception
    {
        final ToolRun run = run("ingress", "--warm-up-ms", "200", "--seconds", "2", "--channel", channel);
        final List<String> keys = List.of("rawPerSec", "singlePerSec", "batchedPerSec", "ratioSingle",
            "ratioSingleLeast", "ratioSingleMost", "ratioBatched", "ratioBatchedLeast", "ratioBatchedMost");
        final List<String> all = new ArrayList<>(List.of("channel", "idle", "durability"));
        all.addAll(keys);
        final Map<String, Object> json = json(run, "bench", all);
        assertEquals("ingress", json.remove("bench"));
        assertConditions(channel, "busy", run, json);
        json.remove("channel");
        json.remove("idle");
        assertEquals("memory", json.remove("durability"));
        assertMembers(json, keys);
        assertReport(run, "raw", "single", "batched");
    }

    @Test
    void shouldRunRing() throws Exception
    {
        final ToolRun run = run("ring", "--warm-up-ms", "200");
        final List<String> keys = List.of("rawPerSec", "enginePerSec", "ratio", "ratioLeast", "ratioMost");
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
            List.of("setNs", "cancelNs", "fireNs", "bytesPerOp", "setRatio", "setRatioLeast", "setRatioMost",
                "cancelRatio", "cancelRatioLeast", "cancelRatioMost", "fireRatio", "fireRatioLeast", "fireRatioMost"));
        assertReport(run, "escapement-set", "netty-fire", "jobTimer-cancel");
    }

    @Test
    void shouldRunFrames() throws Exception
    {
        // 1,250 frames each, so that every percentile is known.
        final ToolRun run = run("frames", "--warm-up-ms", "200", "--rooms", "16", "--hz", "1000", "--work", "10",
            "--seconds", "5");
        final Map<String, Object> json = json(
            run, "bench", "rooms", "hz", "rows", "gameLoopThread", "gameLoopThread1500B", "null");
        assertEquals("frames", json.get("bench"));
        assertEquals(16.0, json.get("rooms"));
        assertEquals(1000.0, json.get("hz"));
        assertRows(json, List.of("escapement", "gameLoopThread", "gameLoopThread1500B", "escapement-null"), List.of(
            "costNs", "latenessP50Us", "latenessP99Us", "latenessP999Us", "latenessMaxUs", "periodDriftPpm", "missed"));
        for (final String other : List.of("gameLoopThread", "gameLoopThread1500B", "null"))
        {
            assertMembers(json.get(other),
                List.of("cost", "costLeast", "costMost", "latenessP99", "latenessP99Least", "latenessP99Most"));
        }
        assertReport(run, "escapement", "gameLoopThread", "gameLoopThread1500B", "escapement-null", "escapement-cost",
            "gameLoopThread1500B-cost");
    }

    @Test
    void shouldRunReplay() throws Exception
    {
        final ToolRun run = ToolRun.of(Perf.commandLine(), directory.resolve("replay"), "replay", "--pairs", "1",
            "--seconds", "1", "--warm-up-ms", "200", "--warm-up-limit-ms", "200", "--rooms", "16", "--loops", "3",
            "--log-seconds", "1",
            "--journal", directory.toString());
        run.assertSound();
        final Map<String, Object> json = json(run, "bench", "players", "loops", "hz", "logSeconds", "runs", "realTime",
            "firstRealTime", "commandsPerSec");
        assertEquals("replay", json.remove("bench"));
        json.forEach((key, value) -> assertTrue((double)value > 0, key + ": " + value));
        assertEquals(256.0, json.get("players"));
        // 256 players send 10 moves a second, in a log of one second.
        assertEquals(2_560, (double)json.get("commandsPerSec") / (double)json.get("realTime"), 1);
        assertReport(run, "replay");
        try (Stream<Path> left = Files.list(directory))
        {
            assertEquals(List.of(directory.resolve("replay")), left.toList(), "the journal is left");
        }
    }

    @Test
    void shouldHaveDefaultsThatDifferByCommand()
    {
        final List<String> defaults = new ArrayList<>();
        Perf.commandLine().getSubcommands().forEach((name, command) -> defaults.add(name + " " +
            command.getCommandSpec().findOption("--seconds").defaultValueString() + " s, " +
            command.getCommandSpec().findOption("--warm-up-ms").defaultValueString() + " ms"));
        assertEquals(List.of("echo 30 s, 8000 ms", "ingress 30 s, 6000 ms", "ring 30 s, 3000 ms",
            "timers 30 s, 3000 ms", "frames 60 s, 8000 ms", "players 60 s, 15000 ms", "capacity 720 s, 15000 ms",
            "overload 30 s, 15000 ms", "replay 12 s, 4000 ms"), defaults);
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

    private ToolRun run(final String command, final String... options)
    {
        final List<String> arguments =
            new ArrayList<>(List.of(command, "--pairs", "1", "--warm-up-limit-ms", "200"));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--seconds"))
        {
            arguments.addAll(List.of("--seconds", "1"));
        }
        final ToolRun run =
            ToolRun.of(Perf.commandLine(), directory.resolve(command), arguments.toArray(new String[0]));
        assertTrue(run.err.contains("[perf " + command + "]"), "no progress: " + run);
        return run;
    }
}
