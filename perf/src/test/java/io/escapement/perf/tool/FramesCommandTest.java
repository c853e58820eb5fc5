package io.escapement.perf.tool;

import io.escapement.perf.loop.FramesPlan;
import io.escapement.perf.rig.Measurements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The comparison of frames, with simulated runs. */
class FramesCommandTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldCompareTheEngineWithBothPeersAndItself()
    {
        final List<String> order = new ArrayList<>();
        final ToolRun run = frames((plan) ->
        {
            order.add(plan.subject);
            return switch (plan.subject)
            {
                // The null differs by a quarter from pair to pair.
                case FramesPlan.NULL -> run(order.size() <= 4 ? 25 : 15, 5_000);
                case FramesPlan.GAME_LOOP_THREAD -> run(18, 50_000);
                case FramesPlan.GAME_LOOP_THREAD_1500 -> run(80, 40_000);
                default -> run(20, 5_000);
            };
        }, "--pairs", "2");
        run.assertSound();
        assertEquals(List.of("escapement", "gameLoopThread", "gameLoopThread1500B", "escapement-null",
            "escapement-null", "gameLoopThread1500B", "gameLoopThread", "escapement"), order);
        for (final String line : List.of(
            "  cost: escapement/gameLoopThread median 1.11 (1.11 to 1.11), noise: the null is 0.75 to 1.25",
            "  cost: escapement/gameLoopThread1500B median 0.25 (0.25 to 0.25), null 0.75 to 1.25",
            "  lateness p99: escapement/gameLoopThread median 0.10 (0.10 to 0.10), null 1.00 to 1.00",
            "  lateness p99: escapement/gameLoopThread1500B median 0.12 (0.12 to 0.12), null 1.00 to 1.00"))
        {
            assertTrue(run.out.contains(line), line + " is not in\n" + run);
        }
        final Map<?, ?> ofNull = (Map<?, ?>)run.json().get("null");
        assertEquals(Map.of("cost", 1.0, "costLeast", 0.75, "costMost", 1.25,
            "latenessP99", 1.0, "latenessP99Least", 1.0, "latenessP99Most", 1.0), ofNull);
        assertEquals(0.25, ((Map<?, ?>)run.json().get("gameLoopThread1500B")).get("cost"));
        final List<?> rows = (List<?>)run.json().get("rows");
        assertEquals(List.of("escapement", "gameLoopThread", "gameLoopThread1500B", "escapement-null"),
            rows.stream().map((row) -> ((Map<?, ?>)row).get("name")).toList());
        assertEquals(80.0, ((Map<?, ?>)rows.get(2)).get("costNs"));
    }

    @Test
    void shouldCountRoomsThatRunTogetherOnce()
    {
        // 1,000 room-frames of 10 rooms are 100 frames.
        final Map<?, ?> row = row(frames((plan) -> run(20, 5_000).put(FramesPlan.ROOMS_PER_FRAME, 10)));
        assertEquals(5.0, (double)row.get("latenessP50Us"), 0.01);
        assertEquals(5.0, (double)row.get("latenessP99Us"), 0.01);
        assertEquals(null, row.get("latenessP999Us"), "of 100 frames none is beyond it");
        assertEquals(5.0, (double)row.get("latenessMaxUs"), 0.01);
        final Map<?, ?> fewer = row(frames((plan) -> run(20, 5_000).put(FramesPlan.ROOMS_PER_FRAME, 20)));
        assertEquals(null, fewer.get("latenessP99Us"));
        assertEquals(5.0, (double)fewer.get("latenessMaxUs"), 0.01);
    }

    @Test
    void shouldReportTheLatenessOfFrames()
    {
        final ToolRun run = frames((plan) -> run(20, 5_000).put(FramesPlan.ROOMS_PER_FRAME, 10));
        assertTrue(run.file("escapement.hdr").contains("Total count    =          100"), run.file("escapement.hdr"));
        assertTrue(run.file("escapement.hlog").contains("[StartTime: 1.000 "), run.file("escapement.hlog"));
    }

    @Test
    void shouldMarkAnEngineThatMissedItsRate()
    {
        final Measurements missed = run(20, 5_000).put(FramesPlan.MISSED, 11);
        frames((plan) -> FramesPlan.NULL.equals(plan.subject) ? missed : run(20, 5_000))
            .assertMarked("escapement-null: missed its rate, 11 of 1000");
        frames((plan) -> FramesPlan.GAME_LOOP_THREAD_1500.equals(plan.subject) ? missed : run(20, 5_000)).assertSound();
    }

    @Test
    void shouldGiveNoRatioOfCodeThatIsBeingCompiled()
    {
        final ToolRun run = frames((plan) -> FramesPlan.GAME_LOOP_THREAD.equals(plan.subject) ?
            run(20, 5_000).put("process.worker.compiledMs", 11) : run(20, 5_000));
        assertTrue(run.out.contains("  cost: escapement/gameLoopThread no pair"), run.toString());
        assertTrue(run.toString().contains("cost: escapement/gameLoopThread1500B median 1.00"), run.toString());
    }

    private ToolRun frames(final Function<FramesPlan, Measurements> runner, final String... options)
    {
        final FramesCommand command = new FramesCommand();
        command.runner = (plan, progress) -> List.of(runner.apply(plan));
        final List<String> arguments = new ArrayList<>(List.of(options));
        if (arguments.isEmpty())
        {
            arguments.addAll(List.of("--pairs", "1"));
        }
        return ToolRun.of(new CommandLine(command), directory.resolve("report"), arguments.toArray(new String[0]));
    }

    private static Map<?, ?> row(final ToolRun run)
    {
        return (Map<?, ?>)((List<?>)run.json().get("rows")).get(0);
    }

    private static Measurements run(final long costNs, final long latenessNs)
    {
        return new Measurements().put(FramesPlan.CHECKSUM_DIFFERENCE, 0).put(FramesPlan.DUE, 1_000)
            .put(FramesPlan.MISSED, 10).put(FramesPlan.DRIFT_PPB, -5).put(FramesPlan.ROOMS_PER_FRAME, 1)
            .put("process.worker.ns", 1_000_000_000).put("process.worker.cpuNs", 500_000_000)
            .put("process.worker.waitedNs", 0).put("process.worker.compiledMs", 2)
            .add(FramesPlan.LATENESS, interval(latenessNs)).add(FramesPlan.COST, interval(costNs));
    }

    private static Histogram interval(final long value)
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(value, 1_000);
        histogram.setStartTimeStamp(1_000);
        histogram.setEndTimeStamp(1_100);
        return histogram;
    }
}
