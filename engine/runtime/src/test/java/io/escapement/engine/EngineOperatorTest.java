package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.engine.monitor.TrunkReport;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.output.RoomFigures;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The parts of an engine that a console reads and operates. */
class EngineOperatorTest
{
    private static final int FRAMES = 1;
    private static final int OTHER = 2;

    private static final int STATE_LENGTH = 24;
    private static final UnsafeBuffer STATE = new UnsafeBuffer(new byte[STATE_LENGTH]);

    private final CachedNanoClock clock = new CachedNanoClock();
    private volatile LongSupplier runningRoom = () -> 0;
    private volatile long seenRunning;
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
            final EngineOperator.Room room = all.rooms().get(0);
            assertEquals(new EngineOperator.Room(roomId, FRAMES, 1, room.ageNs()), room);
            assertTrue(room.ageNs() >= 0, room::toString);
            final EngineOperator.RoomList others = await(engine, operator.rooms(0, OTHER, 0));
            assertEquals(List.of(OTHER), others.rooms().stream().map(EngineOperator.Room::typeId).toList());
            assertEquals(List.of(), await(engine, operator.rooms(0, OTHER, 99)).rooms());
            assertEquals(List.of(new EngineOperator.Seat(seat.index(), 7, true, 0)),
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
    void shouldListTrunksWithTheirTraffic() throws Exception
    {
        final EngineContext context = context();
        context.trunks().rates(10_000, 1);
        try (TestEngine engine = new TestEngine(context); TestTrunk trunk = TestTrunk.over(engine))
        {
            final EngineOperator operator = engine.engine().operator();
            final long roomId = engine.engine().openRoom(FRAMES).roomId();
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            trunk.join(engine, engine.engine().openRoom(OTHER).roomId(), 8);
            final TrunkReport up = await(engine, operator.trunks()).get(0);
            assertEquals("tests", up.identity());
            assertEquals("127.0.0.1", up.address());
            assertTrue(up.isUp());
            assertEquals(1, up.loops());
            assertEquals(0, up.logIns());
            assertEquals(0, up.refused());
            assertTrue(up.entries() >= 2, up::toString);
            assertTrue(up.received() > 0, up::toString);
            // The states of frames wait for the edge now and then.
            LinkReport link = await(engine, operator.links(0)).get(0);
            while (0 != link.queued())
            {
                trunk.poll();
                link = await(engine, operator.links(0)).get(0);
            }
            assertEquals(up.link(), link.link());
            assertEquals(2, link.seats());
            assertFalse(link.isBlocked());
            assertTrue(link.sent() > 0, link::toString);
            for (int i = 0; i < 10; i++)
            {
                assertEquals(SendStatus.SENT, trunk.client().send(seat, new UnsafeBuffer(new byte[1]), 0, 1));
            }
            engine.await("a refusal of the edge", trunk, () ->
                engine.engine().counter("escapement edge: entries refused") > 0);
            final TrunkReport refused = await(engine, operator.trunks()).get(0);
            assertEquals(engine.engine().counter("escapement edge: entries refused"), refused.refused());
            assertEquals(up.entries() + 10, refused.entries());
            assertTrue(refused.received() > up.received(), refused::toString);
            trunk.client().leave(seat);
            engine.await("the free seat", trunk, () -> !trunk.left.isEmpty());
            assertEquals(1, await(engine, operator.links(0)).get(0).seats());
            trunk.breakOff();
            engine.await("the loss", trunk, () -> 0 == engine.engine().counter("escapement edge: trunks up"));
            final TrunkReport lost = await(engine, operator.trunks()).get(0);
            assertFalse(lost.isUp());
            assertEquals("", lost.address());
            assertEquals("tests", lost.identity());
            assertEquals(0, lost.loops());
            assertEquals(refused.entries() + 1, lost.entries());
            assertEquals(Map.of(TrunkCode.RATE_LIMITED.value(), refused.refused()), refused.refusedByCode());
            assertEquals(List.of(), await(engine, operator.links(0)));
        }
    }

    @Test
    void shouldReadFiguresOfARoomAndWhichOneRuns() throws Exception
    {
        try (TestEngine engine = new TestEngine(context()); TestTrunk trunk = TestTrunk.over(engine))
        {
            final EngineOperator operator = engine.engine().operator();
            final long roomId = engine.engine().openRoom(FRAMES).roomId();
            final long otherId = engine.engine().openRoom(OTHER).roomId();
            trunk.join(engine, roomId, 7);
            final RoomFigures first = await(engine, operator.figures(roomId));
            assertEquals(60, first.rateHz());
            assertEquals(1, first.timers());
            assertEquals(0, first.requests());
            assertEquals(0, first.refusals());
            assertFalse(first.isLocked());
            assertTrue(operator.kick(roomId, 99), "nobody");
            engine.await("frames and output", () -> sent(engine, roomId) >= 3 * STATE_LENGTH);
            final RoomFigures later = await(engine, operator.figures(roomId));
            assertTrue(later.callbacks() > first.callbacks(), later::toString);
            assertEquals(0, later.sentBytes() % STATE_LENGTH, later::toString);
            assertEquals(1, later.refusals(), "the kick of nobody");
            final RoomFigures.Refusal refusal = later.lastRefusals().get(0);
            assertEquals(1, later.lastRefusals().size());
            assertEquals(RefusalCode.NOT_JOINED.value(), refusal.code());
            assertEquals(0, later.statesLost());
            assertTrue(later.ageNs() > first.ageNs(), later::toString);
            assertEquals(List.of(), await(engine, operator.figures(otherId)).lastRefusals(), "of another room");
            for (final long unknown : new long[]{roomId + 99, 0, -1, Long.MAX_VALUE})
            {
                assertEquals(null, await(engine, operator.figures(unknown)));
            }
            assertEquals(List.of(otherId), await(engine, operator.rooms(0, List.of(roomId + 99, otherId))).stream()
                .map(EngineOperator.Room::roomId).toList());
            assertEquals(0, operator.runningRoom(0), "between turns");
            runningRoom = () -> operator.runningRoom(0);
            engine.await("a frame that reads it", () -> roomId == seenRunning || otherId == seenRunning);
            assertEquals(List.of(new EngineOperator.Service(5, "slow", 1, 0)), operator.services());
        }
    }

    @Test
    void shouldReadARoomsLogicAndReportAReaderThatThrows() throws Exception
    {
        try (TestEngine engine = new TestEngine(context()))
        {
            final EngineOperator operator = engine.engine().operator();
            final long roomId = engine.engine().openRoom(FRAMES).roomId();
            engine.await("the room", () -> 1 == engine.engine().counter("escapement loop 0: rooms open"));
            final String read = await(engine, operator.read(roomId, (logic) -> logic.getClass().getSimpleName()));
            assertFalse(read.isEmpty());
            assertEquals(null, await(engine, operator.read(roomId + 99, Object::toString)));
            final CompletableFuture<String> failed = operator.read(roomId, (logic) ->
            {
                throw new IllegalStateException("of the reader");
            });
            engine.await("the failure", failed::isDone);
            assertTrue(failed.isCompletedExceptionally());
            assertTrue(engine.engine().isAlive());
        }
    }

    private static long sent(final TestEngine engine, final long roomId)
    {
        final CompletableFuture<RoomFigures> figures = engine.engine().operator().figures(roomId);
        engine.await("figures", figures::isDone);
        return figures.join().sentBytes();
    }

    @Test
    void shouldLockARoomAndAType() throws Exception
    {
        try (TestEngine engine = new TestEngine(context()); TestTrunk trunk = TestTrunk.over(engine))
        {
            final EngineOperator operator = engine.engine().operator();
            final long roomId = engine.engine().openRoom(FRAMES).roomId();
            final long otherId = engine.engine().openRoom(OTHER).roomId();
            assertFalse(operator.lockRoom(Long.MAX_VALUE, true));
            assertTrue(operator.lockRoom(roomId, true));
            assertTrue(operator.lockType(OTHER, true));
            engine.await("both locks", () -> locked(engine, roomId) && locked(engine, otherId));
            for (final long locked : new long[]{roomId, otherId})
            {
                final int before = trunk.refusals.size();
                engine.await("the loop to be attached", trunk, () -> trunk.tryJoin(locked, 7));
                engine.await("a refusal", trunk, () -> trunk.refusals.size() > before);
                assertEquals(RefusalCode.ROOM_LOCKED.value(), trunk.refusals.get(before));
            }
            assertEquals(2, engine.engine().counter("escapement loop 0: refused ROOM_LOCKED"));
            assertTrue(operator.lockRoom(roomId, false));
            assertTrue(operator.lockType(OTHER, false));
            engine.await("no locks", () -> !locked(engine, roomId) && !locked(engine, otherId));
            trunk.join(engine, roomId, 7);
        }
    }

    private static boolean locked(final TestEngine engine, final long roomId)
    {
        final CompletableFuture<RoomFigures> figures = engine.engine().operator().figures(roomId);
        engine.await("figures", figures::isDone);
        return figures.join().isLocked();
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
            for (int i = 0; i < 500; i++)
            {
                clock.advance(TimeUnit.MILLISECONDS.toNanos(1));
                engine.turn();
            }
            // At 60 Hz they would be 30.
            assertTrue(frames.get() - before <= 2, () -> frames.get() - before + " frames");
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
        return new EngineContext().loops(1).clock(clock).service(5, "slow", 1, () -> (request) -> 0)
            .roomType(RoomType.of(FRAMES, "frames", 1, Counting::new))
            .roomType(RoomType.of(OTHER, "other", 1, Counting::new));
    }

    private static <T> T await(final TestEngine engine, final CompletableFuture<T> future) throws Exception
    {
        engine.await("an answer", future::isDone);
        return future.get();
    }

    private final class Counting implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
            room.after(TimeUnit.HOURS.toNanos(1), 1, 0);
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
            seenRunning = runningRoom.getAsLong();
            room.sendState(room.everyone(), STATE, 0, STATE_LENGTH);
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            closed.add(reason.name());
        }
    }
}
