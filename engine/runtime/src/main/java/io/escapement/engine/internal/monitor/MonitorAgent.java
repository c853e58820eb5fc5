package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.EngineClock;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.monitor.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.status.AtomicCounter;

/** The thread that looks at the loops now and then: governor, watchdog, histograms and periodic jobs. */
public final class MonitorAgent implements Agent
{
    /** Type id of the first counter of the monitor; the others follow. */
    public static final int FIRST_TYPE_ID = 73_000;

    private static final long LEAST_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Periodic jobs are late by up to this. */
    private static final long MOST_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** So that a stall is told of soon after it became one. */
    private static final int LOOKS_PER_STALL = 5;
    private static final long SAFEPOINTS_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MonitorContext context;
    private final EngineClock time;
    private final List<Governor> governors = new ArrayList<>();
    private final List<Watchdog> watchdogs = new ArrayList<>();
    private final List<LoopHistograms> histograms = new ArrayList<>();
    private final Jobs jobs;
    private final HistogramLog log;
    private final boolean isReading;
    private final Safepoints safepoints = Safepoints.ofThisJvm();
    private final AtomicCounter safepointCount;
    private final AtomicCounter safepointNs;
    private long readNs;
    private long safepointsReadNs;

    /**
     * Make one.
     *
     * @param context      how to watch.
     * @param loops        that are watched.
     * @param typeIds      of the room types.
     * @param counters     makes its counters.
     * @param time         of the engine.
     * @param errorHandler told of stalls, and of jobs that throw.
     */
    public MonitorAgent(
        final MonitorContext context,
        final List<MonitoredLoop> loops,
        final List<Integer> typeIds,
        final LoopCounters.Factory counters,
        final EngineClock time,
        final ErrorHandler errorHandler)
    {
        this.context = context;
        this.time = time;
        jobs = new Jobs(errorHandler);
        final Consumer<Stall> hook = null == context.stallHook() ? errorHandler::onError : context.stallHook();
        for (final MonitoredLoop loop : loops)
        {
            final String prefix = "escapement loop " + loop.number() + ": ";
            final AtomicCounter stalls = counters.counter(FIRST_TYPE_ID, prefix + "stalls");
            final AtomicCounter level = counters.gauge(FIRST_TYPE_ID + 1, prefix + "steps down the frame ladder");
            watchdogs.add(new Watchdog(loop, context.stallLimitNs(), hook, stalls));
            histograms.add(new LoopHistograms(loop));
            if (context.isGoverned())
            {
                governors.add(new Governor(loop, ladders(context, typeIds), level, time.nowNs()));
            }
        }
        // Without a source there are no counters, rather than some that say none.
        safepointCount = null == safepoints ? null : counters.counter(FIRST_TYPE_ID + 2, "escapement jvm: safepoints");
        safepointNs = null == safepoints ?
            null : counters.counter(FIRST_TYPE_ID + 3, "escapement jvm: nanoseconds in safepoints");
        log = null == context.histogramLog() ?
            null : new HistogramLog(context.histogramLog(), System.currentTimeMillis());
        // Recorders have one reader: when the monitor has no use for them they are left to the embedding program.
        isReading = null != log || MonitorContext.NO_PORT != context.metricsPort();
    }

    /**
     * How often to look. A look takes a moment of a core that a loop may be spinning on, so not more often than needed.
     *
     * @return nanoseconds.
     */
    public long periodNs()
    {
        return Math.max(LEAST_PERIOD_NS, Math.min(MOST_PERIOD_NS, context.stallLimitNs() / LOOKS_PER_STALL));
    }

    /**
     * Run a task again and again, in the monitor's thread.
     *
     * @param periodNs from one deadline to the next.
     * @param task     that must not take long: the governor waits for it.
     * @return closes the job.
     */
    public AutoCloseable every(final long periodNs, final Runnable task)
    {
        return jobs.add(periodNs, task, time.nowNs());
    }

    @Override
    public String roleName()
    {
        return "escapement-monitor";
    }

    @Override
    public int doWork()
    {
        final long nowNs = time.nowNs();
        int work = jobs.poll(nowNs);
        for (final Watchdog watchdog : watchdogs)
        {
            work += watchdog.poll(nowNs);
        }
        for (final Governor governor : governors)
        {
            work += governor.poll(nowNs);
        }
        if (null != safepoints && nowNs - safepointsReadNs >= SAFEPOINTS_NS)
        {
            safepointsReadNs = nowNs;
            safepointCount.setRelease(safepoints.count());
            safepointNs.setRelease(safepoints.timeNs());
        }
        if (isReading && nowNs - readNs >= context.intervalNs())
        {
            readNs = nowNs;
            read();
            work++;
        }
        return work;
    }

    @Override
    public void onClose()
    {
        if (isReading)
        {
            read();
        }
        CloseHelper.closeAll(log, safepoints);
    }

    List<LoopHistograms> histograms()
    {
        return histograms;
    }

    private static List<Governor.Ladder> ladders(final MonitorContext context, final List<Integer> typeIds)
    {
        final List<Governor.Ladder> ladders = new ArrayList<>();
        for (final int typeId : typeIds)
        {
            final int[] ratesHz = context.ladderOf(typeId);
            if (ratesHz.length > 1)
            {
                ladders.add(new Governor.Ladder(typeId, ratesHz));
            }
        }
        return ladders;
    }

    private void read()
    {
        for (final LoopHistograms one : histograms)
        {
            one.take();
            if (null != log)
            {
                one.intervals((name, isTime, interval) -> log.write(interval, isTime));
            }
        }
        if (null != log)
        {
            log.flush();
        }
    }
}
