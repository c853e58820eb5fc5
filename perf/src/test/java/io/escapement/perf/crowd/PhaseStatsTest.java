package io.escapement.perf.crowd;

import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class PhaseStatsTest
{
    private static final long START_NS = 5_000;
    private static final LoadPhase PHASE = new LoadPhase(100, 3_000);

    private final PhaseStats stats = new PhaseStats(PHASE);

    @BeforeEach
    void start()
    {
        stats.start(START_NS);
    }

    @Test
    void shouldFindTheFirstSecondOfGoodService()
    {
        record(0, 100, 100);
        record(100, 300, 2);
        assertEquals(1_000, recoveredMs());
    }

    @Test
    void shouldFindGoodServiceFromTheStart()
    {
        record(0, 300, 2);
        assertEquals(0, recoveredMs());
    }

    @Test
    void shouldRejectASecondWithUnansweredMoves()
    {
        record(0, 190, 2);
        record(195, 300, 2);
        assertEquals(0, recoveredMs());

        stats.start(START_NS);
        for (int move = 0; move < 300; move++)
        {
            if (0 != move % 50)
            {
                stats.onAnswer(plannedNs(move), ms(2));
            }
        }
        assertEquals(CrowdFigures.UNKNOWN, recoveredMs());
    }

    @Test
    void shouldReportThatServiceNeverBecameGood()
    {
        record(0, 300, 41);
        assertEquals(CrowdFigures.UNKNOWN, recoveredMs());
    }

    @Test
    void shouldRecordByThePlannedTime()
    {
        stats.onAnswer(plannedNs(250), ms(1));
        stats.onAnswer(plannedNs(5), ms(2_900));
        final List<Histogram> intervals = measurements().intervals(CrowdFigures.PING + ".0");
        assertEquals(2, intervals.size());
        assertEquals(2_900, intervals.get(0).getMaxValue() / 1_000_000, 3);
    }

    private void record(final int from, final int to, final long pingMs)
    {
        for (int move = from; move < to; move++)
        {
            stats.onAnswer(plannedNs(move), ms(pingMs));
        }
    }

    private long recoveredMs()
    {
        return measurements().value(CrowdFigures.RECOVERED_MS + ".0");
    }

    private Measurements measurements()
    {
        final Measurements measurements = new Measurements();
        stats.addTo(measurements, 0);
        return measurements;
    }

    private static long plannedNs(final int move)
    {
        return START_NS + move * ms(10);
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
