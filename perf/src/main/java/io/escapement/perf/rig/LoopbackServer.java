package io.escapement.perf.rig;

import com.sun.management.ThreadMXBean;
import io.aeron.driver.ThreadingMode;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** The server process of {@code echo} and {@code ingress}: an engine with one room. */
public final class LoopbackServer
{
    /** Allocated by the engine's threads in the measured part. */
    public static final String ENGINE_BYTES = "engineBytes";

    static final byte[] SECRET = {7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2};
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
}
