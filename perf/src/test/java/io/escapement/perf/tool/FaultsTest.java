package io.escapement.perf.tool;

import io.escapement.perf.loop.FramesPlan;
import io.escapement.perf.loopback.Echo;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.perf.rig.LoopbackGame;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs with faults, simulated in place of their processes. */
class FaultsTest
{
    @TempDir
    private Path directory;

    private int reports;

    @Test
    void shouldMarkEcho()
    {
        echo((f) -> f).assertSound();
        echo((f) -> f.put(Echo.RECEIVED, 999)).assertMarked("1 of 1000 messages were lost");
        echo((f) -> f.put(Echo.ORDER_FAULTS, 3)).assertMarked("3 messages came back changed");
        echo((f) -> f.put(Echo.CHECKSUM_DIFFERENCE, 1)).assertMarked("checksum");
        echo((f) -> f.put(Echo.RATE_PERMILLE, 980)).assertMarked("missed its rate");
    }

    @Test
    void shouldCompareEchoWithTheEngineInMemory()
    {
        final List<String> subjects = new ArrayList<>();
        final ToolRun run = ToolRun.of(tool(new EchoCommand(), (options) ->
        {
            subjects.add(options.subject + " " + options.durability);
            return "engine".equals(options.subject) ? soundEcho().add(Echo.LATENCY, slow()) : soundEcho();
        }), directory.resolve("durable"), "--pairs", "2", "--durability", "recorded");
        run.assertSound();
        assertEquals(List.of("raw recorded", "memory recorded", "engine recorded", "archive recorded",
            "memory-null recorded", "memory-null recorded", "archive recorded", "engine recorded", "memory recorded",
            "raw recorded"), subjects);
        assertEquals(2.0, (double)((Map<?, ?>)run.json().get("memoryRatio")).get("p99Most"), 0.01);
        assertEquals(2.0, (double)((Map<?, ?>)run.json().get("ratio")).get("p99"), 0.01);
        assertEquals(1.0, (double)((Map<?, ?>)run.json().get("memoryNull")).get("p99"), 0.01);
        assertEquals(2.0, (double)((Map<?, ?>)run.json().get("peerRatio")).get("p99"), 0.01);
        final Map<?, ?> loop = (Map<?, ?>)run.json().get("loop");
        assertEquals(2.0, loop.get("messagesPerTurn"));
        assertEquals(3.0, loop.get("bytesPerTurn"));
        assertEquals(9.0, (double)loop.get("commitWaitP99Us"), 0.01);
        assertTrue(run.toString().contains("turns waited for the log p50 5.0 us"), run.toString());
    }

    @Test
    void shouldGiveNoRatioOfCodeThatIsBeingCompiled()
    {
        final ToolRun cold = echo((f) -> processes(f, 6, 5, 100));
        cold.assertSound();
        final String reason = "pair 1 engine: no ratio: the compilers worked for 11 ms of the measured part";
        assertTrue(cold.out.stream().anyMatch((line) -> line.contains(reason)), cold.toString());
        assertEquals(null, ((Map<?, ?>)cold.json().get("ratio")).get("p50"));
        assertEquals(1.0, ((Map<?, ?>)cold.json().get("null")).get("p50"));
        assertEquals(5.0, (double)((Map<?, ?>)cold.json().get("engine")).get("p50Us"), 0.01, "its figures stay");
        assertEquals(1.0, ((Map<?, ?>)echo((f) -> processes(f, 5, 5, 100)).json().get("ratio")).get("p50"));
    }

    @Test
    void shouldTakeNoResultFromAClientThatIsBusy()
    {
        final ToolRun bound = echo((f) -> processes(f, 0, 0, 851));
        bound.assertSound();
        assertTrue(bound.toString().contains("pair 1 engine: no result: load-bound"), bound.toString());
        assertEquals(null, ((Map<?, ?>)bound.json().get("engine")).get("p50Us"));
        assertEquals(null, ((Map<?, ?>)bound.json().get("ratio")).get("p50"));
        assertFalse(echo((f) -> processes(f, 0, 0, 850)).toString().contains("load-bound"));
    }

