package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.CounterTypes;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.FlightRecording;
import io.escapement.testsupport.RealTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Refusals in the flight recorder, from the counters of a loop and the edge. */
@RealTime("the flight recorder of this JVM")
class RefusalBurstsTest
{
    private static final String BURST = "escapement.RefusalBurst";
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final EngineCounters counters = new EngineCounters();
    private final AtomicCounter ofLoop =
        counters.counter(CounterTypes.LOOP_CODES + 9, "escapement loop 1: refused ROOM_FULL");
    private final AtomicCounter ofEdge =
        counters.counter(CounterTypes.EDGE_CODES + 42, "escapement edge: refused BAD_ATTACH");
    private final AtomicCounter other = counters.counter(CounterTypes.LOOP + 2, "escapement loop 1: commands refused");
    private final RefusalBursts bursts = new RefusalBursts(counters);
    private long nowNs = SECOND_NS;

    @Test
    void shouldRecordSecondsWithManyRefusals()
    {
        try (FlightRecording recording = new FlightRecording().with(BURST, "count", "50").start())
        {
            second(49, 0);
            second(50, 0);
            second(0, 300);
            bursts.poll(nowNs + SECOND_NS / 2);
            final List<RecordedEvent> found = recording.stop(BURST);
            assertEquals(2, found.size(), found::toString);
            assertBurst(found.get(0), "loop 1", 9, "ROOM_FULL", 50);
            assertBurst(found.get(1), "edge", 42, "BAD_ATTACH", 300);
        }
    }

    @Test
    void shouldRecordAHundredByDefault()
    {
        try (FlightRecording recording = new FlightRecording().start())
        {
            second(99, 0);
            second(0, 100);
            assertEquals(1, recording.stop(BURST).size());
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        assertEquals(0, Allocations.least(20, this::seconds));
        try (FlightRecording recording = new FlightRecording().start())
        {
            assertEquals(0, Allocations.least(20, this::seconds));
        }
    }

    private void seconds()
    {
        for (int i = 0; i < 10_000; i++)
        {
            second(1, 200);
        }
    }

    private void second(final int refusedByLoop, final int refusedByEdge)
    {
        other.getAndAddRelease(1_000);
        ofLoop.getAndAddRelease(refusedByLoop);
        ofEdge.getAndAddRelease(refusedByEdge);
        nowNs += SECOND_NS;
        bursts.poll(nowNs);
    }

    private static void assertBurst(
        final RecordedEvent event, final String source, final int code, final String reason, final long count)
    {
        assertEquals(source, event.getString("source"));
        assertEquals(code, event.getInt("code"));
        assertEquals(reason, event.getString("reason"));
        assertEquals(count, event.getLong("count"));
    }
}
