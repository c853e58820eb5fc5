package io.escapement.engine;

import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.LogInService;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Code of the program that throws, blocks, interrupts or answers twice stops no thread of the engine. */
class UserCodeTest
{
    private static final int EPHEMERAL = 1;
    private static final int OPENER = 2;
    private static final int LOG_INS = 200;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();

    @Test
    void shouldFailTheRoomThatInterruptsItsThreadAndGoOn()
    {
        try (Engine engine = engine(errors::add, context()))
        {
            final RoomHandle bad = engine.openRoom(EPHEMERAL);
            final RoomHandle good = engine.openRoom(EPHEMERAL);
            bad.execute((room) -> Thread.currentThread().interrupt());
            awaitARun(good);
            Tests.await(() -> 1 == errors.size(), "the failure");
            assertTrue(errors.get(0).toString().contains("room " + bad.roomId()), errors::toString);
            assertTrue(errors.get(0).getCause().getMessage().contains("interrupt"), errors::toString);
            assertTrue(engine.isAlive());
        }
    }

    @Test
    void shouldSurviveAnInterruptFromAnotherThread()
    {
        try (Engine engine = engine(errors::add, context()))
        {
            final RoomHandle room = engine.openRoom(EPHEMERAL);
            final AtomicReference<Thread> loop = new AtomicReference<>();
            room.execute((in) -> loop.set(Thread.currentThread()));
            Tests.await(() -> null != loop.get(), "the loop's thread");
            loop.get().interrupt();
            Tests.await(() -> !loop.get().isInterrupted(), "the interrupt to be cleared");
            awaitARun(room);
            assertTrue(engine.isAlive());
        }
    }

    @Test
    void shouldGoOnWhenTheErrorHandlerThrows()
    {
        final AtomicInteger calls = new AtomicInteger();
        try (Engine engine = engine((ex) ->
        {
            calls.incrementAndGet();
            throw new IllegalStateException("the handler, on purpose", ex);
        }, context()))
        {
            for (int i = 1; i <= 3; i++)
            {
                failARoom(engine);
                final int expected = i;
                Tests.await(() -> expected == calls.get(), "a call");
            }
            awaitARun(engine.openRoom(EPHEMERAL));
            assertTrue(engine.isAlive());
        }
    }

    @Test
    void shouldGoOnWhenTheErrorHandlerBlocks()
    {
        final CountDownLatch isBlocked = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        try (Engine engine = engine((ex) ->
        {
            isBlocked.countDown();
            awaitUninterruptibly(release);
        }, context()))
        {
            for (int i = 0; i < 300; i++)
            {
                failARoom(engine);
            }
            Tests.await(() -> 0 == isBlocked.getCount(), "the handler");
            awaitARun(engine.openRoom(EPHEMERAL));
            // It does not wait for the handler.
            assertEquals(0, engine.drain(0).exitStatus());
        }
        finally
        {
            release.countDown();
        }
    }

    @Test
    void shouldGoOnWhenTheStallHookBlocksOrThrows()
    {
        final CountDownLatch release = new CountDownLatch(1);
        final AtomicInteger calls = new AtomicInteger();
        try (Engine engine = engine(errors::add, context().monitor(
            new MonitorContext().stallWarmUp(0).stalls(TimeUnit.MILLISECONDS.toNanos(20), (stall) ->
            {
                calls.incrementAndGet();
                awaitUninterruptibly(release);
                throw new IllegalStateException("on purpose");
            }))))
        {
            final RoomHandle room = engine.openRoom(EPHEMERAL);
            for (long stalls = 1; stalls <= 3; stalls++)
            {
                final long expected = stalls;
                room.execute((in) -> Tests.await(() -> expected <= stalls(engine), "a stall"));
                Tests.await(() -> expected <= stalls(engine), "a stall to be detected though the hook blocks");
                awaitARun(engine.openRoom(EPHEMERAL));
            }
            release.countDown();
            Tests.await(() -> 2 <= calls.get(), "the hook to be called again");
            assertTrue(engine.isAlive());
        }
        finally
        {
            release.countDown();
        }
    }

    @Test
    void shouldPlaceRoomsWhenTheStrategyFails()
    {
        final AtomicInteger calls = new AtomicInteger();
        try (TestEngine engine = new TestEngine(new EngineContext().loops(2)
            .roomType(RoomType.of(EPHEMERAL, "ephemeral", 1, Idle::new).ephemeral())
            .roomType(RoomType.of(OPENER, "opener", 1, Opener::new).ephemeral())
            .placement((typeId, rooms) ->
            {
                calls.incrementAndGet();
                rooms[0] = 1_000;
                if (EPHEMERAL == typeId)
                {
                    throw new IllegalStateException("on purpose");
                }
                return 7;
            })))
        {
            final RoomHandle opener = engine.engine().openRoom(OPENER);
            assertTrue(opener.signal(new UnsafeBuffer(new byte[8]), 0, 8));
            engine.await("the room", () -> 2 == engine.engine().counter("escapement loop 0: rooms open") +
                engine.engine().counter("escapement loop 1: rooms open"));
            for (int i = 0; i < 1_000; i++)
            {
                engine.turn();
            }
            assertEquals(2, calls.get(), "a call for each room");
            assertEquals(1, engine.engine().counter("escapement loop 0: rooms open"), "the least loaded loop");
            assertEquals(2, engine.errors().size());
            assertTrue(engine.errors().get(0).getMessage().contains("it chose loop 7 of 2"), engine.errors()::toString);
            engine.errors().clear();
        }
    }

