package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.engine.spi.Authenticator;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Code of the program that does not return holds nobody but its next caller: trunks go on, the call is reported with
 * its stack, and the engine drains in bounded time.
 */
@RealTime("a call is held for seconds, until the watchdog reports it")
class HeldCallsTest
{
    private static final int OPENER = 2;
    private static final String AUTHENTICATOR = "trunks.authenticator";
    private static final String PLACEMENT = "placement";

    private final AtomicBoolean isHolding = new AtomicBoolean();
    private final AtomicBoolean isReleased = new AtomicBoolean();
    private final AtomicReference<Thread> held = new AtomicReference<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);

    static Stream<Arguments> cases()
    {
        return Stream.of(ThreadingMode.SHARED, ThreadingMode.SOLO)
            .flatMap((mode) -> Stream.of(AUTHENTICATOR, PLACEMENT).map((option) -> arguments(mode, option)));
    }

    @AfterEach
    void releaseTheThread()
    {
        isReleased.set(true);
        Tests.await(() -> !held.get().isAlive(), "the thread to end once the call returns");
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("cases")
    void shouldHoldNobodyAndBeReported(final ThreadingMode mode, final String option)
    {
        final EngineContext context = new EngineContext().loops(1)
            .roomType(EchoRoom.type())
            .roomType(RoomType.of(OPENER, "opener", 1, Opener::new))
            .placement((typeId, rooms) ->
            {
                if (Thread.currentThread().getName().startsWith("escapement"))
                {
                    hold();
                }
                return 0;
            });
        context.trunks().authenticator((challenge, credentials) ->
        {
            if (isHolding.get())
            {
                hold();
            }
            return Authenticator.Verdict.TRUSTED;
        });
        try (TestEngine engine = new TestEngine(context, mode);
            TestTrunk trunk = TestTrunk.over(engine);
            TestTrunk late = TestTrunk.over(engine))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            isHolding.set(true);
            if (PLACEMENT.equals(option))
            {
                // The room opens another.
                assertTrue(engine.engine().openRoom(OPENER).signal(message, 0, message.capacity()));
            }
            final IntSupplier clients = () -> trunk.poll() + (AUTHENTICATOR.equals(option) ? late.poll() : 0);
            engine.await("the call", clients, () -> null != held.get());

            final long events = trunk.events;
            engine.await("a message to leave", clients,
                () -> SendStatus.SENT == trunk.client().send(seat, message, 0, message.capacity()));
            engine.await("its answer", clients, () -> trunk.events > events);
            engine.await("the report", clients, () -> engine.errors().stream().anyMatch((error) ->
                error.getMessage().startsWith(option + " has not returned for ") &&
                Arrays.stream(error.getStackTrace()).anyMatch((at) -> "hold".equals(at.getMethodName()))));
            engine.errors().clear();

            final long startNs = System.nanoTime();
            final DrainReport report = engine.drain(clients::getAsInt, TimeUnit.MILLISECONDS.toNanos(300));
            final long tookNs = System.nanoTime() - startNs;
            assertTrue(tookNs < TimeUnit.SECONDS.toNanos(20), "it took " + tookNs);
            assertTrue(0 != report.exitStatus(), report::toString);
            assertTrue(report.toString().contains(held.get().getName()), report::toString);
        }
    }

    private void hold()
    {
        held.set(Thread.currentThread());
        while (!isReleased.get())
        {
            Thread.onSpinWait();
        }
    }

    private static final class Opener implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            room.openRoom(OPENER, buffer, offset, length);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // Nobody sends one.
        }
    }
}
