package io.escapement.perf.players;

import io.escapement.perf.process.Findings;
import java.util.concurrent.TimeUnit;

/** What became of the moves of a phase. */
final class PhaseScore
{
    /** What is later than this is of no use to a player. */
    static final long IN_TIME_NS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final long WHILE_NS = TimeUnit.SECONDS.toNanos(1);

    final Phase phase;
    final double intervalNs;
    /** Every bot's first move of the phase. */
    final int firstNumber;
    /** Far in the future, as long as the phase has not begun. */
    long startNs = Long.MAX_VALUE;
    long tookNs;
    long sent;
    long notOffered;
    private final PlannedPings pings;
    private long answered;
    private long inTime;

    PhaseScore(final Phase phase, final int firstNumber)
    {
        this.phase = phase;
        this.firstNumber = firstNumber;
        intervalNs = 1e9 / phase.movesPerSecond();
        pings = new PlannedPings(phase);
    }

    void start(final long nowNs)
    {
        startNs = nowNs;
        pings.start(nowNs);
    }

    long plannedNs(final long move)
    {
        return startNs + (long)(move * intervalNs);
    }

    void answered(final long plannedNs, final long pingNs)
    {
        answered++;
        inTime += pingNs <= IN_TIME_NS ? 1 : 0;
        pings.record(plannedNs, pingNs);
    }

    void tell(final Findings findings, final int number)
    {
        final String end = "." + number;
        findings.put(PlayersRun.PLANNED + end, phase.moves())
            .put(PlayersRun.PLANNED_NS + end, (long)(phase.moves() * intervalNs))
            .put(PlayersRun.SENT + end, sent)
            .put(PlayersRun.NOT_OFFERED + end, notOffered)
            .put(PlayersRun.ANSWERED + end, answered)
            .put(PlayersRun.IN_TIME + end, inTime)
            .put(PlayersRun.TOOK_NS + end, tookNs)
            .put(PlayersRun.RECOVERED_MS + end, pings.recoveredMs(IN_TIME_NS, WHILE_NS))
            .add(PlayersRun.PING + end, pings.intervals());
    }
}
