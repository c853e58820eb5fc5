package io.escapement.engine;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Drain.Step;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The order of a drain, stepped by hand: the test runs the duty cycles and moves the clock. */
class DrainOrderTest
{
    private static final int POLITE = 1;
    private static final int LINGERING = 2;
    private static final int ASKING = 3;
    private static final int SERVICE = 9;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Duty cycles between two looks at the patience of the test. */
    private static final int CYCLES = 64;
    private static final long READING_NS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    /** From 1 on: a deadline of 0 would be in the past. */
    private final AtomicLong nowNs = new AtomicLong(1);
    private final List<String> happened = new ArrayList<>();
    private final CountDownLatch reply = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger replied = new AtomicInteger();
    private Drain drain;
    private long startNs;

    @Test
    void shouldDrainRoomsThenCloseWhatIsLeftThenEndTrunks()
    {
        try (TestEngine engine = engine(); TestTrunk trunk = TestTrunk.over(engine))
        {
            final RoomHandle polite = open(engine, POLITE);
            open(engine, LINGERING);
            trunk.join(engine, polite.roomId(), 7);
            begin(engine, TIMEOUT_NS);
            runUntil(engine, trunk, () -> happened.contains("closed BY_LOGIC"));
            assertEquals(List.of("drain polite", "drain lingering", "closed BY_LOGIC"), sorted());
            assertTrue(nowNs.get() - startNs < TIMEOUT_NS);
            assertEquals(Step.ROOMS, drain.step());
            assertTrue(trunk.isUp);
            runUntil(engine, trunk, () -> nowNs.get() - startNs >= TIMEOUT_NS - 2 * CYCLE_NS);
            assertFalse(happened.contains("closed BY_COMMAND"), "not before the deadline");
            assertEquals(Step.ROOMS, drain.step());
            runUntil(engine, trunk, () -> happened.contains("closed BY_COMMAND"));
            assertTrue(nowNs.get() - startNs >= TIMEOUT_NS, "at the deadline");
            assertTrue(nowNs.get() - startNs <= TIMEOUT_NS + 5 * CYCLE_NS, "at once then");
            assertTrue(trunk.isUp, "trunks end after rooms");
            assertEquals(TrunkCode.ENGINE_STOPPING.value(), finish(engine, trunk));
            assertClean(engine);
        }
    }

    @Test
    void shouldNotWaitForTheDeadlineWhenAllRoomsHaveClosed()
    {
        try (TestEngine engine = engine())
        {
            open(engine, POLITE);
            begin(engine, TIMEOUT_NS);
            finish(engine, null);
            assertEquals(List.of("drain polite", "closed BY_LOGIC"), happened);
            assertTrue(nowNs.get() - startNs < TIMEOUT_NS / 2, "it took " + (nowNs.get() - startNs));
            assertClean(engine);
        }
    }

    @Test
    void shouldWaitForALoopThatHasNotTakenItsLastSignal()
    {
        try (TestEngine engine = engine())
        {
            final RoomHandle room = open(engine, POLITE);
            begin(engine, TIMEOUT_NS);
            runUntil(engine, null, () -> Step.TRUNKS == drain.step());
            for (int i = 0; i < CYCLES; i++)
            {
                assertTrue(room.signal(buffer, 0, 1));
                cycle(engine, null);
                assertEquals(Step.TRUNKS, drain.step());
            }
            finish(engine, null);
            assertClean(engine);
        }
    }

    @Test
    void shouldWaitForTheReplyOfAService()
    {
        try (TestEngine engine = engine())
        {
            final RoomHandle asking = open(engine, ASKING);
            ask(engine, asking);
            begin(engine, TIMEOUT_NS);
            runUntil(engine, null, () -> nowNs.get() - startNs >= TIMEOUT_NS / 2);
            assertEquals(List.of("drain asking"), happened);
            assertEquals(Step.ROOMS, drain.step());
            reply.countDown();
            Tests.await(() -> 1 == replied.get(), "the service");
            runUntil(engine, null, () -> happened.contains("closed BY_LOGIC"));
            assertEquals(List.of("drain asking", "reply", "closed BY_LOGIC"), happened);
            finish(engine, null);
            assertClean(engine);
        }
    }

    @Test
    void shouldWaitForAServiceUntilTheDeadlineAtMost()
    {
        try (TestEngine engine = engine())
        {
            final RoomHandle asking = open(engine, ASKING);
            ask(engine, asking);
            begin(engine, TIMEOUT_NS);
            runUntil(engine, null, () -> happened.contains("closed BY_COMMAND"));
            assertTrue(nowNs.get() - startNs >= TIMEOUT_NS, "not before the deadline");
            assertEquals(Step.CLOSING, drain.step());
            finish(engine, null);
            assertTrue(nowNs.get() - startNs <= TIMEOUT_NS + 2 * Drain.CLOSING_NS + 10 * CYCLE_NS);
            reply.countDown();
            Tests.await(() -> 1 == replied.get(), "the service");
            engine.engine().close();
            final DrainReport report = engine.engine().leakCheck();
            assertEquals(List.of("loop 0: requests to services open", "loop 0: commands in the inbox"),
                report.lines().stream().filter((line) -> !line.isClean()).map(DrainReport.Line::what).toList());
            assertEquals(1, report.exitStatus());
        }
    }

    @Test
    void shouldGiveRoomsOnDrainWithATimeoutOfZeroToo()
    {
        try (TestEngine engine = engine())
        {
            open(engine, POLITE);
            open(engine, LINGERING);
            begin(engine, 0);
            finish(engine, null);
            assertEquals(
                List.of("drain polite", "drain lingering", "closed BY_LOGIC", "closed BY_COMMAND"), sorted());
            assertTrue(nowNs.get() - startNs < TIMEOUT_NS, "it took " + (nowNs.get() - startNs));
            assertClean(engine);
        }
    }

