package io.escapement.engine;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.driver.internal.UntilSignal;
import io.escapement.engine.internal.edge.RoomOpening;
import io.escapement.engine.internal.edge.RoomPlacement;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.RoomHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs rooms on threads and connects them to trunks over Aeron. Launch it, open rooms and drain it, or run it until a
 * signal:
 *
 * <pre>{@code
 *   Engine.runUntilSignal(new EngineContext().roomType(chat).trunks(trunks), (engine) ->
 *   {
 *       engine.openRoomOnce(chat.id());
 *       System.out.println("open");
 *   });
 * }</pre>
 */
public final class Engine implements AutoCloseable
{
    private static final long DRAIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long FAULT_CHECK_MS = 100;
    private static final UnsafeBuffer NO_ARGUMENTS = new UnsafeBuffer(new byte[0]);

    private final EngineContext context;
    private final EngineAssembly assembly;
    private final AtomicBoolean isDraining = new AtomicBoolean();
    private final AtomicReference<Thread> invoking = new AtomicReference<>();
    /** Rooms of {@link #openRoomOnce} in the term, by type. */
    private final Map<Integer, RoomHandle> onceByTypeIdMap = new HashMap<>();
    private long onceTerm;
    private volatile boolean isClosed;

    private Engine(final EngineContext context)
    {
        this.context = context.launch();
        context.warmUp().runLog(context, SystemNanoClock.INSTANCE);
        assembly = new EngineAssembly(
            context, () -> context.warmUp().isOver() && !isDraining.get(), () -> isClosed);
        context.warmUp().await(
            null == assembly.invoker() && context.idle().isSpinning(), SystemNanoClock.INSTANCE);
    }

    /**
     * Start an engine.
     *
     * @param context its options, which are concluded and frozen here unless the application has done so.
     * @return the running engine. In {@link ThreadingMode#INVOKER} it runs when {@link #invoke()} is called.
     * @throws io.escapement.config.ConfigException if an option is wrong.
     * @throws EngineException if something that the options name cannot be opened.
     */
    public static Engine launch(final EngineContext context)
    {
        // Agrona's own failure is a NoClassDefFoundError much later.
        if (!Object.class.getModule().isOpen("jdk.internal.misc", DirectBuffer.class.getModule()))
        {
            throw new EngineException("the JVM needs the flag --add-opens java.base/jdk.internal.misc=" +
                (DirectBuffer.class.getModule().isNamed() ? DirectBuffer.class.getModule().getName() : "ALL-UNNAMED"));
        }
        return new Engine(context);
    }

    /**
     * Open a room on the loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @return the room, which opens in the next turn of its loop.
     * @throws IllegalStateException if the engine is draining or closed, or if another node leads.
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
     * @return the room, which opens in the next turn of its loop. {@link RoomHandle#state()} reports whether it is
     * open.
     */
    public RoomHandle openRoom(final int typeId, final DirectBuffer args, final int offset, final int length)
    {
        refuseIfClosed();
        if (isDraining.get())
        {
            throw new IllegalStateException("the engine is draining: it opens no rooms");
        }
        final long term = term();
        refuseIfFollowing("openRoom");
        final RoomType type = context.roomType(typeId);
        final RoomPlacement placement = assembly.placement();
        final CommandQueue[] inboxes = assembly.queues().inboxes;
        final long roomId = placement.place(typeId);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
        final int encoded = new RoomEncoder()
            .openRoom(buffer, 0, roomId, placement.seed(), 0, 0, typeId, args, offset, length);
        final int loop = TrunkMessages.loopOf(roomId);
        if (assembly.hasEnded(loop))
        {
            placement.release(roomId);
            throw new IllegalStateException("loop " + loop + " has ended by a fault");
        }
        final RoomOpening opening =
            placement.opening(roomId, () -> isClosed || assembly.hasEnded(loop) || term() != term);
        if (!inboxes[loop].offer(ControlSignal.COMMAND, null, buffer, 0, encoded))
        {
            placement.release(roomId);
            throw new IllegalStateException("the inbox of loop " + loop + " is full");
        }
        return new RoomHandle(roomId, type, assembly.queues(), opening);
    }

    /**
     * Find a room of the start, or open it.
     *
     * @param typeId of the room.
     * @return the first of {@link #recoveredRooms}, or a new room as by {@link #openRoom(int)}. Each later call returns
     * the same room, until this node next becomes the leader. The room may have closed in between.
     */
    public RoomHandle openRoomOnce(final int typeId)
    {
        return openRoomOnce(typeId, NO_ARGUMENTS, 0, 0);
    }

