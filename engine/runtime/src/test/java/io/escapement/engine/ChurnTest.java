package io.escapement.engine;

import com.sun.management.UnixOperatingSystemMXBean;
import io.escapement.client.SendStatus;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Players come and go through 16 trunks, rooms open and close, and in the end everything is as it was. */
@RealTime("a crowd of players, for a minute")
class ChurnTest
{
    private static final int TYPE = 1;
    private static final int TRUNKS = 16;
    private static final boolean IS_FULL = Tests.isFull();
    private static final int PLAYERS = IS_FULL ? 4_096 : 512;
    private static final int ROUNDS = IS_FULL ? 10 : 3;
    private static final int ROOMS = 1_000;
    private static final int SEATS = 64;

    private final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);

    @Test
    void shouldHoldNothingOfWhatIsGone() throws InterruptedException
    {
        // The first run loads classes, which stay.
        run();
        final Map<String, Long> before = held();
        run();
        final Map<String, Long> after = held();
        final List<String> grown = new ArrayList<>();
        before.forEach((what, count) ->
        {
            if (after.get(what) > count)
            {
                grown.add(what + ": " + count + " before, " + after.get(what) + " after");
            }
        });
        assertEquals(List.of(), grown);
    }

    private void run()
    {
        final List<TestTrunk> trunks = new ArrayList<>();
        final EngineContext context = new EngineContext().loops(2)
            .roomType(RoomType.of(TYPE, "passing", 1, Passing::new).seats(SEATS));
        try (TestEngine engine = new TestEngine(context); TestHost host = new TestHost())
        {
            for (int i = 0; i < TRUNKS; i++)
            {
                trunks.add(TestTrunk.on(host, TestTrunk.context(engine)));
            }
            final long[] roomIds = new long[PLAYERS / SEATS];
            for (int i = 0; i < roomIds.length; i++)
            {
                roomIds[i] = engine.engine().openRoom(TYPE).roomId();
            }
            for (int round = 0; round < ROUNDS; round++)
            {
                comeAndGo(engine, host, trunks, roomIds);
                assertEquals(roomIds.length, rooms(engine));
                assertEquals(0, timers(engine), "the timers of players that have left");
            }
            for (int i = 0; i < ROOMS; i++)
            {
                final RoomHandle room = engine.engine().openRoom(TYPE);
                engine.await("the inbox", room::close);
                engine.turn();
            }
            engine.await("rooms to close", () -> host.poll(trunks), () -> roomIds.length == rooms(engine));
            final DrainReport report = engine.drain(() -> host.poll(trunks), TimeUnit.MILLISECONDS.toNanos(50));
            assertTrue(report.isClean(), report::toString);
            CloseHelper.closeAll(trunks);
        }
    }

    private void comeAndGo(
        final TestEngine engine, final TestHost host, final List<TestTrunk> trunks, final long[] roomIds)
    {
        final int[] asked = new int[1];
        engine.await("everybody to come", () -> host.poll(trunks), () ->
        {
            final TestTrunk trunk = trunks.get(asked[0] % TRUNKS);
            if (asked[0] < PLAYERS && SendStatus.SENT == trunk.client().join(asked[0] + 1,
                roomIds[asked[0] % roomIds.length], asked[0] + 1, TestTrunk.NO_TOKEN, nothing, 0, 0))
            {
                asked[0]++;
            }
            return PLAYERS == trunks.stream().mapToInt((one) -> one.joined.size()).sum();
        });
        for (final TestTrunk trunk : trunks)
        {
            trunk.joined.forEach((seat) -> engine.await("to say goodbye", () -> host.poll(trunks),
                () -> SendStatus.SENT == trunk.client().leave(seat)));
        }
        engine.await("everybody to leave", () -> host.poll(trunks),
            () -> PLAYERS == trunks.stream().mapToInt((one) -> one.left.size()).sum());
        for (final TestTrunk trunk : trunks)
        {
            assertEquals(List.of(), trunk.refusals);
            trunk.joined.clear();
            trunk.left.clear();
        }
    }

    private static long rooms(final TestEngine engine)
    {
        return engine.engine().counter("escapement loop 0: rooms open") +
            engine.engine().counter("escapement loop 1: rooms open");
    }

    private static long timers(final TestEngine engine)
    {
        return engine.engine().counter("escapement loop 0: timers set") +
            engine.engine().counter("escapement loop 1: timers set");
    }

    /** System resources that this process holds. */
    private static Map<String, Long> held() throws InterruptedException
    {
        final Map<String, Long> held = new TreeMap<>();
        collect();
        held.put("threads", Thread.getAllStackTraces().keySet().stream()
            .filter((thread) -> thread.getName().startsWith("escapement")).count());
        held.put("file descriptors", ((UnixOperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean())
            .getOpenFileDescriptorCount());
        for (final BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
        {
            held.put("memory " + pool.getName(), pool.getMemoryUsed());
        }
        final String own = "driver-" + ProcessHandle.current().pid() + "-";
        final String[] files =
            PrivateFiles.memory().toFile().list((directory, name) -> name.startsWith(own));
        held.put("shared memory", null == files ? 0L : files.length);
        return held;
    }

    /**
     * A thread of the JVM releases direct memory after the collection that found its owner unreachable. It completes
     * the finds of one collection before those of the next, so once it reports an object of the second collection, it
     * has completed the first.
     */
    private static void collect() throws InterruptedException
    {
        for (int i = 0; i < 2; i++)
        {
            final ReferenceQueue<Object> gone = new ReferenceQueue<>();
            final Reference<Object> reference = new PhantomReference<>(new Object(), gone);
            System.gc();
            assertSame(reference, gone.remove(TimeUnit.SECONDS.toMillis(60)));
        }
    }

    /** Sets a timer for each player, which dies with the seat. */
    private static final class Passing implements RoomLogic
    {
        private final long[] timerBySeat = new long[SEATS];
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            timerBySeat[seat.index()] = room.after(60_000_000_000L, 1, seat.index());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            room.cancel(timerBySeat[seat.index()]);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // Nobody says anything.
        }
    }
}
