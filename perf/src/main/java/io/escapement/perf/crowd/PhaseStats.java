package io.escapement.perf.crowd;

import io.escapement.perf.rig.Measurements;
import java.util.concurrent.TimeUnit;

/** Statistics of the moves of a phase. */
final class PhaseStats
{
    /** A later answer is of no use to a player. */
    static final long IN_TIME_NS = TimeUnit.MILLISECONDS.toNanos(40);

    private static final long RECOVERY_WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    final LoadPhase phase;
    final int firstNumber;
    private final PingSlices pings;
    /** In the far future until the phase starts. */
    long startNs = Long.MAX_VALUE;
    private long tookNs;
    private long sent;
    private long notOffered;
    private long answered;
    private long inTime;

    /** The first number is that of every bot's first move in the phase. */
    PhaseStats(final LoadPhase phase, final int firstNumber)
    {
        this.phase = phase;
        this.firstNumber = firstNumber;
        pings = new PingSlices(phase);
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
        pings.record(plannedNs, pingNs);
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
            .put(CrowdFigures.RECOVERED_MS + suffix, pings.recoveredMs(IN_TIME_NS, RECOVERY_WINDOW_NS))
            .add(CrowdFigures.PING + suffix, pings.intervals());
    }
}
