package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The parts of an engine that a console reads and operates. */
@Timeout(30)
class EngineOperatorTest
{
    private static final int FRAMES = 1;
    private static final int OTHER = 2;

    private final AtomicInteger frames = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> closed = new ConcurrentLinkedQueue<>();

    @Test
    void shouldListRoomsAndSeatsAndOperateThem() throws Exception
    {
        try (TestEngine engine = new TestEngine(context()); TestTrunk trunk = TestTrunk.over(engine))
        {
            final EngineOperator operator = engine.engine().operator();
            assertEquals(List.of(FRAMES, OTHER), operator.roomTypes().stream().map(RoomType::id).toList());
            final long roomId = engine.engine().openRoom(FRAMES).roomId();
            engine.engine().openRoom(OTHER);
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            final EngineOperator.RoomList all = await(engine, operator.rooms(0, EngineOperator.ANY_TYPE, 0));
            assertEquals(2, all.open());
            assertEquals(2, all.next());
            assertEquals(new EngineOperator.Room(roomId, FRAMES, 1), all.rooms().get(0));
            final EngineOperator.RoomList others = await(engine, operator.rooms(0, OTHER, 0));
            assertEquals(List.of(OTHER), others.rooms().stream().map(EngineOperator.Room::typeId).toList());
            assertEquals(List.of(), await(engine, operator.rooms(0, OTHER, 99)).rooms());
            assertEquals(List.of(new EngineOperator.Seat(seat.index(), 7, true)),
                await(engine, operator.seats(roomId)));
            for (final long unknown : new long[]{roomId + 99, 0, -1, Long.MAX_VALUE})
            {
                assertEquals(null, await(engine, operator.room(unknown)));
                assertEquals(null, await(engine, operator.seats(unknown)));
            }
            assertFalse(operator.closeRoom(Long.MAX_VALUE));
            assertTrue(operator.kick(roomId, 7));
            engine.await("the kick", trunk, () -> !trunk.left.isEmpty());
            assertEquals(List.of(), await(engine, operator.seats(roomId)));
            assertTrue(operator.closeRoom(roomId));
            engine.await("the close", () -> closed.contains("BY_COMMAND"));
            assertEquals(null, await(engine, operator.room(roomId)));
        }
    }

    @Test
    void shouldCapTheRateOfAType()
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            engine.engine().openRoom(FRAMES);
            engine.await("frames", () -> frames.get() > 2);
            assertTrue(engine.engine().operator().capRate(FRAMES, 1));
            final long commands = engine.engine().counter("escapement loop 0: commands");
            engine.await("the command", () -> engine.engine().counter("escapement loop 0: commands") > commands);
            final int before = frames.get();
            final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
            engine.await("half a second", () -> System.nanoTime() > endNs);
            // At 60 Hz they would be 30.
            assertTrue(frames.get() - before <= 5, () -> frames.get() - before + " frames");
        }
    }

    @Test
    void shouldPassIntervalsToEachListenerAndKeepItWhenItThrows()
    {
        final Set<String> seen = ConcurrentHashMap.newKeySet();
        final EngineContext context = context();
        context.monitor(new MonitorContext().intervalNs(TimeUnit.MILLISECONDS.toNanos(100))
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
            engine.engine().openRoom(FRAMES);
            engine.await("intervals", () -> seen.containsAll(
                Set.of("0 frameLateness", "0 frameWork", "0 commandWork", "0 turnCommands")));
        }
    }

    @Test
    void shouldRememberTheLastFaults() throws Exception
    {
        final int mistakes = 40;
        final AtomicInteger made = new AtomicInteger();
        try (TestEngine engine = new TestEngine(context());
            AutoCloseable job = engine.engine().every(1_000_000, () ->
            {
                if (made.get() < mistakes)
                {
                    throw new IllegalStateException("mistake " + made.incrementAndGet());
                }
            }))
        {
            engine.await("the faults", () -> mistakes == engine.errors().size());
            final List<EngineOperator.Fault> faults = engine.engine().operator().faults();
            assertEquals(32, faults.size());
            assertEquals("mistake 40", faults.get(31).cause().getMessage());
            assertTrue(faults.get(0).timeMs() > 0);
            job.close();
            engine.errors().clear();
        }
    }

    private EngineContext context()
    {
        return new EngineContext().loops(1).roomType(RoomType.of(FRAMES, "frames", 1, Counting::new))
            .roomType(RoomType.of(OTHER, "other", 1, Counting::new));
    }

    private static <T> T await(final TestEngine engine, final CompletableFuture<T> future) throws Exception
    {
        engine.await("an answer", future::isDone);
        return future.get();
    }

    private final class Counting implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            from.index();
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            frames.incrementAndGet();
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            closed.add(reason.name());
        }
    }
}
