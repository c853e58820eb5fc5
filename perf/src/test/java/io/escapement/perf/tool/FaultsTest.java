package io.escapement.perf.tool;

import io.escapement.perf.loop.FramesPlan;
import io.escapement.perf.loopback.Echo;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rooms.TimersPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs with faults, simulated in place of their processes. */
@Timeout(60)
class FaultsTest
{
    @TempDir
    private Path directory;

    private int reports;

    @Test
    void shouldMarkEcho()
    {
        assertSound(echo((f) -> f));
        assertMarked(echo((f) -> f.put(Echo.RECEIVED, 999)), "1 of 1000 messages were lost");
        assertMarked(echo((f) -> f.put(Echo.ORDER_FAULTS, 3)), "3 messages came back changed");
        assertMarked(echo((f) -> f.put(Echo.CHECKSUM_DIFFERENCE, 1)), "checksum");
        assertMarked(echo((f) -> f.put(Echo.RATE_PERMILLE, 980)), "missed its rate");
    }

    @Test
    void shouldMarkIngress()
    {
        assertSound(ingress((f) -> f));
        assertMarked(ingress((f) -> f.put(MessageCounter.SENT, 5_001)), "1 of 5001 messages were lost");
        assertMarked(ingress((f) -> f.put(MessageCounter.SENT_SUM, 7)), "checksum");
        assertMarked(ingress((f) -> f.put(MessageCounter.TOOK_NS, 0)), "too short");
    }

    @Test
    void shouldMarkRing()
    {
        assertSound(ring((f) -> f));
        assertMarked(ring((f) -> f.put(MessageCounter.SENT, 5_002)), "2 of 5002 messages were lost");
        assertMarked(ring((f) -> f.put(MessageCounter.SENT_SUM, 7)), "checksum");
    }

    @Test
    void shouldMarkFrames()
    {
        assertSound(frames((f) -> f));
        assertMarked(frames((f) -> f.put(FramesPlan.CHECKSUM_DIFFERENCE, 4)), "rooms counted 4 frames more");
        assertMarked(frames((f) -> f.put(FramesPlan.MISSED, 11)), "missed its rate, 11 of 1000");
    }

    @Test
    void shouldMarkTimers()
    {
        assertSound(timers((f) -> f));
        assertMarked(timers((f) -> f.put(TimersPlan.key("netty", "fire", 0, "lost"), 5)), "netty: 5 timers");
    }

    @Test
    void shouldReportARunWhoseProcessExits()
    {
        final ToolRun run = echo((f) ->
        {
            throw new IllegalStateException("echo client ended without RESULTS");
        });
        assertEquals(1, run.exitCode, run.toString());
        assertEquals("FAILED", run.json().get("status"));
        assertEquals(null, ((Map<?, ?>)run.json().get("engine")).get("p50Us"));
        assertTrue(run.file("index.html").contains("ended without RESULTS"), "the page does not say why");
    }

    @Test
    void shouldMeasureNoLongerThanRequested()
    {
        final List<Integer> measured = new ArrayList<>();
        final EchoCommand command = new EchoCommand((options) ->
        {
            measured.add(options.measureMs);
            return soundEcho();
        });
        final ToolRun run =
            ToolRun.of(new CommandLine(command), directory.resolve("time"), "--seconds", "7", "--pairs", "5");
        assertEquals(0, run.exitCode, run.toString());
        assertEquals(15, measured.size());
        final int total = measured.stream().mapToInt(Integer::intValue).sum();
        assertTrue(total <= 7_000 && total > 6_900, "measured for " + total + " ms");
    }

    @Test
    void shouldRefuseInOneLineWhatTheHostCannotRun()
    {
        for (final String mode : List.of("shared", "dedicated"))
        {
            final EchoCommand command = new EchoCommand((options) -> soundEcho());
            command.cores(2);
            final ToolRun run = ToolRun.of(new CommandLine(command), null, "--mode", mode, "--idle", "busy");
            assertEquals(2, run.exitCode, run.toString());
            assertEquals(1, run.err.lines().count(), run.err);
            assertTrue(run.err.contains("--mode " + mode + " --idle busy"), run.err);
            assertEquals(List.of(), run.out);
        }
        final FramesCommand frames = new FramesCommand((options) -> soundFrames());
        final ToolRun run = ToolRun.of(new CommandLine(frames), null, "--rooms", "1000", "--work", "20", "--hz", "60");
        assertEquals(2, run.exitCode, run.toString());
        assertEquals(1, run.err.lines().count(), run.err);
    }

    @Test
    void shouldRefuseInvalidValues()
    {
        for (final String[] option : new String[][]{
            {"--mode", "duet"}, {"--idle", "nap"}, {"--transport", "pigeon"}, {"--rate", "0"}, {"--size", "15"},
            {"--pairs", "0"}, {"--seconds", "-1"}})
        {
            final ToolRun run =
                ToolRun.of(new CommandLine(new EchoCommand((options) -> soundEcho())), null, option);
            assertEquals(CommandLine.ExitCode.USAGE, run.exitCode, run.toString());
            assertTrue(run.err.contains(option[0]) && run.err.contains("Usage:"), run.err);
        }
    }

