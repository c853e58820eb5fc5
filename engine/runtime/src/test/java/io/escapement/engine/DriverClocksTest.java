package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ShutdownSignalBarrier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An engine with its own driver survives pauses and steps of the wall clock. */
@RealTime("pauses of a real driver, by its clocks")
class DriverClocksTest
{
    private static final int PAUSE_SECONDS = 12;

    /** The engine's wall clock and those of the processes that read its heartbeats step together. */
    @ParameterizedTest
    @ValueSource(longs = {60_000, -60_000})
    void shouldSurviveAStepOfTheWallClock(final long stepMs)
    {
        final AtomicLong offsetMs = new AtomicLong();
        final EngineContext context = new EngineContext().roomType(EchoRoom.type()).loops(1);
        context.driver().wall(() -> System.currentTimeMillis() + offsetMs.get());
        context.trunks().ipc(true);
        try (TestEngine engine = new TestEngine(context, ThreadingMode.SOLO);
            TestHost host = TestHost.joining(engine.aeronDirectory(),
                () -> System.currentTimeMillis() + offsetMs.get()))
        {
            final TestTrunk trunk = TestTrunk.on(host, TestTrunk.context(engine).ipc());
            final long roomId = engine.engine().openRoom(1).roomId();
            engine.await("a seat", () -> host.poll() + trunk.poll(),
                () -> !trunk.joined.isEmpty() || trunk.tryJoin(roomId, 7) && false);
            final ClientSeat seat = trunk.joined.get(0);
            offsetMs.addAndGet(stepMs);
            final long startNs = System.nanoTime();
            // Longer than the intervals at which drivers and clients check each other.
            engine.await("time to pass", () -> host.poll() + trunk.poll(),
                () -> System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(4));
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            engine.await("to send", () -> host.poll() + trunk.poll(),
                () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 8));
            engine.await("an echo", () -> host.poll() + trunk.poll(), () -> 0 < trunk.events);
            assertTrue(engine.engine().isAlive());
            if (stepMs > 0)
            {
                engine.await("a process that looks by the wall clock, as stat does, to see the driver",
                    () -> host.poll() + trunk.poll(), () -> ageMs(host.aeron(), offsetMs.get()) < 1_000);
            }
            trunk.close();
        }
    }

    private static long ageMs(final Aeron aeron, final long offsetMs)
    {
        return System.currentTimeMillis() + offsetMs - aeron.context().toDriverBuffer().consumerHeartbeatTime();
    }

    @Test
    void shouldSurviveAPauseOfTheProcess() throws IOException, InterruptedException
    {
        try (ChildJvm child = new ChildJvm(Paused.class, List.of(), List.of()))
        {
            Tests.await(() -> null != child.valueOf("ready "), "the engine");
            final File directory = new File(child.valueOf("ready "));
            signal(child, "STOP");
            final long startNs = System.nanoTime();
            Tests.await(() -> System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(PAUSE_SECONDS), "the pause");
            signal(child, "CONT");
            Tests.await(() -> CommonContext.isDriverActive(directory, 1_000, (text) -> { }), "heartbeats");
            child.send("look");
            Tests.await(() -> null != child.valueOf("alive "), "an answer");
            assertEquals("true", child.valueOf("alive "));
            Tests.await(() -> null != child.valueOf("missed "), "an answer");
            assertTrue(Long.parseLong(child.valueOf("missed ")) > PAUSE_SECONDS * 30, child.lines()::toString);
            assertEquals(null, child.valueOf("error "), child.lines()::toString);
        }
    }

    private static void signal(final ChildJvm child, final String name) throws IOException, InterruptedException
    {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(child.handle().pid())).start().waitFor());
    }

    /** An engine with a room at 60 Hz that answers on its output whether it lives. */
    static final class Paused
    {
        private Paused()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            final EngineContext context = new EngineContext()
                .roomType(RoomType.of(1, "sixty", 1, Sixty::new))
                .loops(1)
                .threadingMode(ThreadingMode.SOLO)
                .driverContext(TestTrunk.driverContext())
                .trunks(new TrunkServerContext().ipc(true).secret(TestTrunk.SECRET, true))
                .errorHandler((ex) ->
                {
                    if (!(ex instanceof Stall))
                    {
                        System.out.println("error " + ex);
                    }
                });
            try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier(); Engine engine = Engine.launch(context))
            {
                engine.openRoom(1);
                Tests.await(() -> 10 < engine.counter("escapement loop 0: room-frames run"), "frames");
                System.out.println("ready " + context.driver().directory());
                System.in.read();
                System.out.println("alive " + engine.isAlive());
                System.out.println("missed " + engine.counter("escapement loop 0: room-frames that never ran"));
                System.in.read(new byte[64]);
                barrier.signal();
            }
        }
    }

    private static final class Sixty implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // Nobody sends one.
        }
    }
}