    @Test
    void shouldNameTheProcessThatTookTheTime()
    {
        final ToolRun run = echo((f) -> processes(f, 0, 0, 1).put("bystandersNs", 1_000_000_000)
            .put("stolenNs", 90_000_000).put("bystander.4711.stress", 980_000_000)
            .put("bystander.12.sshd", 11_000_000));
        run.assertSound();
        assertTrue(run.out.contains("  pair 1 engine: process 4711 stress took 0.98 cores"), run.toString());
        assertTrue(run.out.contains("  pair 1 engine: the hypervisor took 0.09 cores"), run.toString());
        assertFalse(run.toString().contains("sshd"), "a hundredth of a core is no reason");
        final Map<?, ?> engine = (Map<?, ?>)((List<?>)run.json().get("whoseTime")).get(1);
        assertEquals("pair 1 engine", engine.get("run"));
        assertEquals(0.991, engine.get("othersCores"));
        assertEquals(0.09, engine.get("stolenCores"));
        final Map<?, ?> server = (Map<?, ?>)((List<?>)engine.get("processes")).get(1);
        assertEquals("server", server.get("name"));
        assertEquals(0.5, server.get("cores"));
        assertEquals(0.25, server.get("waitedCores"));
    }

    @Test
    void shouldKeepTheRowOfARunThatFailed()
    {
        final ToolRun run = echo((f) ->
        {
            throw new IllegalStateException("echo client: the trunk is down: SLOW_CONSUMER");
        });
        run.assertMarked("pair 1 engine: echo client: the trunk is down: SLOW_CONSUMER");
        assertEquals(5.0, (double)((Map<?, ?>)run.json().get("raw")).get("p50Us"), 0.01, "runs before it count");
    }

    @Test
    void shouldMarkIngress()
    {
        ingress((f) -> f).assertSound();
        ingress((f) -> f.put(MessageCounter.SENT, 5_001)).assertMarked("1 of 5001 messages were lost");
        ingress((f) -> f.put(MessageCounter.SENT_SUM, 7)).assertMarked("checksum");
        ingress((f) -> f.put(MessageCounter.TOOK_NS, 0)).assertMarked("too short");
    }

    @Test
    void shouldMarkRing()
    {
        ring((f) -> f).assertSound();
        ring((f) ->
        {
            throw new IllegalStateException("the benchmark failed: 2 of 5002 messages were lost");
        }).assertMarked("pair 1 engine: the benchmark failed: 2 of 5002 messages were lost");
    }

    @Test
    void shouldMarkFrames()
    {
        frames((f) -> f).assertSound();
        frames((f) -> f.put(FramesPlan.CHECKSUM_DIFFERENCE, 4)).assertMarked("rooms counted 4 frames more");
        frames((f) -> f.put(FramesPlan.MISSED, 11)).assertMarked("missed its rate, 11 of 1000");
    }

