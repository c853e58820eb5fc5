package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.FlightRecording;
import io.escapement.testsupport.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Events of a loop in the flight recorder, for which its thread allocates nothing. */
@RealTime("the flight recorder of this JVM")
class LoopFlightTest
{
    private static final int LOOP = 3;
    private static final String LATE = "escapement.LateFrame";
    private static final String LONG = "escapement.LongTurn";
    private static final String SNAPSHOT = "escapement.Snapshot";
    private static final int ROUNDS = 20;
    private static final int CYCLES = 50_000;

    private final List<Throwable> errors = new ArrayList<>();
    private final LoopCounters counters = new LoopCounters(LOOP, new EngineCounters(), Map.of());
    private long timeNs;
    private final LoopEvents events = new LoopEvents(new LoopContext().loop(LOOP).counters(counters)
        .clock(new EngineClock(() -> timeNs)).errorHandler(errors::add), null, null);

    @Test
    void shouldRecordFramesThatAreLaterThanTheSetting()
    {
        try (FlightRecording recording = new FlightRecording().with(LATE, "lateness", "5 ms").start())
        {
            cycle(ms(4), 10, 0);
            cycle(ms(7), 12, 1);
            cycle(ms(3), 10, 0);
            cycle(ms(9), 13, 2);
            final List<RecordedEvent> late = recording.stop(LATE);
            assertEquals(2, late.size(), late::toString);
            assertFrames(late.get(0), 7, 12, 1);
            assertFrames(late.get(1), 9, 13, 2);
            assertTrue(late.get(1).getStartTime().isAfter(late.get(0).getStartTime()), late::toString);
        }
    }

    @Test
    void shouldRecordFramesThatAreLateByDefault()
    {
        try (FlightRecording recording = new FlightRecording().start())
        {
            cycle(ms(9), 10, 0);
            cycle(ms(10), 11, 0);
            final List<RecordedEvent> late = recording.stop(LATE);
            assertEquals(1, late.size(), late::toString);
            assertFrames(late.get(0), 10, 11, 0);
        }
    }

    @Test
    void shouldRecordTurnsWithWork()
    {
        try (FlightRecording recording = new FlightRecording().with(LONG, "threshold", "0 ns").start())
        {
            events.cycle(0, false);
            events.commands(7);
            frames(0, 2, 0);
            events.cycle(0, true);
            events.cycle(0, false);
            events.commands(5);
            events.cycle(0, true);
            final List<RecordedEvent> turns = recording.stop(LONG);
            assertEquals(2, turns.size(), turns::toString);
            assertEquals(LOOP, turns.get(0).getInt("loop"));
            assertEquals(7, turns.get(0).getInt("commands"));
            assertEquals(2, turns.get(0).getInt("frames"));
            assertEquals(5, turns.get(1).getInt("commands"));
            assertEquals(0, turns.get(1).getInt("frames"));
            assertFalse(turns.get(1).getStartTime().isBefore(turns.get(0).getEndTime()), turns::toString);
        }
    }

    @Test
    void shouldNotRecordATurnThatBeganBeforeTheRecording()
    {
        events.cycle(0, false);
        events.commands(1);
        try (FlightRecording recording = new FlightRecording().with(LONG, "threshold", "0 ns").start())
        {
            events.cycle(0, true);
            events.commands(2);
            events.cycle(0, true);
            final List<RecordedEvent> turns = recording.stop(LONG);
            assertEquals(1, turns.size(), turns::toString);
            assertEquals(2, turns.get(0).getInt("commands"));
        }
    }

    @Test
    void shouldNotRecordShortTurnsByDefault()
    {
        try (FlightRecording recording = new FlightRecording().start())
        {
            for (int i = 0; i < 100; i++)
            {
                events.cycle(0, true);
            }
            // The machine may have stopped this thread in one of them.
            assertTrue(recording.stop(LONG).stream()
                .allMatch((turn) -> turn.getDuration().compareTo(Duration.ofMillis(10)) >= 0));
        }
    }

    @Test
    void shouldRecordSnapshots()
    {
        final FakeSnapshots target = new FakeSnapshots(() -> 0);
        target.isSlow = true;
        final LoopSnapshots snapshots = new LoopSnapshots(LOOP, target, 1, ms(1), counters, errors::add);
        final RoomHost host = new RoomHost(new HostContext().outputs(NoOutputs.NONE)
            .roomType(RoomType.of(1, "ordered", 1, () -> new OrderedRoom(new ArrayList<>()))));
        try (FlightRecording recording = new FlightRecording().start())
        {
            snapshots.begin(0, 0);
            snapshots.onTurns(1);
            snapshots.step(host, 1);
            target.write();
            snapshots.step(host, 2);
            snapshots.onTurns(1);
            snapshots.step(host, 3);
            target.fail();
            snapshots.step(host, 4);
            final List<RecordedEvent> taken = recording.stop(SNAPSHOT);
            assertEquals(2, taken.size(), taken::toString);
            assertTrue(taken.get(0).getBoolean("isCompleted"));
            assertFalse(taken.get(1).getBoolean("isCompleted"));
            assertEquals(LOOP, taken.get(0).getInt("loop"));
            assertEquals(0, taken.get(0).getInt("rooms"));
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAllocateNothingWithoutARecording()
    {
        assertEquals(0, Allocations.least(ROUNDS, this::cycles));
    }

    @Test
    void shouldAllocateNothingInARecordingOfNothing()
    {
        try (FlightRecording recording = new FlightRecording().with(LATE, "lateness", "1 s")
            .with(LONG, "threshold", "1 s").start())
        {
            assertEquals(0, Allocations.least(ROUNDS, this::cycles));
            assertEquals(List.of(), recording.stop(LATE));
        }
    }

    @Test
    void shouldAllocateNothingInARecordingOfEverything()
    {
        try (FlightRecording recording = new FlightRecording().with(LATE, "lateness", "0 ns")
            .with(LONG, "threshold", "0 ns").start())
        {
            assertEquals(0, Allocations.least(ROUNDS, this::cycles));
            assertTrue(recording.stop(LATE).size() >= CYCLES);
        }
    }

    private void cycles()
    {
        for (int i = 0; i < CYCLES; i++)
        {
            events.cycle(timeNs, true);
            events.commands(1);
            frames(ms(5), 1, 0);
        }
    }

    private void cycle(final long latenessNs, final int ran, final int missed)
    {
        events.cycle(timeNs, false);
        frames(latenessNs, ran, missed);
    }

    private void frames(final long latenessNs, final int ran, final int missed)
    {
        events.onCommandsRun();
        timeNs += ms(1);
        events.onFrames(60, 2, timeNs - latenessNs, ran, missed);
    }

    private static void assertFrames(final RecordedEvent event, final long lateMs, final int ran, final int missed)
    {
        assertEquals(LOOP, event.getInt("loop"));
        assertEquals(60, event.getInt("rateHz"));
        assertEquals(2, event.getInt("phase"));
        assertEquals(Duration.ofMillis(lateMs), event.getDuration("latenessNs"));
        assertEquals(Duration.ofMillis(1), event.getDuration("workNs"));
        assertEquals(ran, event.getInt("frames"));
        assertEquals(missed, event.getInt("missed"));
        assertEquals("Escapement", event.getEventType().getCategoryNames().get(0));
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