    /**
     * Find a room of the start, or open it. As {@link #openRoomOnce(int)}.
     *
     * @param typeId of the room.
     * @param args   buffer with the arguments for the room's logic, if it opens.
     * @param offset of the arguments.
     * @param length of the arguments.
     * @return the first of {@link #recoveredRooms}, or a new room.
     */
    public RoomHandle openRoomOnce(final int typeId, final DirectBuffer args, final int offset, final int length)
    {
        refuseIfClosed();
        refuseIfFollowing("openRoomOnce");
        synchronized (onceByTypeIdMap)
        {
            final long term = term();
            if (onceTerm != term)
            {
                onceByTypeIdMap.clear();
                onceTerm = term;
            }
            final RoomHandle earlier = onceByTypeIdMap.get(typeId);
            if (null != earlier && RoomHandle.State.REFUSED != earlier.state())
            {
                return earlier;
            }
            final List<RoomHandle> recovered = recoveredRooms(typeId);
            final RoomHandle room = recovered.isEmpty() ? openRoom(typeId, args, offset, length) : recovered.get(0);
            onceByTypeIdMap.put(typeId, room);
            return room;
        }
    }

    /**
     * Run an engine until SIGINT, SIGTERM or SIGHUP, then stop it in order and exit the process. The status is 0, or 1
     * if a thread of the engine has failed or the drain has left a resource open. Rooms of a journal or of a group of
     * nodes are kept, and others drained in 10 seconds.
     *
     * @param context of the engine.
     * @param started is called with the engine, and opens rooms and what else the application has.
     */
    public static void runUntilSignal(final EngineContext context, final Consumer<Engine> started)
    {
        runUntilSignal(context, started, (engine) ->
        {
            if (context.durability().isDurable() && !context.durability().isRecording())
            {
                return 0;
            }
            return engine.drain(DRAIN_NS).exitStatus();
        });
    }

    /**
     * Run an engine until SIGINT, SIGTERM or SIGHUP, then stop it as the application does, and exit the process. If a
     * thread of the engine has failed, the engine is closed instead, and the status is 1.
     *
     * @param context of the engine.
     * @param started is called with the engine, and opens rooms and what else the application has.
     * @param stop    in order. Returns the status of the process. The engine is closed after it.
     */
    public static void runUntilSignal(
        final EngineContext context, final Consumer<Engine> started, final ToIntFunction<Engine> stop)
    {
        UntilSignal.run((until) -> run(context, started, stop, until));
    }

