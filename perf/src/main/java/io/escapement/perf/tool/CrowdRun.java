package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One run with players: starts the processes and takes them through the parts of the plan. */
final class CrowdRun
{
    private static final String COMMAND = "players";
    private static final long SPARE_SECONDS = 150;
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Disturbs the processes of a run, for tests. */
    @FunctionalInterface
    interface AtStart
    {
        /** The bots start a measured part. */
        void onStart(long serverPid, long botsPid);
    }

    private CrowdRun()
    {
    }

    /** Run, and return the measurements of both processes for each measured part. */
    static List<Measurements> run(final CrowdPlan plan, final Consumer<String> progress, final AtStart atStart)
    {
        final long limitSeconds =
            TimeUnit.MILLISECONDS.toSeconds((long)plan.warmUpMs + plan.measureMs) + SPARE_SECONDS;
        try (MeasuredProcess server = new MeasuredProcess(
            COMMAND, MeasuredProcess.SERVER, plan, limitSeconds, progress))
        {
            server.await(Control.READY);
            try (MeasuredProcess bots = new MeasuredProcess(
                COMMAND, MeasuredProcess.CLIENT, plan, limitSeconds, progress))
            {
                bots.await(Control.READY);
                progress.accept("warm-up, " + plan.warmUpMs + " ms");
                for (int i = 0; i < plan.warmUpParts().size(); i++)
                {
                    runPart(server, bots, (serverPid, botsPid) -> { });
                }
                final List<Measurements> parts = new ArrayList<>();
                for (final List<LoadPhase> part : plan.parts())
                {
                    progress.accept(part.stream()
                        .map((phase) -> phase.movesPerSecond() + " moves per second, " + phase.durationMs() + " ms")
                        .collect(Collectors.joining(", then ")));
                    parts.add(runPart(server, bots, atStart));
                }
                return parts;
            }
        }
    }

    private static Measurements runPart(
        final MeasuredProcess server, final MeasuredProcess bots, final AtStart atStart)
    {
        settle();
        server.send(CrowdFigures.BEGIN);
        server.await(CrowdFigures.BEGIN);
        bots.send(CrowdFigures.GO);
        atStart.onStart(server.pid(), bots.pid());
        bots.await(CrowdFigures.LOADED);
        // States sent from here on do not count; the bots wait for those in flight.
        server.send(CrowdFigures.END);
        server.await(CrowdFigures.END);
        bots.send(CrowdFigures.REPORT);
        final Measurements measurements = bots.measurements();
        server.send(CrowdFigures.REPORT);
        return measurements.addAll(server.measurements());
    }

    /** Bots that write their results do not receive; states queued during that time are not the next part's. */
    private static void settle()
    {
        final long untilNs = System.nanoTime() + SETTLE_NS;
        while (System.nanoTime() < untilNs)
        {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }
}
