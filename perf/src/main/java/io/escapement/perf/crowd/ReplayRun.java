package io.escapement.perf.crowd;

import io.escapement.engine.Durability;
import io.escapement.engine.EngineContext;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.WarmUpParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.agrona.IoUtil;

/** The process of {@code replay}: writes a journal, and replays it as often as the time allows. */
public final class ReplayRun
{
    private final ReplayPlan plan;
    private final Path directory;
    private CrowdLog.Written written;
    private long different;

    private ReplayRun(final ReplayPlan plan, final Path directory)
    {
        this.plan = plan;
        this.directory = directory;
    }

    /** Run the process. */
    public static void run(final ReplayPlan plan, final Control control)
    {
        try
        {
            final Path directory = Files.createTempDirectory(plan.journal, "escapement-perf-");
            try
            {
                control.send(new ReplayRun(plan, directory).run(control), plan.results);
            }
            finally
            {
                IoUtil.delete(directory.toFile(), true);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private Measurements run(final Control control)
    {
        control.send(Control.PROGRESS + " writing a log of " + plan.logSeconds + " s");
        written = CrowdLog.write(plan, directory);
        control.send(Control.PROGRESS + " replaying " + written.turns() + " turns");
        final long firstNs = replay();
        WarmUpParts.run(plan, this::replay);
        final long measureNs = TimeUnit.MILLISECONDS.toNanos(plan.measureMs);
        final IntervalRecorder replays = new IntervalRecorder(measureNs);
        control.meter().start(plan.measureMs);
        final long startNs = System.nanoTime();
        replays.start(startNs);
        long nowNs = startNs;
        do
        {
            final long tookNs = replay();
            nowNs = System.nanoTime();
            replays.record(nowNs, tookNs);
        }
        while (nowNs - startNs < measureNs);
        return control.meter().stop()
            .put(ReplayPlan.LOG_NS, written.logNs())
            .put(ReplayPlan.LOG_BYTES, written.bytes())
            .put(ReplayPlan.COMMANDS, written.commands())
            .put(ReplayPlan.FIRST_NS, firstNs)
            .put(ReplayPlan.DIFFERENT, different)
            .add(ReplayPlan.REPLAYS, replays.stop(nowNs));
    }

    /** As a start would: read, verify, run, and compare the output with the writing engine's output. */
    private long replay()
    {
        final long startNs = System.nanoTime();
        final List<String> texts = Durability.journal(directory).replay(new EngineContext()
            .roomType(CrowdRoom.type(plan.crowd(), new LongAdder())));
        final long tookNs = System.nanoTime() - startNs;
        final List<String> hashes = texts.stream().map((text) -> text.substring(text.lastIndexOf(' ') + 1)).toList();
        if (!hashes.equals(written.stateHashes()))
        {
            different++;
        }
        return tookNs;
    }
}