    @Test
    void shouldRefuseASecondDrain()
    {
        try (TestEngine engine = engine())
        {
            open(engine, POLITE);
            begin(engine, TIMEOUT_NS);
            assertEquals("drain: another thread drains the engine",
                assertThrows(IllegalStateException.class, () -> engine.engine().drain(0)).getMessage());
            finish(engine, null);
            assertEquals(List.of("drain polite", "closed BY_LOGIC"), happened, "once");
            assertClean(engine);
        }
    }

    @Test
    void shouldDrainARoomThatIsOpening()
    {
        try (TestEngine engine = engine())
        {
            engine.engine().openRoom(POLITE);
            begin(engine, TIMEOUT_NS);
            assertThrows(IllegalStateException.class, () -> engine.engine().openRoom(POLITE));
            finish(engine, null);
            assertEquals(List.of("open", "drain polite", "closed BY_LOGIC"), happened);
            assertClean(engine);
        }
    }

    private TestEngine engine()
    {
        final EngineContext context = new EngineContext().loops(1).clock(this::nanoTime)
            .roomType(RoomType.of(POLITE, "polite", 1, Polite::new))
            .roomType(RoomType.of(LINGERING, "lingering", 1, Lingering::new))
            .roomType(RoomType.of(ASKING, "asking", 1, Asking::new))
            .service(SERVICE, "slow", 1, () -> (AsyncService)this::answer);
        // Clients send keepalives by the clock of the host, which is slower.
        context.trunks().keepaliveNs(TimeUnit.HOURS.toNanos(1));
        return new TestEngine(context);
    }

    /** Each reading moves the clock until the drain begins: trunks connect with timeouts. */
    private long nanoTime()
    {
        return null == drain ? nowNs.addAndGet(READING_NS) : nowNs.get();
    }

    private RoomHandle open(final TestEngine engine, final int type)
    {
        final RoomHandle room = engine.engine().openRoom(type);
        engine.await("a room", () -> happened.remove("open"));
        return room;
    }

    private void ask(final TestEngine engine, final RoomHandle room)
    {
        assertTrue(room.signal(buffer, 0, 1));
        engine.await("the request", () -> 1 == requests.get());
    }

    private int answer(final AsyncService.Request request) throws InterruptedException
    {
        requests.incrementAndGet();
        reply.await();
        replied.incrementAndGet();
        return 0;
    }

    private void begin(final TestEngine engine, final long timeoutNs)
    {
        startNs = nowNs.get();
        drain = engine.engine().newDrain(timeoutNs);
    }

    private void runUntil(final TestEngine engine, final TestTrunk trunk, final BooleanSupplier end)
    {
        Tests.await(() ->
        {
            for (int i = 0; i < CYCLES && !end.getAsBoolean(); i++)
            {
                cycle(engine, trunk);
            }
            return end.getAsBoolean();
        }, "the drain");
    }

    private void cycle(final TestEngine engine, final TestTrunk trunk)
    {
        drain.poll();
        engine.turn();
        if (null != trunk)
        {
            trunk.poll();
        }
        // The network runs in real time: the Goodbye gets a while of it.
        final boolean isEnding = null != trunk && trunk.isUp && Step.TRUNKS == drain.step();
        nowNs.addAndGet(isEnding ? READING_NS : CYCLE_NS);
    }

    /** Returns the code with which the trunk ended. */
    private int finish(final TestEngine engine, final TestTrunk trunk)
    {
        runUntil(engine, trunk, () -> Step.DONE == drain.step());
        return null == trunk ? 0 : trunk.downCode;
    }

    private void assertClean(final TestEngine engine)
    {
        engine.engine().close();
        final DrainReport report = engine.engine().leakCheck();
        assertTrue(report.isClean(), report::toString);
        assertEquals(0, report.exitStatus());
        assertTrue(report.lines().stream().map(DrainReport.Line::what).toList().containsAll(List.of(
            "loop 0: rooms open", "loop 0: timers set", "loop 0: links up", "loop 0: requests to services open",
            "loop 0: ended by a fault", "loop 0: commands in the ring", "loop 0: commands in the inbox",
            "edge: signals in the inbox", "edge: trunks, connections and links held", "edge: rooms in the directory",
            "service 9: requests in a queue")), report.lines()::toString);
    }

    /** Rooms get onDrain in the order in which they opened, each followed by what it does. */
    private List<String> sorted()
    {
        final List<String> sorted = new ArrayList<>(happened);
        sorted.sort((a, b) -> Boolean.compare(a.startsWith("closed"), b.startsWith("closed")));
        return sorted;
    }

    private class Polite implements RoomLogic
    {
        Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            happened.add("open");
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            // Nobody sends one.
        }

        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
            happened.add("drain polite");
            drained.close();
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            happened.add("closed " + reason);
        }
    }

    private final class Lingering extends Polite
    {
        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
            happened.add("drain lingering");
        }
    }

    private final class Asking extends Polite
    {
        @Override
        public void onSignal(
            final long fromRoomId, final DirectBuffer message, final int offset, final int length)
        {
            room.async(SERVICE, 1, buffer, 0, 1);
        }

        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
            happened.add("drain asking");
        }

        @Override
        public void onReply(
            final long correlationId,
            final int status,
            final DirectBuffer message,
            final int offset,
            final int length)
        {
            happened.add("reply");
            room.close();
        }
    }
}
