package io.escapement.perf.rig;

import com.sun.management.ThreadMXBean;
import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.IdleStrategy;

/**
 * The server processes of {@code echo} and {@code ingress}: an engine with one room, and bare Aeron with the same
 * drivers, threads and windows.
 */
public final class LoopbackServer
{
    /** Allocated by the engine's threads in the measured part. */
    public static final String ENGINE_BYTES = "engineBytes";

    static final byte[] SECRET = {7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2};
    static final int REQUEST_STREAM_ID = 1;
    static final int REPLY_STREAM_ID = 2;
    static final long ROOM_ID = 1;

    /** Receive window of the server. */
    private static final int WINDOW = 128 * 1024;
    /** Higher than any sender here can reach. */
    private static final int NO_LIMIT = 100_000_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final List<String> CARRIERS = List.of("escapement-solo", "escapement-edge", "escapement-loop-");

    private LoopbackServer()
    {
    }

    /**
     * Run an engine with one loop and one room until the tool ends this process. Of a cluster, each node is such an
     * engine, and the room is on the one that leads.
     *
     * @param mode of the engine's threads: solo, shared or dedicated.
     * @param idle strategy of the engine's threads.
     */
    public static void runEngine(
        final Control control,
        final DurablePlan plan,
        final RoomType type,
        final String mode,
        final String idle)
    {
        try (EngineNodes nodes = EngineNodes.launch(plan, (node) -> context(control, plan, node, type, mode, idle)))
        {
            final Engine engine = nodes.engine();
            if (ROOM_ID != engine.openRoom(type.id()).roomId())
            {
                throw new IllegalStateException("the first room is not room " + ROOM_ID);
            }
            final LoopMeter loop = new LoopMeter(LoopIntervals.of(engine), 1);
            final long[] bytesBefore = new long[1];
            control.send(Control.READY + " " + nodes.leader());
            control.serve(plan,
                () ->
                {
                    bytesBefore[0] = allocated(nodes.threads());
                    loop.start();
                },
                () -> loop.stop().put(ENGINE_BYTES, allocated(nodes.threads()) - bytesBefore[0]));
        }
    }

    private static EngineContext context(
        final Control control,
        final DurablePlan plan,
        final int node,
        final RoomType type,
        final String mode,
        final String idle)
    {
        return new EngineContext()
            .roomType(type)
            .threadingMode(io.escapement.engine.ThreadingMode.valueOf(mode.toUpperCase(Locale.ROOT)))
            .idle(Idle.valueOf(idle.toUpperCase(Locale.ROOT)))
            .warmUp(control.warmUp())
            .loops(1)
            .driverContext(PerfDriver.context(plan.nodeDirectory(node), ThreadingMode.INVOKER, idle))
            .trunks(new TrunkServerContext()
                .udp(plan.serverEndpoint(node), plan.responseEndpoint(node))
                .ipc(plan.isIpc())
                .termLength(PerfDriver.TERM_LENGTH)
                .largestFrame(WINDOW / 2)
                .limit(1)
                .rates(NO_LIMIT, NO_LIMIT)
                .secret(SECRET, true));
    }

    /** Bytes that the threads with rooms and trunks have allocated, and the media driver that one of them invokes. */
    private static long allocated(final List<Thread> threads)
    {
        return threads.stream()
            .filter((thread) -> CARRIERS.stream().anyMatch(thread.getName()::startsWith))
            .mapToLong((thread) -> Math.max(0, THREADS.getThreadAllocatedBytes(thread.getId()))).sum();
    }

    /**
     * Run bare Aeron in one thread until the tool ends this process.
     *
     * @param mode         dedicated for a driver with threads; otherwise the server's thread invokes it.
     * @param idle         strategy of all threads of the server.
     * @param fragments    limit of a poll.
     * @param replyChannel that requests are sent back on, null to hand them to the receiver.
     */
    public static void runAeron(
        final Control control,
        final RunPlan plan,
        final String mode,
        final String idle,
        final String requestChannel,
        final String replyChannel,
        final int fragments,
        final Transport.Receiver receiver)
    {
        final ThreadingMode threads = "dedicated".equals(mode) ? ThreadingMode.DEDICATED : ThreadingMode.INVOKER;
        try (MediaDriver driver = MediaDriver.launch(PerfDriver.context(plan.directory, threads, idle));
            Aeron aeron = PerfDriver.connect(plan.directory, driver.sharedAgentInvoker()))
        {
            final Subscription requests = aeron.addSubscription(requestChannel, REQUEST_STREAM_ID);
            final ExclusivePublication replies =
                null == replyChannel ? null : aeron.addExclusivePublication(replyChannel, REPLY_STREAM_ID);
            final AgentInvoker invoker = driver.sharedAgentInvoker();
            final FragmentHandler handler = null == replies ?
                (buffer, offset, length, header) -> receiver.onMessage(buffer, offset, length) :
                (buffer, offset, length, header) -> reply(replies, invoker, buffer, offset, length);
            final Thread thread = new Thread(() -> serve(invoker, aeron.conductorAgentInvoker(),
                () -> requests.poll(handler, fragments), null != replies, PerfDriver.idle(idle, control)),
                "aeron-server");
            thread.start();
            control.send(Control.READY);
            control.serve(plan, () -> { }, Measurements::new);
            thread.interrupt();
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** The channel of bare Aeron's requests, with the receive window of the engine's. */
    public static String requestChannel(final ChannelPlan plan)
    {
        return plan.isIpc() ? CommonContext.IPC_CHANNEL :
            "aeron:udp?endpoint=" + plan.serverEndpoint() + "|rcv-wnd=" + WINDOW;
    }

    private static void reply(
        final ExclusivePublication replies,
        final AgentInvoker driver,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        while (replies.offer(buffer, offset, length) < 0)
        {
            if (null != driver)
            {
                driver.invoke();
            }
            if (replies.isClosed() || Publication.CLOSED == replies.position())
            {
                return;
            }
        }
    }

    private static void serve(
        final AgentInvoker driver,
        final AgentInvoker conductor,
        final IntSupplier poll,
        final boolean isReplying,
        final IdleStrategy idle)
    {
        int polled = 0;
        while (!Thread.currentThread().isInterrupted())
        {
            // Like the engine's edge: after at most one message the driver runs once, so that the answer leaves at
            // once.
            int work = isReplying && polled < 2 ? PerfDriver.invoke(driver, 1) : PerfDriver.invoke(driver);
            work += conductor.invoke();
            polled = poll.getAsInt();
            if (isReplying && 0 != polled)
            {
                PerfDriver.invoke(driver, 1);
            }
            idle.idle(work + polled);
        }
    }
}
