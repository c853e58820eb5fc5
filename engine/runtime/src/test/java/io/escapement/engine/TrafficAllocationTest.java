package io.escapement.engine;

import com.sun.management.ThreadMXBean;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Steady traffic with frames, timers, states and events: the threads of the engine allocate nothing. Allocations of the
 * invoked driver in one of them are measured separately. When the JIT replaces code it allocates a little in the thread
 * that runs the code, so one window of several must be free of allocations.
 */
@RealTime("the threads of an engine, for seconds")
class TrafficAllocationTest
{
    private static final int TYPE = 1;
    private static final int SEATS_A_ROOM = 16;
    private static final int RESEND_LENGTH = 64 * 1_024;
    private static final int WINDOWS = 6;
    /** With more in flight, the driver of a host with many trunks falls behind, and the engine ends slow trunks. */
    private static final int UNDER_WAY = 64;
    private static final boolean IS_FULL = Tests.isFull();
    private static final long WARM_UP_MESSAGES = IS_FULL ? 2_000_000 : 60_000;
    private static final long WINDOW_MESSAGES = IS_FULL ? 1_000_000 : 30_000;
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(IS_FULL ? 60 : 1);
    /** The driver resolves the names of its channels again once a second, which allocates two iterators. */
    private static final long DRIVER_BYTES_A_SECOND = 64;
    /**
     * The driver's poller of control sockets iterates over a list in each duty cycle, in which the driver reads its
     * clock too. In few JVMs, 2 of 51, the second compiler keeps the iterator.
     */
    private static final long DRIVER_BYTES_A_READING = 32;
    /** DatagramChannel.receive allocates this when the sender differs from the one of the previous datagram. */
    private static final long BYTES_A_STRANGER = 120;
    /** A message, its answer, flow control and frames, each in a separate datagram. */
    private static final long DATAGRAMS_A_MESSAGE = 4;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final DriverShare share = new DriverShare();
    private final List<TestHost> hosts = new ArrayList<>();
    private final List<TestTrunk> trunks = new ArrayList<>();
    /** Whether every other trunk asks for Accepted. */
    private boolean isResending;
    private final List<ClientSeat> seats = new ArrayList<>();
    private long sent;

    @Test
    void shouldAllocateNothingInSharedMode()
    {
        run(ThreadingMode.SHARED, 1, 16, 1, 0);
    }

    @Test
    void shouldAllocateNothingInSoloMode()
    {
        isResending = true;
        run(ThreadingMode.SOLO, 1, 16, 1, 0);
    }

    @Test
    void shouldAllocateInTheDriverAloneWhenHostsShareAPort()
    {
        Assumptions.assumeTrue(IS_FULL, "it is about Aeron's driver, not about the engine");
        final Window last = run(ThreadingMode.SOLO, 4, 1, 1, DATAGRAMS_A_MESSAGE * BYTES_A_STRANGER);
        // Or else a port for each trunk would be of no use, and the next test would say nothing.
        assertTrue(last.driverBytes > last.messages, last::toString);
    }

    @Test
    void shouldAllocateNothingWhenEachTrunkHasAPort()
    {
        run(ThreadingMode.SOLO, 4, 1, 4, 0);
    }

    /** Allocations in one window of time. */
    private record Window(
        long ns, long messages, long driverReadings, long driverBytes, TreeMap<String, Long> bytesByThreadMap)
    {
        boolean isClean(final long driverBytesAMessage)
        {
            final long checks = 2 + TimeUnit.NANOSECONDS.toSeconds(ns);
            return driverBytes <= DRIVER_BYTES_A_SECOND * checks + DRIVER_BYTES_A_READING * driverReadings +
                driverBytesAMessage * messages &&
                bytesByThreadMap.values().stream().allMatch((bytes) -> 0 == bytes);
        }
    }

    private Window run(
        final ThreadingMode mode,
        final int hostCount,
        final int trunksAHost,
        final int portCount,
        final long driverBytesAMessage)
    {
        final EngineContext context = new EngineContext().loops(1).idle(Idle.YIELD)
            .threadFactory(this::newThread)
            .clock(share.engineClock())
            .driverContext(TestTrunk.driverContext().nanoClock(share.driverClock()))
            .roomType(RoomType.of(TYPE, "steady", 1, Steady::new).seats(SEATS_A_ROOM));
        final List<String> ports = new ArrayList<>();
        for (int i = 0; i < 2 * portCount; i++)
        {
            ports.add("127.0.0.1:" + Tests.freePort());
        }
        for (int i = 0; i < ports.size(); i += 2)
        {
            context.trunks().udp(ports.get(i), ports.get(i + 1));
        }
        final Window last;
        try (TestEngine engine = new TestEngine(context, mode))
        {
            try
            {
                final long roomId = engine.engine().openRoom(TYPE).roomId();
                for (int i = 0; i < hostCount; i++)
                {
                    hosts.add(new TestHost());
                    final int port = 2 * (i % portCount);
                    for (int j = 0; j < trunksAHost; j++)
                    {
                        join(engine, hosts.get(i), ports.get(port), ports.get(port + 1), roomId);
                    }
                }
                traffic(engine, WARM_UP_MESSAGES, 0);
                last = cleanWindow(mode, engine, driverBytesAMessage);
                trunks.forEach((trunk) -> assertEquals(List.of(), trunk.refusals));
                assertEquals(isResending, 0 != trunks.get(0).joined.get(0).acceptedSequence());
            }
            finally
            {
                CloseHelper.closeAll(trunks);
                CloseHelper.closeAll(hosts);
            }
        }
        return last;
    }

