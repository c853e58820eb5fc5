package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A trunk that stops reading loses states; the room is notified when the trunk reads again, and the trunk is closed
 * when it does not. The other trunk of the room is not delayed, and no turn blocks.
 */
@RealTime("the round trips of a trunk next to a slow one")
class SlowTrunkTest
{
    private static final int TYPE = 1;
    private static final int STATE_LENGTH = 1_200;
    private static final long MIN_SAMPLES = 200;
    /** Both are measured in one run on a shared host, so a larger ratio is not noise. */
    private static final int TIMES = 5;
    private static final long FLOOR_NS = 5_000_000;

    private final AtomicInteger stateLost = new AtomicInteger();
    private final AtomicInteger away = new AtomicInteger();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[16]);

    @Test
    void shouldDropStatesAndCloseItWhileTheOthersGoOn()
    {
        final EngineContext context = new EngineContext().loops(1).driverContext(TestTrunk.driverContext())
            .roomType(RoomType.of(TYPE, "stating", 1, Stating::new));
        // A turn that waits for the trunk waits for as long as it does not read. A busy host takes the core for less.
        context.monitor(new MonitorContext().stalls(TimeUnit.SECONDS.toNanos(2), null));
        // Its keepalives must not end it first.
        context.trunks().largestFrame(8 * 1_024).keepaliveNs(TimeUnit.SECONDS.toNanos(10))
            .slowNs(TimeUnit.SECONDS.toNanos(2));
        try (TestEngine engine = new TestEngine(context); TestTrunk slow = TestTrunk.over(engine);
            TestTrunk fast = TestTrunk.over(engine))
        {
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            final Pings pings = new Pings(fast);
            slow.join(engine, roomId, 1);
            pings.seat = fast.join(engine, roomId, 2);

            final long before = pings.p99(engine, () -> fast.poll() + slow.poll());
            // It pauses, and reads again: states were dropped, and the room is notified.
            engine.await("states to be dropped", () -> pings.pollAndSend(), () -> dropped(engine) > 0);
            assertEquals(0, stateLost.get(), "not before it can be sent to again");
            engine.await("onStateLost in the room", () -> pings.pollAndSend() + slow.poll(),
                () -> 1 == stateLost.get());
            assertTrue(slow.isUp);

            // It does not read any more: it is closed, and its seat is away.
            final long during = pings.p99(engine, fast::poll);
            engine.await("it to be closed", () -> pings.pollAndSend(), () -> 1 == away.get());
            assertEquals(1, engine.engine().counter("escapement edge: refused SLOW_CONSUMER"));
            engine.await("Goodbye at the slow trunk", () -> pings.pollAndSend() + slow.poll(),
                () -> TrunkCode.SLOW_CONSUMER.value() == slow.downCode);
            assertTrue(fast.isUp);
            assertTrue(during <= Math.max(FLOOR_NS, TIMES * before),
                "p99 of the other trunk, us: " + before / 1_000 + " before, " + during / 1_000 + " beside a slow one");
            assertEquals(0, engine.engine().counter("escapement loop 0: stalls"), "a turn waited");
            assertEquals(0, engine.engine().counter("escapement loop 0: events lost with their trunk"));
            final DrainReport report = engine.drain(fast, TimeUnit.MILLISECONDS.toNanos(50));
            assertTrue(report.isClean(), report::toString);
        }
    }

    private static long dropped(final TestEngine engine)
    {
        return engine.engine().counter("escapement loop 0: states dropped");
    }

    /** Sequential round trips of the other trunk. */
    private final class Pings implements TrunkListener
    {
        private final TestTrunk trunk;
        private final Histogram histogram = new Histogram(3);
        private ClientSeat seat;
        private long sentNs;

        Pings(final TestTrunk trunk)
        {
            this.trunk = trunk.forwardTo(this);
        }

        int pollAndSend()
        {
            if (0 == sentNs && SendStatus.SENT == trunk.client().send(seat, message, 0, 16))
            {
                sentNs = System.nanoTime();
            }
            return trunk.poll();
        }

        long p99(final TestEngine engine, final IntSupplier others)
        {
            histogram.reset();
            engine.await("round trips", () -> pollAndSend() + others.getAsInt(),
                () -> histogram.getTotalCount() >= MIN_SAMPLES);
            return histogram.getValueAtPercentile(99);
        }

        @Override
        public void onEvent(final ClientSeat to, final DirectBuffer buffer, final int offset, final int length)
        {
            histogram.recordValue(System.nanoTime() - sentNs);
            sentNs = 0;
        }
    }

    /** Sends large states each frame, and a reply to each message. */
    private final class Stating implements RoomLogic
    {
        private final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE_LENGTH]);
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(from, buffer, offset, length);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            room.sendState(room.everyone(), state, 0, STATE_LENGTH);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            assertEquals(1, seat.playerId());
            stateLost.incrementAndGet();
        }

        @Override
        public void onAway(final Seat seat)
        {
            assertEquals(1, seat.playerId());
            away.incrementAndGet();
        }
    }
}
