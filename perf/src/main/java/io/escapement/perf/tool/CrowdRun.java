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
    /** Before the address of the console, as the program prints it. */
    private static final String CONSOLE = "console ";
    private static final long SPARE_SECONDS = 150;
    private static final int SETTLE_MS = 1_000;

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
        final long limitSeconds = SPARE_SECONDS +
            TimeUnit.MILLISECONDS.toSeconds((long)Math.max(plan.warmUpMs, plan.warmUpLimitMs) + plan.measureMs);
        // A cold run has no measurements that this could disturb.
        final int settleMs = Math.min(SETTLE_MS, plan.warmUpMs);
        try (MeasuredProcess server = new MeasuredProcess(
            COMMAND, MeasuredProcess.SERVER, plan, limitSeconds, progress))
        {
            server.awaitReady(plan);
            if (plan.hasConsole())
            {
                plan.consoleUrl = server.await(CONSOLE);
            }
            try (MeasuredProcess beside = beside(plan, limitSeconds, progress);
                MeasuredProcess bots = new MeasuredProcess(
                    COMMAND, MeasuredProcess.CLIENT, plan, limitSeconds, progress))
            {
                bots.await(Control.READY);
                progress.accept("warm-up, " + plan.warmUpMs + " ms or more");
                final Runner runner = new Runner(server, beside, bots, settleMs);
                MeasuredProcess.warmUp(
                    plan, () -> runner.part(Control.PART, (serverPid, botsPid) -> { }), server, bots);
                final List<Measurements> parts = new ArrayList<>();
                for (final List<LoadPhase> part : plan.parts())
                {
                    progress.accept(part.stream()
                        .map((phase) -> phase.movesPerSecond() + " moves per second, " + phase.durationMs() + " ms")
                        .collect(Collectors.joining(", then ")));
                    parts.add(runner.part(Control.GO, atStart));
                }
                return parts;
            }
        }
    }

    /** Start the gateway, or the console's pages. Returns null if the plan has neither. */
    private static MeasuredProcess beside(
        final CrowdPlan plan, final long limitSeconds, final Consumer<String> progress)
    {
        if (!plan.hasGateway() && plan.pages <= 0)
        {
            return null;
        }
        final MeasuredProcess beside = new MeasuredProcess(COMMAND,
            plan.hasGateway() ? MeasuredProcess.GATEWAY : MeasuredProcess.PAGES, plan, limitSeconds, progress);
        try
        {
            beside.await(Control.READY);
            if (!plan.hasGateway())
            {
                // Operators have hosts of their own for their pages.
                beside.yieldToOthers();
            }
            return beside;
        }
        catch (final RuntimeException ex)
        {
            beside.close();
            throw ex;
        }
    }

    /** The processes of a run. */
    private record Runner(MeasuredProcess server, MeasuredProcess beside, MeasuredProcess bots, int settleMs)
    {
        private Measurements part(final String what, final AtStart atStart)
        {
            settle(settleMs);
            server.begin();
            if (null != beside)
            {
                beside.begin();
            }
            final Bystanders bystanders = new Bystanders();
            bots.send(what);
            atStart.onStart(server.pid(), bots.pid());
            bots.await(CrowdFigures.LOADED);
            final Measurements others = bystanders.stop();
            // States sent from here on do not count. The bots wait for states in flight.
            server.send(CrowdFigures.END);
            server.await(CrowdFigures.END);
            bots.send(Control.REPORT);
            final Measurements measurements = bots.measurements().addAll(others);
            if (null != beside)
            {
                beside.send(Control.REPORT);
                measurements.addAll(beside.measurements());
            }
            server.send(Control.REPORT);
            return measurements.addAll(server.measurements());
        }
    }

    /** Bots do not receive while they write their results. States queued during that time are not the next part's. */
    private static void settle(final int settleMs)
    {
        final long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settleMs);
        while (System.nanoTime() < untilNs)
        {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }
}
