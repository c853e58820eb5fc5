package io.escapement.engine;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.EngineClock;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.rooms.host.RoomHost;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/** An orderly stop. Runs in the thread that calls {@link Engine#drain}, which may block. */
final class Drain
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int DRAIN_LENGTH = 64;
    /** Timeout of steps that need no cooperation of rooms: closing rooms, ending trunks. */
    private static final long CLOSING_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private final EngineContext context;
    private final EngineQueues queues;
    private final LoopAgent[] loops;
    private final LoopCounters[] counters;
    private final EdgeAgent edge;
    private final EngineClock time;
    private final Runnable invoker;
    private final List<DrainReport.Line> lines = new ArrayList<>();

    /**
     * Make one.
     *
     * @param invoker runs a duty cycle while this waits, or null when threads do.
     */
    Drain(
        final EngineContext context,
        final EngineQueues queues,
        final LoopAgent[] loops,
        final LoopCounters[] counters,
        final EdgeAgent edge,
        final EngineClock time,
        final Runnable invoker)
    {
        this.context = context;
        this.queues = queues;
        this.loops = loops;
        this.counters = counters;
        this.edge = edge;
        this.time = time;
        this.invoker = invoker;
    }

    void run(final long timeoutNs)
    {
        final long deadlineNs = time.nowNs() + timeoutNs;
        final UnsafeBuffer command = new UnsafeBuffer(new byte[DRAIN_LENGTH]);
        final int length = new RoomCommandEncoder().drain(command, 0, deadlineNs);
        send(queues.edgeInbox, ControlSignal.DRAIN, NOTHING, 0);
        for (final CommandQueue inbox : queues.inboxes)
        {
            send(inbox, ControlSignal.DRAIN_ROOMS, command, length);
        }
        await(this::areRoomsClosed, deadlineNs);
        for (final CommandQueue inbox : queues.inboxes)
        {
            send(inbox, ControlSignal.CLOSE_ROOMS, NOTHING, 0);
        }
        await(this::areRoomsClosed, time.nowNs() + CLOSING_NS);
        send(queues.edgeInbox, ControlSignal.STOP, NOTHING, 0);
        await(edge::isStopped, time.nowNs() + CLOSING_NS);
    }

    /** Check for leaks, once all threads have ended. */
    DrainReport report()
    {
        for (int i = 0; i < loops.length; i++)
        {
            final RoomHost host = loops[i].host();
            final String prefix = "loop " + i + ": ";
            expectNone(prefix + "rooms open", host.openRooms());
            expectNone(prefix + "timers set", host.pendingTimers());
            expectNone(prefix + "links up", host.linksUp());
            expectNone(prefix + "requests to services open", counters[i].requests());
            expectNone(prefix + "destinations with queued messages", loops[i].leftovers());
            expectNone(prefix + "commands in the ring", queues.rings[i].size());
            expectNone(prefix + "commands in the inbox", queues.inboxes[i].size());
        }
        expectNone("edge: signals in the inbox", queues.edgeInbox.size());
        expectNone("edge: trunks, connections and links held", edge.held());
        expectNone("edge: rooms in the directory", edge.rooms());
        queues.workersByServiceIdMap.forEach((id, workers) ->
        {
            for (final CommandQueue worker : workers)
            {
                expectNone("service " + id + ": requests in a queue", worker.size());
            }
        });
        if (context.hasEmbeddedDriver() && context.driver().isDirectoryDeleted())
        {
            final File directory = new File(context.driver().directory());
            expectNone("driver: shared memory in " + directory, directory.exists() ? 1 : 0);
        }
        return new DrainReport(List.copyOf(lines));
    }

    private boolean areRoomsClosed()
    {
        for (final LoopCounters loop : counters)
        {
            if (!loop.isDraining() || 0 != loop.rooms() || 0 != loop.requests())
            {
                return false;
            }
        }
        return true;
    }

    private void send(final CommandQueue queue, final ControlSignal signal, final UnsafeBuffer buffer, final int length)
    {
        await(() -> queue.offer(signal, null, buffer, 0, length), time.nowNs() + CLOSING_NS);
    }

    private void await(final BooleanSupplier condition, final long untilNs)
    {
        while (!condition.getAsBoolean() && time.nowNs() < untilNs)
        {
            if (null == invoker)
            {
                LockSupport.parkNanos(PARK_NS);
            }
            else
            {
                invoker.run();
            }
        }
    }

    private void expectNone(final String what, final long found)
    {
        lines.add(new DrainReport.Line(what, 0, found));
    }
}
