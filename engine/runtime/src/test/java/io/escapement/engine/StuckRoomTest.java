package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.ResumeTicket;
import io.escapement.client.SendStatus;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A room that never returns, or that uses up the memory, costs its loop and no more. */
@RealTime("rooms that hold a loop for seconds")
class StuckRoomTest
{
    private static final int ECHO = 1;
    private static final int EPHEMERAL = 2;

    private final AtomicBoolean isReleased = new AtomicBoolean();
    private final CountDownLatch isStuck = new CountDownLatch(1);
    private final AtomicReference<Thread> stuck = new AtomicReference<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);

    @AfterEach
    void releaseTheThread()
    {
        isReleased.set(true);
        if (null != stuck.get())
        {
            Tests.await(() -> !stuck.get().isAlive(), "the thread to end once the room returns");
        }
    }

    @Test
    void shouldDrainTheOtherLoopAndReportTheRoomAndItsStack()
    {
        final AtomicInteger next = new AtomicInteger();
        try (TestEngine engine = new TestEngine(context(2).placement((type, rooms) -> next.getAndIncrement() & 1),
            ThreadingMode.SHARED))
        {
            final RoomHandle bad = engine.engine().openRoom(EPHEMERAL);
            final RoomHandle good = engine.engine().openRoom(ECHO);
            final ResumeTicket ticket;
            try (TestTrunk trunk = TestTrunk.over(engine))
            {
                trunk.join(engine, good.roomId(), 7);
                trunk.join(engine, bad.roomId(), 8);
                hold(bad);
                ticket = trunk.client().ticket();
                trunk.breakOff();
            }
            try (TestTrunk trunk = TestTrunk.resuming(engine, ticket))
            {
                engine.await("the seat on the loop that runs", trunk, () -> 1 == trunk.resumed.size());
                final ClientSeat seat = trunk.resumed.get(0);
                engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 8));
                engine.await("the echo", trunk, () -> 1 == trunk.events);
                final long startNs = System.nanoTime();
                final DrainReport report = engine.drain(trunk, TimeUnit.MILLISECONDS.toNanos(300));
                final long tookNs = System.nanoTime() - startNs;
                assertTrue(tookNs < TimeUnit.SECONDS.toNanos(15), "it took " + tookNs);
                assertEquals(1, closed.get(), "the room of the other loop closed");
                assertEquals(TrunkCode.ENGINE_STOPPING.value(), trunk.downCode);
                assertReported(report, "loop 0", bad.roomId());
                assertTrue(report.toString().contains("aeron: memory of the client"), report::toString);
                assertFalse(report.toString().contains("loop 1"), report::toString);
            }
        }
    }

    @Test
    void shouldDrainInBoundedTimeWhenTheOnlyThreadIsHeld()
    {
        try (TestEngine engine = new TestEngine(context(1), ThreadingMode.SOLO))
        {
            final RoomHandle bad = engine.engine().openRoom(EPHEMERAL);
            hold(bad);
            final long startNs = System.nanoTime();
            final DrainReport report = engine.engine().drain(0);
            final long tookNs = System.nanoTime() - startNs;
            assertTrue(tookNs < TimeUnit.SECONDS.toNanos(15), "it took " + tookNs);
            assertReported(report, "loop 0", bad.roomId());
            assertTrue(report.toString().contains("aeron: memory of the driver"), report::toString);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SOLO", "SHARED", "INVOKER"})
    void shouldEndTrunksWhenALoopEnds(final ThreadingMode mode)
    {
        final AtomicInteger hooks = new AtomicInteger();
        final AtomicReference<Engine> running = new AtomicReference<>();
        final AtomicReference<DrainReport> drained = new AtomicReference<>();
        try (TestEngine engine = new TestEngine(context(1).faultHook(() ->
        {
            hooks.incrementAndGet();
            if (ThreadingMode.INVOKER != mode)
            {
                drained.set(running.get().drain(0));
            }
        }), mode); TestTrunk trunk = TestTrunk.over(engine))
        {
            running.set(engine.engine());
            trunk.join(engine, engine.engine().openRoom(ECHO).roomId(), 7);
            engine.engine().openRoom(EPHEMERAL).execute((room) ->
            {
                throw new OutOfMemoryError("on purpose");
            });
            engine.await("Goodbye", trunk, () -> !trunk.isUp);
            assertEquals(TrunkCode.ENGINE_STOPPING.value(), trunk.downCode);
            assertFalse(engine.engine().isAlive());
            engine.await("the hook", trunk, () -> 1 == hooks.get());
            if (ThreadingMode.INVOKER != mode)
            {
                engine.await("the hook's drain", trunk, () -> null != drained.get());
                assertTrue(drained.get().toString().contains("loop 0: ended by a fault"), drained::toString);
                assertEquals(1, drained.get().exitStatus());
            }
            assertEquals(1, engine.errors().size(), engine.errors()::toString);
            assertTrue(engine.errors().get(0) instanceof OutOfMemoryError, engine.errors()::toString);
            engine.errors().clear();
        }
    }

    private void hold(final RoomHandle room)
    {
        room.execute((in) ->
        {
            stuck.set(Thread.currentThread());
            isStuck.countDown();
            neverReturn();
        });
        Tests.await(() -> 0 == isStuck.getCount(), "the room to hold its loop");
    }

    private void neverReturn()
    {
        while (!isReleased.get())
        {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void assertReported(final DrainReport report, final String loop, final long roomId)
    {
        assertEquals(1, report.exitStatus());
        final String text = report.toString();
        assertTrue(text.contains(loop + ": threads that do not end"), text);
        assertTrue(text.contains("in room " + roomId), text);
        assertTrue(text.contains("StuckRoomTest.neverReturn"), text);
    }

    private EngineContext context(final int loops)
    {
        return new EngineContext().loops(loops)
            .roomType(RoomType.of(ECHO, "echo", 1, Echo::new).graceNs(TimeUnit.SECONDS.toNanos(20)).ephemeral())
            .roomType(RoomType.of(EPHEMERAL, "ephemeral", 1, Echo::new).ephemeral());
    }

    private final class Echo implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(from, buffer, offset, length);
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            closed.incrementAndGet();
        }
    }
}
