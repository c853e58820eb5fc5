package io.escapement.engine;

import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every method of an engine in every thread that runs code of the application: it works, or throws at once. */
class CallingThreadsTest
{
    private static final int TYPE = 1;
    private static final int SERVICE = 5;

    /** Each runs code once in a thread of the engine. */
    private enum Caller
    {
        ROOM, JOB, ERROR_HANDLER, STALL_HOOK, PLACEMENT, SERVICE_WORKER
    }

    private static final Set<Caller> OTHER_THREADS =
        EnumSet.of(Caller.JOB, Caller.STALL_HOOK, Caller.PLACEMENT, Caller.SERVICE_WORKER);

    private final Map<String, String> results = new ConcurrentHashMap<>();
    private final AtomicReference<Runnable> task = new AtomicReference<>();

    @ParameterizedTest
    @EnumSource(value = ThreadingMode.class, names = {"SOLO", "SHARED", "INVOKER"})
    void shouldWorkOrThrowAtOnce(final ThreadingMode mode) throws Exception
    {
        try (TestEngine engine = new TestEngine(context(), mode))
        {
            for (final Caller caller : Caller.values())
            {
                shouldWorkOrThrowAtOnce(engine, mode, caller);
            }
            assertTrue(engine.engine().isAlive());
            assertTrue(engine.drain((TestTrunk)null, 0).lines().size() > 10);
            engine.errors().clear();
        }
    }

    private void shouldWorkOrThrowAtOnce(final TestEngine engine, final ThreadingMode mode, final Caller caller)
        throws Exception
    {
        final RoomHandle room = engine.engine().openRoom(TYPE);
        final Map<String, Runnable> methods = methods(engine.engine(), room);
        if (ThreadingMode.INVOKER == mode && OTHER_THREADS.contains(caller))
        {
            // Any thread may run a duty cycle, so this could be in the way of the test's.
            methods.remove("invoke");
        }
        results.clear();
        run(engine, room, caller,
            () -> methods.forEach((name, method) -> results.put(name, resultOf(method))));
        engine.await("all methods in " + caller, () -> results.size() == methods.size());
        for (final String name : methods.keySet())
        {
            final String result = results.get(name);
            switch (name)
            {
                case "close", "drain" -> assertTrue(result.startsWith(name + ": called in ") &&
                    result.contains("a thread of the engine"), () -> name + " gave " + result + " in " + caller);
                case "invoke" -> assertTrue(result.startsWith(ThreadingMode.INVOKER == mode ?
                    "invoke: " : "threadingMode: "), () -> name + " gave " + result + " in " + caller);
                default -> assertEquals("done", result, () -> name + " in " + caller);
            }
        }
    }

    @Test
    void shouldRefuseEverythingThatNeedsARunningEngineAfterClose()
    {
        final Engine engine;
        final RoomHandle room;
        try (TestEngine running = new TestEngine(context()))
        {
            engine = running.engine();
            room = engine.openRoom(TYPE);
        }
        engine.close();
        final Map<String, Runnable> methods = methods(engine, room);
        for (final String name : List.of("openRoom", "every", "drain"))
        {
            assertEquals("the engine is closed", resultOf(methods.get(name)), name);
        }
        for (final String name : List.of("counter", "metricsPort", "loops", "recorder", "isAlive", "invoke", "close"))
        {
            assertEquals("done", resultOf(methods.get(name)), name);
        }
    }

    private void run(final TestEngine engine, final RoomHandle room, final Caller caller, final Runnable all)
        throws Exception
    {
        switch (caller)
        {
            case ROOM -> assertTrue(room.execute((in) -> all.run()));
            case JOB ->
            {
                task.set(all);
                final AutoCloseable job = engine.engine().every(1_000_000, this::runTask);
                engine.await("the job", () -> null == task.get());
                job.close();
            }
            case PLACEMENT ->
            {
                task.set(all);
                // The room opens another.
                assertTrue(room.signal(new UnsafeBuffer(new byte[8]), 0, 1));
            }
            case SERVICE_WORKER ->
            {
                task.set(all);
                assertTrue(room.signal(new UnsafeBuffer(new byte[8]), 0, 2));
            }
            case ERROR_HANDLER ->
            {
                engine.onNextError(all);
                assertTrue(room.execute((in) ->
                {
                    throw new IllegalStateException("on purpose");
                }));
            }
            default ->
            {
                // Each turn is reported once, so the room must not be held in one that is late already.
                final AtomicLong turn = new AtomicLong(Long.MAX_VALUE);
                assertTrue(room.execute((in) -> turn.set(turns(engine))));
                engine.await("the end of a turn", () -> turns(engine) > turn.get());
                final AtomicBoolean isReported = new AtomicBoolean();
                task.set(() ->
                {
                    isReported.set(true);
                    all.run();
                });
                assertTrue(room.execute((in) -> Tests.await(isReported::get, "a stall")));
            }
        }
    }

    private static long turns(final TestEngine engine)
    {
        return engine.engine().counter("escapement loop 0: turns");
    }

    private void runTask()
    {
        final Runnable taken = task.getAndSet(null);
        if (null != taken)
        {
            taken.run();
        }
    }

    private static String resultOf(final Runnable method)
    {
        try
        {
            method.run();
            return "done";
        }
        catch (final IllegalStateException ex)
        {
            return ex.getMessage();
        }
    }

    private static Map<String, Runnable> methods(final Engine engine, final RoomHandle room)
    {
        final Map<String, Runnable> methods = new LinkedHashMap<>();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        methods.put("openRoom", () -> engine.openRoom(TYPE));
        methods.put("openRoom with arguments", () -> engine.openRoom(TYPE, buffer, 0, 8));
        methods.put("invoke", engine::invoke);
        methods.put("every", () -> engine.every(1_000_000_000L, () -> { }));
        methods.put("counter", () -> engine.counter("escapement loop 0: commands"));
        methods.put("metricsPort", engine::metricsPort);
        methods.put("aeronDirectory", engine::aeronDirectory);
        methods.put("loops", engine::loops);
        methods.put("recorder", () -> engine.recorder(0));
        methods.put("isAlive", engine::isAlive);
        methods.put("drain", () -> engine.drain(0));
        methods.put("close", engine::close);
        methods.put("RoomHandle.roomId", room::roomId);
        methods.put("RoomHandle.signal", () -> room.signal(buffer, 0, 8));
        methods.put("RoomHandle.execute", () -> room.execute((in) -> { }));
        methods.put("RoomHandle.after", () -> room.after(1, (in) -> { }));
        methods.put("RoomHandle.close", room::close);
        return methods;
    }

    private EngineContext context()
    {
        return new EngineContext().loops(1)
            .roomType(RoomType.of(TYPE, "calling", 1, Calling::new).ephemeral())
            .monitor(new MonitorContext().stallWarmUp(0).stalls(20_000_000, (stall) -> runTask()))
            .placement((typeId, rooms) ->
            {
                runTask();
                return 0;
            })
            .service(SERVICE, "calling", 1, () -> (request) ->
            {
                runTask();
                return 0;
            });
    }

    private static final class Calling implements RoomLogic
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
            // Nobody sends one.
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            if (1 == length)
            {
                room.openRoom(TYPE, buffer, offset, length);
            }
            else if (2 == length)
            {
                room.async(SERVICE, 1, buffer, offset, length);
            }
        }
    }
}
