package io.escapement.engine;

import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** The measurements of an engine reach each listener. */
@RealTime("the times of turns are measured")
class EngineMeasurementsTest
{
    @Test
    void shouldPassIntervalsToEachListenerAndKeepItWhenItThrows()
    {
        final Set<String> seen = ConcurrentHashMap.newKeySet();
        final EngineContext context = new EngineContext().loops(1).roomType(RoomType.of(1, "frames", 1, Frames::new))
            .monitor(new MonitorContext().intervalNs(TimeUnit.MILLISECONDS.toNanos(100))
                .intervals((loop, measurement, interval) ->
                {
                    throw new IllegalStateException("a listener's mistake");
                })
                .intervals((loop, measurement, interval) ->
                {
                    if (interval.getTotalCount() > 0)
                    {
                        seen.add(loop + " " + measurement);
                    }
                }));
        try (TestEngine engine = new TestEngine(context))
        {
            engine.engine().openRoom(1);
            engine.await("intervals", () -> seen.containsAll(
                Set.of("0 frameLateness", "0 frameWork", "0 commandWork", "0 turnCommands")));
            engine.await("the longest turn of a second", () -> engine.engine()
                .counter("escapement loop 0: nanoseconds of the longest turn in a second") > 0);
        }
    }

    private static final class Frames implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // No client joins.
        }
    }
}
