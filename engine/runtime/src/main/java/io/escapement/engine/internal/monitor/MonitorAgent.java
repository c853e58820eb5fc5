package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.monitor.CounterTypes;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.monitor.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.status.AtomicCounter;

/** Observes the loops periodically: watchdog, governor, histograms, safepoints, and the detection of ended threads. */
public final class MonitorAgent implements Agent
{
    private static final long MIN_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Duty cycles per stall limit, so that a stall is reported soon after it exceeds the limit. */
    private static final int CYCLES_PER_STALL_LIMIT = 5;
    private static final long SAFEPOINTS_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FAULT_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long DRIVER_CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private final MonitorContext context;
    private final EngineClock clock;

    private final List<Governor> governors = new ArrayList<>();
    private final List<Watchdog> watchdogs = new ArrayList<>();
    private final List<LogWatchdog> logWatchdogs = new ArrayList<>();
    private final List<UserCallWatchdog> userCalls = new ArrayList<>();
    private final RefusalBursts refusals;
    private final FaultReporter faults;
    private final List<LoopHistograms> histograms = new ArrayList<>();
    private final HistogramLog log;
    private final boolean isReadingHistograms;
    private final Safepoints safepoints = Safepoints.ofThisJvm();
    private final AtomicCounter safepointCount;
    private final AtomicCounter safepointNs;
    private BooleanSupplier isGoverning = () -> true;
    private boolean wasGoverning = true;
    private BooleanSupplier isFaulty;
    private Runnable faultHook;
    private boolean isFaultKnown;
    private Runnable driverCheck = () -> { };
    private long driverCheckedNs;
    private long histogramsReadNs;
    private long safepointsReadNs;
    private long faultCheckedNs;

    /**
     * Make one.
     *
     * @param context      the options.
     * @param loops        to observe.
     * @param typeIds      of the room types.
     * @param counters     makes its counters, and has the counters of the loops and the edge.
     * @param clock        of the engine.
     * @param faults       receives stalls, unless the options have a hook, which it calls.
     */
    public MonitorAgent(
        final MonitorContext context,
        final List<MonitoredLoop> loops,
        final List<Integer> typeIds,
        final EngineCounters counters,
        final EngineClock clock,
        final FaultReporter faults)
    {
        this.context = context;
        this.clock = clock;
        this.faults = faults;
        refusals = new RefusalBursts(counters);
        final Consumer<Stall> stallHook = context.stallHook();
        final Consumer<Stall> hook = null == stallHook ? faults::onError :
            (stall) ->
            {
                faults.remember(stall);
                faults.call("stallHook", () -> stallHook.accept(stall));
            };
        for (final MonitoredLoop loop : loops)
        {
            final String prefix = "escapement loop " + loop.number() + ": ";
            final AtomicCounter stalls = counters.counter(CounterTypes.MONITOR, prefix + "stalls");
            final AtomicCounter level =
                counters.gauge(CounterTypes.MONITOR + 1, prefix + "steps down the frame ladder");
            watchdogs.add(new Watchdog(
                loop, context.stallLimitNs(), context.stallWarmUp(), hook, stalls));
            logWatchdogs.add(new LogWatchdog(loop.number(), loop.agent()::blockedSinceNs, faults::onError));
            histograms.add(new LoopHistograms(loop));
            if (context.isGoverned())
            {
                governors.add(new Governor(loop, ladders(context, typeIds), level, clock.nowNs()));
            }
        }
        // On a JVM without the data there are no counters, rather than counters that stay 0.
        safepointCount = null == safepoints ?
            null : counters.counter(CounterTypes.MONITOR + 2, "escapement jvm: safepoints");
        safepointNs = null == safepoints ?
            null : counters.counter(CounterTypes.MONITOR + 3, "escapement jvm: nanoseconds in safepoints");
        log = null == context.histogramLog() ?
            null : new HistogramLog(context.histogramLog(), System.currentTimeMillis());
        // A recorder has one reader. The application may read it if the monitor does not.
        isReadingHistograms = null != log || MonitorContext.NO_PORT != context.metricsPort() ||
            null != context.otlpUrl() || !context.intervalListeners().isEmpty();
    }