    private void join(
        final TestEngine engine, final TestHost host, final String ingress, final String response, final long roomId)
    {
        final TrunkContext context = TestTrunk.context(engine).udp(ingress, response);
        if (isResending && 0 == trunks.size() % 2)
        {
            context.resendLength(RESEND_LENGTH);
        }
        final TestTrunk trunk = TestTrunk.on(host, context);
        trunks.add(trunk);
        final long playerId = trunks.size();
        engine.await("a trunk", this::poll, () -> SendStatus.SENT ==
            trunk.client().join(playerId, roomId, playerId, TestTrunk.NO_TOKEN, message, 0, 0));
        engine.await("a seat", this::poll, () -> 1 == trunk.joined.size());
        seats.add(trunk.joined.get(0));
    }

    private Window cleanWindow(final ThreadingMode mode, final TestEngine engine, final long driverBytesAMessage)
    {
        final String carrier = ThreadingMode.SOLO == mode ? "escapement-solo" : "escapement-edge";
        share.carrier(threads.stream().filter((thread) -> carrier.equals(thread.getName())).findFirst().orElseThrow());
        final List<Window> windows = new ArrayList<>();
        Window last;
        do
        {
            final long startNs = System.nanoTime();
            final long driverReadings = share.driverReadings();
            final long driverBytes = share.driverBytes();
            final long messages = sent;
            final TreeMap<String, Long> before = allocated(carrier);
            traffic(engine, WINDOW_MESSAGES, WINDOW_NS);
            final TreeMap<String, Long> after = allocated(carrier);
            after.replaceAll((name, bytes) -> bytes - before.get(name));
            last = new Window(System.nanoTime() - startNs, sent - messages,
                share.driverReadings() - driverReadings, share.driverBytes() - driverBytes, after);
            windows.add(last);
        }
        while (!last.isClean(driverBytesAMessage) && windows.size() < WINDOWS);
        System.out.println(mode + ", " + hosts.size() + " hosts, " + trunks.size() + " trunks: " + last);
        assertTrue(last.isClean(driverBytesAMessage), mode + ": bytes in windows: " + windows);
        return last;
    }

    private Thread newThread(final Runnable runnable)
    {
        final Thread thread = new Thread(runnable);
        threads.add(thread);
        return thread;
    }

    private int poll()
    {
        int work = 0;
        for (final TestHost host : hosts)
        {
            work += host.poll();
        }
        for (final TestTrunk trunk : trunks)
        {
            work += trunk.poll();
        }
        return work;
    }

    /** Send on each trunk in turn for at least this many messages and nanoseconds, and await all answers. */
    private void traffic(final TestEngine engine, final long count, final long ns)
    {
        final long wanted = sent + count;
        final long startNs = System.nanoTime();
        engine.await("traffic", this::poll, () ->
        {
            if (sent >= wanted && System.nanoTime() - startNs >= ns)
            {
                return events() == sent;
            }
            for (int i = 0; i < trunks.size() && sent - events() < UNDER_WAY; i++)
            {
                final SendStatus status = trunks.get(i).client().send(seats.get(i), message, 0, message.capacity());
                sent += SendStatus.SENT == status ? 1 : 0;
            }
            return false;
        });
    }

    private long events()
    {
        long events = 0;
        for (final TestTrunk trunk : trunks)
        {
            events += trunk.events;
        }
        return events;
    }

    private TreeMap<String, Long> allocated(final String carrier)
    {
        final ThreadMXBean bean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final TreeMap<String, Long> bytesByThreadMap = new TreeMap<>();
        for (final Thread thread : threads)
        {
            // The monitor looks at loops from outside, and reads histograms: it is none of the agents.
            if (!"escapement-monitor".equals(thread.getName()))
            {
                bytesByThreadMap.put(thread.getName(), carrier.equals(thread.getName()) ?
                    share.engineBytes() : bean.getThreadAllocatedBytes(thread.getId()));
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
            room.sendState(room.everyone(), state, 0, state.capacity());
        }
    }
}