    private ToolRun echo(final UnaryOperator<Measurements> fault)
    {
        return run(new EchoCommand((options) -> "engine".equals(options.subject) ?
            fault.apply(soundEcho()) : soundEcho()));
    }

    private ToolRun ingress(final UnaryOperator<Measurements> fault)
    {
        return run(new IngressCommand((options) ->
        {
            final Measurements run =
                soundBlocks().put(MessageCounter.SENT, 5_000).put(MessageCounter.SENT_SUM, 77);
            return "single".equals(options.subject) ? fault.apply(run) : run;
        }));
    }

    private ToolRun ring(final UnaryOperator<Measurements> fault)
    {
        return run(new RingCommand((options) ->
        {
            final Measurements run =
                soundBlocks().put(MessageCounter.SENT, 5_000).put(MessageCounter.SENT_SUM, 77);
            return "engine".equals(options.subject) ? fault.apply(run) : run;
        }));
    }

    private ToolRun frames(final UnaryOperator<Measurements> fault)
    {
        return run(new FramesCommand((options) -> "escapement".equals(options.subject) ?
            fault.apply(soundFrames()) : soundFrames()));
    }

    private ToolRun timers(final UnaryOperator<Measurements> fault)
    {
        return run(new TimersCommand((options, progress) ->
        {
            final Measurements findings = new Measurements();
            for (final String name : TimersPlan.KINDS)
            {
                for (final String operation : TimersPlan.OPERATIONS)
                {
                    findings.put(TimersPlan.key(name, operation, 0, "operations"), 10)
                        .put(TimersPlan.key(name, operation, 0, "ns"), 400)
                        .put(TimersPlan.key(name, operation, 0, "bytes"), 0)
                        .put(TimersPlan.key(name, operation, 0, "lost"), 0)
                        .add(TimersPlan.series(name, operation), interval());
                }
            }
            return fault.apply(findings);
        }));
    }

    private ToolRun run(final MeasureCommand<?> command)
    {
        command.cores(2);
        return ToolRun.of(new CommandLine(command), directory.resolve("report-" + reports++), "--pairs", "1");
    }

    private static Measurements soundEcho()
    {
        return new Measurements().put(Echo.SENT, 1_000).put(Echo.RECEIVED, 1_000).put(Echo.ORDER_FAULTS, 0)
            .put(Echo.CHECKSUM_DIFFERENCE, 0).put(Echo.RATE_PERMILLE, 1_000).put(Echo.COMPILED_MS, 2)
            .add(Echo.LATENCY, interval());
    }

    private static Measurements soundBlocks()
    {
        return new Measurements().put(MessageCounter.RECEIVED, 5_000).put(MessageCounter.RECEIVED_SUM, 77)
            .put(MessageCounter.COUNTED, 4_096).put(MessageCounter.TOOK_NS, 1_000_000)
            .add(MessageCounter.BLOCKS, interval());
    }

    private static Measurements soundFrames()
    {
        return new Measurements().put(FramesPlan.CHECKSUM_DIFFERENCE, 0)
            .put(FramesPlan.DUE, 1_000).put(FramesPlan.MISSED, 10).put(FramesPlan.DRIFT_PPB, -5)
            .put(FramesPlan.COMPILED_MS, 2).add(FramesPlan.LATENESS, interval()).add(FramesPlan.COST, interval());
    }

    private static Histogram interval()
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(5_000);
        histogram.recordValue(9_000);
        histogram.setStartTimeStamp(1_000);
        histogram.setEndTimeStamp(1_100);
        return histogram;
    }

    private static void assertSound(final ToolRun run)
    {
        assertEquals(0, run.exitCode, run.toString());
        assertFalse(run.toString().contains("FAILED"), run.toString());
        assertFalse(run.json().containsKey("status"), run.toString());
        assertFalse(run.file("index.html").contains("FAILED"), "a sound run is marked");
    }

    private static void assertMarked(final ToolRun run, final String reason)
    {
        assertEquals(1, run.exitCode, run.toString());
        assertEquals(1, run.out.stream().filter((line) -> line.endsWith("  FAILED")).count(), run.toString());
        assertTrue(run.out.stream().anyMatch((line) -> line.contains("FAILED: ") && line.contains(reason)),
            run.toString());
        assertEquals("FAILED", run.json().get("status"), run.toString());
        assertTrue(run.json().get("faults").toString().contains(reason), run.toString());
        assertTrue(run.file("result.json").contains("\"status\":\"FAILED\""), run.toString());
        final String page = run.file("index.html");
        assertTrue(page.contains("<td>FAILED</td>"), "the page's table does not mark the row");
        assertTrue(page.contains("failed banner") && page.contains(reason), "the page does not say why");
    }
}
