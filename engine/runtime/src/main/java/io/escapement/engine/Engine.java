package io.escapement.engine;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.edge.RoomPlacement;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.RoomType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs rooms on threads and connects them to trunks over Aeron. Launch it, open rooms, drain it.
 *
 * <pre>{@code
 *   try (Engine engine = Engine.launch(new EngineContext().roomType(chat).trunks(...)))
 *   {
 *       final RoomHandle lobby = engine.openRoom(chat.id());
 *       new ShutdownSignalBarrier().await();
 *       System.exit(engine.drain(TimeUnit.SECONDS.toNanos(10)).exitStatus());
 *   }
 * }</pre>
 */
public final class Engine implements AutoCloseable
{
    private static final UnsafeBuffer NO_ARGUMENTS = new UnsafeBuffer(new byte[0]);

    private final EngineContext context;
    private final EngineAssembly assembly;
    private volatile boolean isDraining;
    private volatile boolean isClosed;

    private Engine(final EngineContext context)
    {
        this.context = context.conclude();
        assembly = new EngineAssembly(context, () -> !isDraining, () -> isClosed);
    }

    /**
     * Start an engine.
     *
     * @param context its options, which are concluded and frozen here.
     * @return the running engine. In {@link ThreadingMode#INVOKER} it runs when {@link #invoke()} is called.
     * @throws io.escapement.config.ConfigException if an option is wrong.
     * @throws EngineException if something that the options name cannot be opened.
     */
    public static Engine launch(final EngineContext context)
    {
        return new Engine(context);
    }

    /**
     * Open a room on the loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @return the room, which opens in the next turn of its loop.
     */
    public RoomHandle openRoom(final int typeId)
    {
        return openRoom(typeId, NO_ARGUMENTS, 0, 0);
    }

    /**
     * Open a room on the loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @param args   buffer with the arguments for the room's logic.
     * @param offset of the arguments.
     * @param length of the arguments.
     * @return the room, which opens in the next turn of its loop.
     */
    public RoomHandle openRoom(final int typeId, final DirectBuffer args, final int offset, final int length)
    {
        if (isDraining)
        {
            throw new IllegalStateException("the engine is draining: it opens no rooms");
        }
        final RoomType type = context.roomType(typeId);
        final RoomPlacement placement = assembly.placement();
        final CommandQueue[] inboxes = assembly.queues().inboxes;
        final long roomId = placement.place(typeId);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LoopContext.INBOX_SLOT_LENGTH]);
        final int encoded = new RoomCommandEncoder()
            .openRoom(buffer, 0, roomId, typeId, placement.seed(), 0, 0, args, offset, length);
        final int loop = TrunkMessages.loopOf(roomId);
        if (!inboxes[loop].offer(ControlSignal.COMMAND, null, buffer, 0, encoded))
        {
            placement.release(roomId);
            throw new IllegalStateException("the inbox of loop " + loop + " is full");
        }
        return new RoomHandle(roomId, type, inboxes);
    }

    /**
     * Run one duty cycle of all agents, in {@link ThreadingMode#INVOKER}.
     *
     * @return amount of work done, 0 if idle.
     */
    public int invoke()
    {
        if (null == assembly.invoker())
        {
            throw new IllegalStateException(
                "threadingMode: " + context.threadingMode() + ": only INVOKER has no threads");
        }
        return assembly.invoker().invoke();
    }

    /**
     * Run a task periodically in the engine's thread for jobs, {@code escapement-jobs}, which the first call starts.
     * All jobs share that thread, so a slow job delays the other jobs, and nothing else. Deadlines are absolute, and
     * missed ones are skipped. An exception goes to the error handler; the job runs again at its next deadline.
     *
     * @param periodNs between deadlines.
     * @param task     to run.
     * @return cancels the job when it is closed.
     */
    public AutoCloseable every(final long periodNs, final Runnable task)
    {
        return assembly.every(periodNs, task);
    }

    /**
     * Read a counter of the engine, also after it was closed. The media driver's tools show the counters too.
     *
     * @param label of the counter, such as {@code escapement loop 0: commands}.
     */
    public long counter(final String label)
    {
        return assembly.counters().value(label);
    }

    /** The port on which metrics are served, or {@link MonitorContext#NO_PORT}. */
    public int metricsPort()
    {
        return assembly.metricsPort();
    }

    /** Number of loops. */
    public int loops()
    {
        return context.loops();
    }

    /**
     * The latency histograms of a loop.
     *
     * @param loop from 0.
     */
    public LoopRecorder recorder(final int loop)
    {
        return assembly.recorder(loop);
    }

    /** Whether all threads run. A thread that ended has reported its exception to the error handler. */
    public boolean isAlive()
    {
        return !isClosed && assembly.isAlive();
    }

    /**
     * Stop in an orderly way: accept no new trunks and rooms, call {@code onDrain} of all rooms, wait until they have
     * closed and services have replied or the timeout has passed, end all trunks, close, and check for leaks.
     *
     * @param timeoutNs for rooms and services.
     * @return the result of the leak check.
     */
    public DrainReport drain(final long timeoutNs)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the engine is closed");
        }
        isDraining = true;
        final Drain drain = assembly.newDrain();
        drain.run(timeoutNs);
        close();
        return drain.report();
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            assembly.close();
        }
    }
}