    @Test
    void shouldGiveBackThePlacesOfLogInsThatThrow()
    {
        final Map<Long, Integer> statuses = new TreeMap<>();
        try (TestEngine engine = logInEngine((trunkId, credentials, reply) ->
        {
            throw new IllegalStateException("on purpose");
        }); TestTrunk trunk = TestTrunk.over(engine).forwardTo(new LogInListener(statuses)))
        {
            for (long request = 1; request <= LOG_INS; request++)
            {
                logIn(engine, trunk, request);
                final long expected = request;
                engine.await("a reply", trunk, () -> statuses.containsKey(expected));
                assertEquals(RefusalCode.SERVICE_FAILED.value(), statuses.get(request), "log-in " + request);
            }
            assertEquals(LOG_INS, engine.errors().size());
            engine.errors().clear();
        }
    }

    @Test
    void shouldGoOnWhenALogInBlocksAndIgnoreASecondReply()
    {
        final CountDownLatch release = new CountDownLatch(1);
        final Map<Long, Integer> statuses = new TreeMap<>();
        try (TestEngine engine = logInEngine((trunkId, credentials, reply) ->
        {
            awaitUninterruptibly(release);
            reply.onReply(0, 7);
            reply.onReply(0, 8);
        }); TestTrunk trunk = TestTrunk.over(engine).forwardTo(new LogInListener(statuses)))
        {
            logIn(engine, trunk, 1);
            // The edge admits a join while the service holds its thread.
            trunk.join(engine, engine.engine().openRoom(OPENER).roomId(), 7);
            assertFalse(statuses.containsKey(1L));
            release.countDown();
            engine.await("a reply", trunk, () -> statuses.containsKey(1L));
            engine.await("the report", trunk, () -> !engine.errors().isEmpty());
            assertTrue(engine.errors().get(0).getMessage().contains("replied to twice"), engine.errors()::toString);
            assertEquals(1, engine.errors().size(), engine.errors()::toString);
            engine.errors().clear();
        }
    }

    private static void logIn(final TestEngine engine, final TestTrunk trunk, final long request)
    {
        engine.await("to log in", trunk, () -> SendStatus.SENT ==
            trunk.client().logIn(request, new byte[]{1}));
    }

    private TestEngine logInEngine(final LogInService service)
    {
        final EngineContext context = new EngineContext().loops(1)
            .roomType(RoomType.of(OPENER, "opener", 1, Opener::new).ephemeral());
        context.trunks().secret(TestTrunk.SECRET, true).logInService(service);
        return new TestEngine(context);
    }

    private static long stalls(final Engine engine)
    {
        return engine.counter("escapement loop 0: stalls");
    }

    private static void failARoom(final Engine engine)
    {
        engine.openRoom(EPHEMERAL).execute((room) ->
        {
            throw new IllegalStateException("a room, on purpose");
        });
        awaitARun(engine.openRoom(EPHEMERAL));
    }

    private static void awaitARun(final RoomHandle room)
    {
        final CountDownLatch hasRun = new CountDownLatch(1);
        Tests.await(() -> room.execute((in) ->
        {
            hasRun.countDown();
            in.close();
        }) && 0 == hasRun.getCount(), "the loop to run a room");
    }

    private static void awaitUninterruptibly(final CountDownLatch latch)
    {
        boolean isOpen = false;
        while (!isOpen)
        {
            try
            {
                latch.await();
                isOpen = true;
            }
            catch (final InterruptedException ex)
            {
                // Code that does not react to interrupts.
            }
        }
    }

    private static EngineContext context()
    {
        return new EngineContext().loops(1)
            .roomType(RoomType.of(EPHEMERAL, "ephemeral", 1, Idle::new).ephemeral());
    }

    private static Engine engine(final ErrorHandler errorHandler, final EngineContext context)
    {
        return Engine.launch(context
            .threadingMode(ThreadingMode.SOLO)
            .driverContext(TestTrunk.driverContext())
            .trunks(new TrunkServerContext().ipc(true).secret(TestTrunk.SECRET, true))
            .errorHandler(errorHandler));
    }

    private record LogInListener(Map<Long, Integer> statuses) implements TrunkListener
    {
        @Override
        public void onLogIn(final long requestId, final int status, final long playerId, final byte[] token)
        {
            statuses.put(requestId, status);
        }
    }

    private static class Idle implements RoomLogic
    {
        Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // Nobody sends one.
        }
    }

    private static final class Opener extends Idle
    {
        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            room.openRoom(EPHEMERAL, buffer, offset, length);
        }
    }
}
