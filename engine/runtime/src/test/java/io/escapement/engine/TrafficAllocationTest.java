package io.escapement.engine;

import com.sun.management.ThreadMXBean;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Steady traffic through 16 trunks, with frames, timers, states and events: the threads of the engine allocate nothing.
 * The compilers, when they replace code, allocate a little in the thread whose code it is; so, as for rooms, one window
 * without a byte has to be found among a few.
 */
@Timeout(1_200)
class TrafficAllocationTest
{
    private static final int TYPE = 1;
    private static final int TRUNKS = 16;
    private static final int SEATS_A_ROOM = 16;
    private static final int WINDOWS = 6;
    private static final boolean IS_FULL = "full".equals(System.getProperty("escapement.tests"));
    private static final long WARM_UP_MESSAGES = IS_FULL ? 2_000_000 : 60_000;
    private static final long WINDOW_MESSAGES = IS_FULL ? 5_000_000 : 30_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final List<Thread> threads = new ArrayList<>();

    @Test
    void shouldAllocateNothingInSharedMode()
    {
        run(ThreadingMode.SHARED);
    }

    @Test
    void shouldAllocateNothingInSoloMode()
    {
        run(ThreadingMode.SOLO);
    }

    private void run(final ThreadingMode mode)
    {
        final ThreadFactory factory = (runnable) ->
        {
            final Thread thread = new Thread(runnable);
            threads.add(thread);
            return thread;
        };
        final List<TestTrunk> trunks = new ArrayList<>();
        try (TestEngine engine = new TestEngine(new EngineContext().loops(1).idle(Idle.YIELD).threadFactory(factory)
            .roomType(RoomType.of(TYPE, "steady", 1, Steady::new).seats(SEATS_A_ROOM)), mode);
            TestHost host = new TestHost())
        {
            final List<ClientSeat> seats = new ArrayList<>();
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            for (int i = 0; i < TRUNKS; i++)
            {
                final TestTrunk trunk = TestTrunk.on(host, TestTrunk.context(engine));
                trunks.add(trunk);
                final long playerId = i + 1;
                engine.await("a trunk", () -> host.poll(trunks), () -> SendStatus.SENT ==
                    trunk.client().join(playerId, roomId, playerId, TestTrunk.NO_TOKEN, message, 0, 0));
                engine.await("a seat", () -> host.poll(trunks), () -> 1 == trunk.joined.size());
                seats.add(trunk.joined.get(0));
            }
            traffic(engine, host, trunks, seats, WARM_UP_MESSAGES);
            final List<TreeMap<String, Long>> windows = new ArrayList<>();
            for (int i = 0; i < WINDOWS; i++)
            {
                final TreeMap<String, Long> before = allocated();
                traffic(engine, host, trunks, seats, WINDOW_MESSAGES);
                final TreeMap<String, Long> after = allocated();
                after.replaceAll((name, bytes) -> bytes - before.getOrDefault(name, 0L));
                windows.add(after);
                if (after.values().stream().allMatch((bytes) -> 0 == bytes))
                {
                    break;
                }
            }
            assertTrue(windows.get(windows.size() - 1).values().stream().allMatch((bytes) -> 0 == bytes),
                mode + ": bytes by thread in windows of " + WINDOW_MESSAGES + " messages: " + windows);
            trunks.forEach((trunk) -> assertEquals(List.of(), trunk.refusals));
            CloseHelper.closeAll(trunks);
        }
    }

    private void traffic(
        final TestEngine engine,
        final TestHost host,
        final List<TestTrunk> trunks,
        final List<ClientSeat> seats,
        final long count)
    {
        final long wanted = events(trunks) + count;
        final long[] sent = new long[1];
        engine.await("traffic", 300, () -> host.poll(trunks), () ->
        {
            final int at = (int)(sent[0] % TRUNKS);
            if (sent[0] < count &&
                SendStatus.SENT == trunks.get(at).client().send(seats.get(at), message, 0, message.capacity()))
            {
                sent[0]++;
            }
            return events(trunks) == wanted;
        });
    }

    private static long events(final List<TestTrunk> trunks)
    {
        long events = 0;
        for (final TestTrunk trunk : trunks)
        {
            events += trunk.events;
        }
        return events;
    }

    private TreeMap<String, Long> allocated()
    {
        final ThreadMXBean bean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final TreeMap<String, Long> bytesByThreadMap = new TreeMap<>();
        for (final Thread thread : threads)
        {
            // The keeper looks at loops from outside, and reads histograms: it is none of the agents.
            if (!"escapement-keeper".equals(thread.getName()))
            {
                bytesByThreadMap.put(thread.getName(), bean.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return bytesByThreadMap;
    }

    /** An answer to each message, a state each frame, and timers that come again. */
    private static final class Steady implements RoomLogic
    {
        private final UnsafeBuffer state = new UnsafeBuffer(new byte[200]);
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
            room.every(5_000_000, 1, 1);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.after(1_000_000, 2, 2);
            room.sendEvent(from, buffer, offset, length);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            room.broadcastState(state, 0, state.capacity());
        }
    }
}
