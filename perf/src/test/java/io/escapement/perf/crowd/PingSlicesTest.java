package io.escapement.perf.crowd;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

@Timeout(10)
class PingSlicesTest
{
    private static final long START_NS = 5_000;
    private static final LoadPhase PHASE = new LoadPhase(100, 3_000);

    private final PingSlices pings = new PingSlices(PHASE);

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

        final PingSlices gapped = new PingSlices(PHASE);
        gapped.start(START_NS);
        for (int move = 0; move < 300; move++)
        {
            if (0 != move % 50)
            {
                gapped.record(plannedNs(move), ms(2));
            }
        }
        assertEquals(CrowdFigures.UNKNOWN, gapped.recoveredMs(ms(40), ms(1_000)));
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
        pings.start(START_NS);
        pings.record(plannedNs(250), ms(1));
        pings.record(plannedNs(5), ms(2_900));
        assertEquals(2, pings.intervals().length);
        assertEquals(2_900, pings.intervals()[0].getMaxValue() / 1_000_000, 3);
    }

    private void record(final int from, final int to, final long pingMs)
    {
        pings.start(START_NS);
        for (int move = from; move < to; move++)
        {
            pings.record(plannedNs(move), ms(pingMs));
        }
    }

    private long recoveredMs()
    {
        return pings.recoveredMs(ms(40), ms(1_000));
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