    private static int run(
        final EngineContext context,
        final Consumer<Engine> started,
        final ToIntFunction<Engine> stop,
        final UntilSignal until)
    {
        try (Engine engine = launch(context))
        {
            started.accept(engine);
            boolean isSignalled = false;
            while (!isSignalled && engine.isAlive())
            {
                isSignalled = until.await(FAULT_CHECK_MS);
            }
            return engine.isAlive() ? stop.applyAsInt(engine) : 1;
        }
        catch (final RuntimeException ex)
        {
            if (!until.isOver())
            {
                throw ex;
            }
            context.errorHandler().onError(ex);
            return 1;
        }
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
        if (!invoking.compareAndSet(null, Thread.currentThread()))
        {
            throw new IllegalStateException("invoke: " + (isInvoking() ? "called from inside a duty cycle" :
                "another thread runs a duty cycle"));
        }
        // The flag belongs to the caller, and must not fail a room.
        final boolean wasInterrupted = Thread.interrupted();
        try
        {
            return isClosed ? 0 : assembly.invoker().invoke();
        }
        finally
        {
            invoking.set(null);
            if (wasInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Run a task periodically in the engine's thread for jobs, {@code escapement-jobs}, which the first call starts.
     * All jobs share that thread. A slow job delays only the other jobs. Deadlines are absolute, and missed deadlines
     * are skipped. An exception goes to the error handler. The job still runs at its next deadline.
     *
     * @param periodNs between deadlines.
     * @param task     to run.
     * @return cancels the job when it is closed.
     */
    public AutoCloseable every(final long periodNs, final Runnable task)
    {
        refuseIfClosed();
        return assembly.every(periodNs, task);
    }

    /**
     * Read a counter of the engine, even after the engine was closed. The media driver's tools also show the counters.
     *
     * @param label of the counter, such as {@code escapement loop 0: commands}.
     */
    public long counter(final String label)
    {
        return assembly.counters().value(label);
    }

    /** Directory of the media driver. Tools that read its counters need it. */
    public String aeronDirectory()
    {
        return context.hasEmbeddedDriver() ? context.driver().directory() : context.aeronDirectory();
    }

    /** The port on which metrics are served, or {@link MonitorContext#NO_PORT}. */
    public int metricsPort()
    {
        return assembly.metricsPort();
    }

    /**
     * The rooms of a type that a journal had open when the engine was launched, or that were open when this node became
     * the leader. The order is loop by loop, and by opening within a loop. Some may have closed since then.
     *
     * @param typeId of the rooms.
     * @return a handle per room. Empty without a journal, and while another node leads.
     */
    public List<RoomHandle> recoveredRooms(final int typeId)
    {
        final RoomType type = context.roomType(typeId);
        final List<RoomHandle> handles = new ArrayList<>();
        for (final long roomId : assembly.recoveredRooms(typeId))
        {
            handles.add(new RoomHandle(roomId, type, assembly.queues(), null));
        }
        return handles;
    }

    /**
     * Whether this engine opens rooms and accepts trunks: always, unless several nodes keep its log. Then it is true on
     * at most one node, after its loops have started their incarnation.
     */
    public boolean isLeader()
    {
        return !isClosed && (null == assembly.leadership() || assembly.leadership().isLeading());
    }

    /**
     * The node that leads, as far as this one knows.
     *
     * @return its member id, {@link ReplicatedLog#NO_LEADER} if the leader is unknown, this node has yet to catch up
     * with it, or this engine has no group.
     */
    public int leaderMemberId()
    {
        return null == assembly.leadership() || !assembly.isCurrent() ? ReplicatedLog.NO_LEADER :
            assembly.leadership().leaderMemberId();
    }

    /** Reads and operates this engine, for a console. */
    public EngineOperator operator()
    {
        return assembly.operator(isDraining::get);
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
     * Stop in an orderly way: accept no new trunks and rooms, call {@code onDrain} of all rooms, and wait until they
     * have closed and services have replied or the timeout has passed. Then close all trunks and the engine, and check
     * for leaks. Takes at most 15 seconds longer than the timeout, even if room code hangs. The report names a loop, a
     * room and a stack that do not return. In {@link ThreadingMode#INVOKER} this call runs the rooms: a room that does
     * not return holds it. Closing the engine in another thread cuts a drain short.
     *
     * @param timeoutNs for rooms and services.
     * @return the result of the leak check.
     * @throws IllegalStateException in a thread of the engine, such as a room's, a job's or the error handler's,
     * because such a thread cannot wait for its own exit. Also if the engine is closed, if another thread drains it, or
     * if another node leads. The rooms that the leader drains close on all nodes. Close the engine of a follower
     * instead.
     */
    public DrainReport drain(final long timeoutNs)
    {
        refuseEngineThread("drain");
        refuseIfClosed();
        refuseIfFollowing("drain");
        if (!isDraining.compareAndSet(false, true))
        {
            throw new IllegalStateException("drain: another thread drains the engine");
        }
        final boolean wasInterrupted = Thread.interrupted();
        final Drain drain = assembly.newDrain(timeoutNs);
        while (!isClosed && !drain.poll())
        {
            if (null == assembly.invoker() || null != invoking.get())
            {
                LockSupport.parkNanos(DRAIN_PARK_NS);
            }
            else
            {
                invoke();
            }
        }
        close();
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        return assembly.leakCheck();
    }

    /**
     * Stop all threads and release all memory, without notifying rooms and trunks. Bounded: if application code holds a
     * thread, close abandons the thread and the memory that it may use.
     *
     * @throws IllegalStateException in a thread of the engine, such as a room's, a job's or the error handler's, which
     * cannot wait for its end.
     */
    @Override
    public void close()
    {
        refuseEngineThread("close");
        synchronized (this)
        {
            if (!isClosed)
            {
                isClosed = true;
                awaitDutyCycle();
                assembly.close(invoking.get());
                assembly.queues().endQuestions();
            }
        }
    }

    /** The result of the leak check, once the engine is closed. */
    RoomHost host(final int loop)
    {
        return assembly.host(loop);
    }

    DrainReport leakCheck()
    {
        return assembly.leakCheck();
    }

    /** Begin a drain, for tests that step it. */
    Drain newDrain(final long timeoutNs)
    {
        isDraining.set(true);
        return assembly.newDrain(timeoutNs);
    }

    private boolean isInvoking()
    {
        return Thread.currentThread() == invoking.get();
    }

    private void awaitDutyCycle()
    {
        final long endNs = System.nanoTime() + EngineThreads.CLOSE_NS;
        while (null != invoking.get() && System.nanoTime() < endNs)
        {
            LockSupport.parkNanos(DRAIN_PARK_NS);
        }
    }

    private void refuseEngineThread(final String method)
    {
        if (isInvoking() || assembly.isEngineThread(Thread.currentThread()))
        {
            throw new IllegalStateException(method + ": called in " + Thread.currentThread().getName() +
                ", a thread of the engine, which cannot wait for its end: use another thread");
        }
    }

    private long term()
    {
        return null == assembly.leadership() ? 0 : assembly.leadership().term();
    }

    /** The rooms belong to the group: only the leader can open and close them. */
    private void refuseIfFollowing(final String method)
    {
        if (!isLeader())
        {
            final int leader = leaderMemberId();
            throw new IllegalStateException(method + ": this node follows, " +
                (ReplicatedLog.NO_LEADER == leader ? "and no other leads yet" : "member " + leader + " leads"));
        }
    }

    private void refuseIfClosed()
    {
        if (isClosed)
        {
            throw new IllegalStateException("the engine is closed");
        }
    }
}