    @Test
    void shouldMarkTimers()
    {
        timers((f) -> f).assertSound();
        timers((f) ->
        {
            throw new IllegalStateException("the benchmark failed: 5 timers did not fire");
        }).assertMarked("pair 1 netty: the benchmark failed: 5 timers did not fire");
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
        final CommandLine command = tool(new EchoCommand(), (options) ->
        {
            measured.add(options.measureMs);
            return soundEcho();
        });
        final ToolRun run =
            ToolRun.of(command, directory.resolve("time"), "--seconds", "7", "--pairs", "5");
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
            final ToolRun run = ToolRun.of(tool(new EchoCommand(), (options) -> soundEcho()), null,
                "--mode", mode, "--idle", "busy");
            assertEquals(2, run.exitCode, run.toString());
            assertEquals(1, run.err.lines().count(), run.err);
            assertTrue(run.err.contains("--mode " + mode + " --idle busy"), run.err);
            assertEquals(List.of(), run.out);
        }
        final ToolRun run = ToolRun.of(tool(new FramesCommand(), (options) -> soundFrames()), null,
            "--rooms", "1000", "--work", "20", "--hz", "60");
        assertEquals(2, run.exitCode, run.toString());
        assertEquals(1, run.err.lines().count(), run.err);
    }

    @Test
    void shouldRefuseInvalidValues()
    {
        for (final String[] option : new String[][]{
            {"--mode", "duet"}, {"--idle", "nap"}, {"--channel", "pigeon"}, {"--rate", "0"}, {"--size", "15"},
            {"--durability", "lasting"},
            {"--pairs", "0"}, {"--seconds", "-1"}})
        {
            final ToolRun run = ToolRun.of(tool(new EchoCommand(), (options) -> soundEcho()), null, option);
            assertEquals(CommandLine.ExitCode.USAGE, run.exitCode, run.toString());
            assertTrue(run.err.contains(option[0]) && run.err.contains("Usage:"), run.err);
        }
    }

    private ToolRun echo(final UnaryOperator<Measurements> fault)
    {
        return run(new EchoCommand(), "engine", fault, FaultsTest::soundEcho);
    }

    private ToolRun ingress(final UnaryOperator<Measurements> fault)
    {
        return run(new IngressCommand(), "single", fault, FaultsTest::soundBlocks);
    }

    private ToolRun ring(final UnaryOperator<Measurements> fault)
    {
        return run(new RingCommand(), "engine", fault, FaultsTest::soundRing);
    }

    private ToolRun frames(final UnaryOperator<Measurements> fault)
    {
        return run(new FramesCommand(), "escapement", fault, FaultsTest::soundFrames);
    }

    private ToolRun timers(final UnaryOperator<Measurements> fault)
    {
        return run(new TimersCommand(), "netty", fault, FaultsTest::soundTimers);
    }

    /** Run with a fault in one of the subjects. */
    private <P extends RunPlan> ToolRun run(
        final MeasureCommand<P> command,
        final String subject,
        final UnaryOperator<Measurements> fault,
        final Supplier<Measurements> sound)
    {
        final CommandLine tool = tool(
            command, (plan) -> subject.equals(plan.subject) ? fault.apply(sound.get()) : sound.get());
        return ToolRun.of(tool, directory.resolve("report-" + reports++), "--pairs", "1");
    }

    private static <P extends RunPlan> CommandLine tool(
        final MeasureCommand<P> command, final Function<P, Measurements> runner)
    {
        command.cores(2);
        command.runner = (plan, progress) -> List.of(runner.apply(plan));
        return new CommandLine(command);
    }

    private static Measurements soundTimers()
    {
        final Measurements run = new Measurements();
        for (final String operation : List.of("set", "cancel", "fire"))
        {
            run.put(operation + ".operations", 10).put(operation + ".ns", 400).put(operation + ".bytes", 0)
                .add(operation, interval());
        }
        return run;
    }

    private static Measurements soundRing()
    {
        return new Measurements().put("block.score", 4_000_000).put("block.messages", 5_000).put("block.batches", 50)
            .add("block", interval());
    }

    private static Measurements soundEcho()
    {
        return new Measurements().put(Echo.SENT, 1_000).put(Echo.RECEIVED, 1_000).put(Echo.ORDER_FAULTS, 0)
            .put(Echo.CHECKSUM_DIFFERENCE, 0).put(Echo.RATE_PERMILLE, 1_000)
            .put(LoopMeter.TURNS, 500).put(LoopbackGame.ENGINE_BYTES, 1_500)
            .add(LoopMeter.RING_WAIT, interval()).add(LoopMeter.COMMIT_WAIT, interval())
            .add(Echo.LATENCY, interval());
    }

    /** Of a second. */
    private static Measurements processes(
        final Measurements run, final long clientMs, final long serverMs, final long busyMs)
    {
        for (final String process : List.of("process.client", "process.server"))
        {
            run.put(process + ".ns", 1_000_000_000).put(process + ".cpuNs", 500_000_000)
                .put(process + ".waitedNs", 250_000_000);
        }
        return run.put("process.client.compiledMs", clientMs).put("process.server.compiledMs", serverMs)
            .put("process.client.busyNs", busyMs * 1_000_000);
    }

    private static Measurements soundBlocks()
    {
        return new Measurements()
            .put(MessageCounter.RECEIVED, 5_000).put(MessageCounter.RECEIVED_SUM, 77)
            .put(MessageCounter.SENT, 5_000).put(MessageCounter.SENT_SUM, 77)
            .put(MessageCounter.COUNTED, 4_096).put(MessageCounter.TOOK_NS, 1_000_000)
            .add(MessageCounter.BLOCKS, interval());
    }

    private static Measurements soundFrames()
    {
        return new Measurements().put(FramesPlan.CHECKSUM_DIFFERENCE, 0)
            .put(FramesPlan.DUE, 1_000).put(FramesPlan.MISSED, 10).put(FramesPlan.DRIFT_PPB, -5)
            .put(FramesPlan.ROOMS_PER_FRAME, 1).add(FramesPlan.LATENESS, interval()).add(FramesPlan.COST, interval());
    }

    private static Histogram slow()
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(18_000, 1_000);
        return histogram;
    }

    private static Histogram interval()
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(5_000, 600);
        histogram.recordValueWithCount(9_000, 400);
        histogram.setStartTimeStamp(1_000);
        histogram.setEndTimeStamp(1_100);
        return histogram;
    }
}
