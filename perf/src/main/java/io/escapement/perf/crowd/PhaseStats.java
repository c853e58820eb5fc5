package io.escapement.perf.crowd;

import io.escapement.perf.rig.IntervalRecorder;
import io.escapement.perf.rig.Measurements;
import java.util.concurrent.TimeUnit;

/** Statistics of the moves of a phase. */
final class PhaseStats
{
    /** A later answer is of no use to a player. */
    private static final long IN_TIME_NS = TimeUnit.MILLISECONDS.toNanos(40);

    private static final long RECOVERY_WINDOW_NS = TimeUnit.SECONDS.toNanos(1);
    /** Share of moves that must be answered in good service. */
    private static final double MIN_SHARE = 0.99;
    private static final long MIN_INTERVAL_MS = 100;

    final LoadPhase phase;
    /** The number of every bot's first move in the phase. */
    int firstNumber = 1;
    private final IntervalRecorder pings;
    /** In the far future until the phase starts. */
    long startNs = Long.MAX_VALUE;
    private long tookNs;
    private long sent;
    private long notOffered;
    private long answered;
    private long inTime;

    PhaseStats(final LoadPhase phase)
    {
        this.phase = phase;
        pings = new IntervalRecorder(TimeUnit.MILLISECONDS.toNanos(phase.durationMs()), (int)Math.max(1,
            Math.min(IntervalRecorder.DEFAULT_INTERVALS, phase.durationMs() / MIN_INTERVAL_MS)));
    }

    double intervalNs()
    {
        return 1e9 / phase.movesPerSecond();
    }

    void start(final long nowNs)
    {
        startNs = nowNs;
        pings.start(nowNs);
    }

    void stop(final long ns)
    {
        tookNs = ns;
    }

    long plannedNs(final long move)
    {
        return startNs + (long)(move * intervalNs());
    }

    void onSent()
    {
        sent++;
    }

    void onNotOffered()
    {
        notOffered++;
    }

    void onAnswer(final long plannedNs, final long pingNs)
    {
        answered++;
        inTime += pingNs <= IN_TIME_NS ? 1 : 0;
        pings.recordAt(plannedNs, pingNs);
    }

    void addTo(final Measurements measurements, final int number)
    {
        final String suffix = "." + number;
        measurements.put(CrowdFigures.PLANNED + suffix, phase.moves())
            .put(CrowdFigures.PLANNED_NS + suffix, (long)(phase.moves() * intervalNs()))
            .put(CrowdFigures.SENT + suffix, sent)
            .put(CrowdFigures.NOT_OFFERED + suffix, notOffered)
            .put(CrowdFigures.ANSWERED + suffix, answered)
            .put(CrowdFigures.IN_TIME + suffix, inTime)
            .put(CrowdFigures.TOOK_NS + suffix, tookNs)
            .put(CrowdFigures.RECOVERED_MS + suffix, recoveredMs())
            .add(CrowdFigures.PING + suffix, pings.stop(startNs));
    }

    /** Until the first second of good service: nearly every move is answered, and 99 of 100 within the limit. */
    private long recoveredMs()
    {
        final long ns = pings.nsUntil(RECOVERY_WINDOW_NS, (answers, windowNs) ->
            answers.getTotalCount() >= Math.max(1, Math.floor(MIN_SHARE * windowNs / intervalNs())) &&
                answers.getValueAtPercentile(99) <= IN_TIME_NS);
        return ns < 0 ? CrowdFigures.UNKNOWN : TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