    /**
     * Call a hook once, in the monitor's thread, when a condition has been true in two checks. Because a hook may exit
     * the process, the edge and the driver get the time of a check to send each trunk its Goodbye. Before the monitor
     * runs.
     *
     * @param condition checked every 50 ms.
     * @param hook      to call.
     */
    public void onFault(final BooleanSupplier condition, final Runnable hook)
    {
        isFaulty = condition;
        faultHook = hook;
    }

    /**
     * Govern the loops only while a condition holds, and start at full rate each time. Before the monitor runs.
     *
     * @param condition whether the engine leads.
     */
    public void governWhile(final BooleanSupplier condition)
    {
        isGoverning = condition;
        wasGoverning = false;
    }

    /**
     * Check the media driver once per second, in the monitor's thread. Before the monitor runs.
     *
     * @param check to run.
     */
    public void driverCheck(final Runnable check)
    {
        driverCheck = check;
    }

    /**
     * Time between two duty cycles. A cycle takes time from a core on which a loop may be spinning. Cycles are
     * therefore no more frequent than stall detection needs.
     */
    public long periodNs()
    {
        return Math.max(MIN_PERIOD_NS, Math.min(MAX_PERIOD_NS, context.stallLimitNs() / CYCLES_PER_STALL_LIMIT));
    }

    /**
     * Report calls of the application's code that do not return. Before the monitor runs.
     *
     * @param calls to watch.
     */
    public void watch(final List<UserCall> calls)
    {
        calls.forEach((call) -> userCalls.add(new UserCallWatchdog(call, faults)));
    }

    @Override
    public String roleName()
    {
        return "escapement-monitor";
    }

    @Override
    public int doWork()
    {
        final long nowNs = clock.nowNs();
        int work = 0;
        for (final Watchdog watchdog : watchdogs)
        {
            work += watchdog.poll(nowNs);
        }
        for (final LogWatchdog watchdog : logWatchdogs)
        {
            work += watchdog.poll(nowNs);
        }
        for (final UserCallWatchdog userCall : userCalls)
        {
            work += userCall.poll(nowNs);
        }
        refusals.poll(nowNs);
        work += govern(nowNs);
        if (null != safepoints && nowNs - safepointsReadNs >= SAFEPOINTS_NS)
        {
            safepointsReadNs = nowNs;
            safepointCount.setRelease(safepoints.count());
            safepointNs.setRelease(safepoints.timeNs());
        }
        if (isReadingHistograms && nowNs - histogramsReadNs >= context.intervalNs())
        {
            histogramsReadNs = nowNs;
            readHistograms();
            work++;
        }
        if (nowNs - driverCheckedNs >= DRIVER_CHECK_NS)
        {
            driverCheckedNs = nowNs;
            driverCheck.run();
        }
        if (null != faultHook && nowNs - faultCheckedNs >= FAULT_CHECK_NS)
        {
            faultCheckedNs = nowNs;
            work += checkForFault();
        }
        return work;
    }

    @Override
    public void onClose()
    {
        if (isReadingHistograms)
        {
            readHistograms();
        }
        CloseHelper.closeAll(log, safepoints);
    }

    List<LoopHistograms> histograms()
    {
        return histograms;
    }

    private int checkForFault()
    {
        if (!isFaulty.getAsBoolean())
        {
            return 0;
        }
        if (!isFaultKnown)
        {
            isFaultKnown = true;
            return 1;
        }
        final Runnable hook = faultHook;
        faultHook = null;
        hook.run();
        return 1;
    }

    private int govern(final long nowNs)
    {
        final boolean isGoverningNow = isGoverning.getAsBoolean();
        int work = 0;
        for (int i = 0; i < governors.size() && isGoverningNow; i++)
        {
            if (!wasGoverning)
            {
                governors.get(i).restart();
            }
            work += governors.get(i).poll(nowNs);
        }
        wasGoverning = isGoverningNow;
        return work;
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

    private void readHistograms()
    {
        for (final LoopHistograms one : histograms)
        {
            one.takeIntervals();
            if (null != log)
            {
                one.forEachInterval((name, isTime, interval) -> log.write(interval, isTime));
            }
            for (final MonitorContext.IntervalListener listener : context.intervalListeners())
            {
                faults.guard("intervals", () -> one.forEachInterval((name, isTime, interval) ->
                    listener.onInterval(one.loop(), name.substring(name.indexOf('.') + 1), interval)));
            }
        }
        if (null != log)
        {
            log.flush();
        }
    }
}
