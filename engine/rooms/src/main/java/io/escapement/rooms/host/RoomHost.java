package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.log.RecordSink;
import io.escapement.rooms.timers.TimerWheel;
import org.agrona.DirectBuffer;

/**
 * Runs many rooms, one turn after another. The same commands and times give the same result wherever they run.
 *
 * <p>A turn is {@link #beginTurn(long)}, any number of {@link #onCommand}, and {@link #endTurn()}, all on one thread.
 * It has one time, and runs in this order: commands as they come, timers that are due, frames that are due. A turn in
 * which none of them ran leaves no trace. Nothing here throws because of the content of a command; it is refused with a
 * code.
 */
public final class RoomHost
{
    /** Most commands to pass to {@link #prefetch} before {@link #runPrefetch()}. */
    public static final int PREFETCH_LIMIT = CachePrefetcher.LIMIT;

    /** The highest refusal code that fits the wire. */
    public static final int MAX_REFUSAL_CODE = 0xFFFF;

    private static final int NONE = 0;

    private final HostState state;
    private final RoomServices services;
    private final TurnTrace trace;
    private final RoomTable rooms;
    private final Frames frames;
    private final TimerWheel wheel;
    private final ThreadGuard guard;
    private final Outputs outputs;
    private final HostListener listener;
    private final HostCommands commands;
    private final CommandAdapter adapter;
    private final TimerWheel.Handler timerHandler = this::onTimer;
    private boolean isInTurn;

    /**
     * Make an empty host.
     *
     * @param context concluded here if it is not yet.
     */
    public RoomHost(final HostContext context)
    {
        state = new HostState(context.conclude());
        services = state.services();
        trace = services.trace;
        rooms = state.rooms();
        frames = services.frames;
        wheel = services.wheel;
        guard = services.guard;
        outputs = context.outputs();
        listener = context.listener();
        commands = new HostCommands(state);
        adapter = new CommandAdapter(state, commands);
    }

    /**
     * Begin a turn.
     *
     * @param timeNs of the turn, since the host was made; a time before that of the last turn counts as that time.
     */
    public void beginTurn(final long timeNs)
    {
        if (isInTurn || null != services.broken())
        {
            refuseTurn();
        }

        isInTurn = true;
        trace.begin(timeNs);
        guard.beginTurn();
    }

    /**
     * Run a command.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return 0 when it was done, otherwise the code of its refusal, which is counted and sent to the command's sender
     * if it has one.
     */
    public int onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isInTurn || !guard.isIdle())
        {
            refuseCommand();
        }

        return adapter.onCommand(buffer, offset, length);
    }

    /**
     * Run a closure in an ephemeral room.
     *
     * @param roomId of the room.
     * @param task   to run.
     * @return 0 when it was run, otherwise the refusal's code.
     */
    public int execute(final long roomId, final RoomTask task)
    {
        if (!isInTurn || !guard.isIdle())
        {
            refuseCommand();
        }

        final RoomInstance room = rooms.byId(roomId);
        if (null == room)
        {
            return services.refusals.counted(RefusalCode.UNKNOWN_ROOM.value());
        }
        if (!room.type().isEphemeral())
        {
            return services.refusals.counted(RefusalCode.ROOM_IS_RECORDED.value());
        }
        room.execute(task);
        return NONE;
    }

    /**
     * End the turn: run the timers and the frames that are due, and flush the output of the rooms.
     *
     * @return the time at which the next turn is due if no command comes before.
     */
    public long endTurn()
    {
        wheel.expire(services.time.nowNs(), timerHandler);
        services.dirtyRooms.flush();
        outputs.flush();
        PhaseGroup group = frames.runNext(services.time.nowNs());
        while (null != group)
        {
            services.dirtyRooms.flush();
            outputs.flush();
            if (0 != group.ran())
            {
                listener.onFrames(group.rateHz, group.phase, group.lastDeadlineNs(), group.ran(), group.missed());
            }
            group = frames.runNext(services.time.nowNs());
        }

        isInTurn = false;
        commands.endTurn();
        trace.end();
        return Math.min(wheel.nextDeadlineNs(), frames.nextDeadlineNs());
    }

    /**
     * Announce a command that will follow soon. Announce up to {@link #PREFETCH_LIMIT} consecutive commands, call
     * {@link #runPrefetch()}, then run them. It is a hint and changes no state.
     *
     * @param buffer with the command, which need not be valid.
     * @param offset of its message header.
     * @param length of the command in bytes.
     */
    public void prefetch(final DirectBuffer buffer, final int offset, final int length)
    {
        adapter.prefetch(buffer, offset, length);
    }

    /** Load what the announced commands will touch into the cache, so that their cache misses overlap. */
    public void runPrefetch()
    {
        state.prefetcher().prefetch();
    }

    /**
     * Load what the next frames will touch into the cache. Changes no state.
     *
     * @param untilNs latest deadline of the frames.
     */
    public void warmCaches(final long untilNs)
    {
        frames.warmCaches(untilNs);
    }

    /** Number of the last turn that left a trace. */
    public long turn()
    {
        return trace.turn();
    }

    /** Time of the current or last turn, in nanoseconds since the host was made. */
    public long nowNs()
    {
        return services.time.nowNs();
    }

    /** Number of open rooms. */
    public int openRooms()
    {
        return rooms.size();
    }

    /**
     * The open rooms, in the order in which they opened. Between turns only.
     *
     * @return their ids, in a new array.
     */
    public long[] openRoomIds()
    {
        checkBetweenTurns();
        final long[] ids = new long[rooms.size()];
        int count = 0;
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            ids[count++] = room.roomId();
        }
        return ids;
    }

    /** Number of links that are up. */
    public int linksUp()
    {
        return services.links.countUp();
    }

    /**
     * The room whose logic is running, for a watchdog. The only method that another thread may call; its result may be
     * out of date by then.
     *
     * @return the room's id, 0 if none is running.
     */
    public long runningRoomId()
    {
        return guard.runningRoomId();
    }

    /** Number of nodes of the timing wheel in use: timers of rooms, held seats, flushes that wait. */
    public int pendingTimers()
    {
        return wheel.size();
    }

    /**
     * Number of refusals with a code.
     *
     * @param code of the engine; all codes of applications share one count.
     * @return the count.
     */
    public long refusals(final int code)
    {
        return services.refusals.count(code);
    }

    /** Hash of everything that the future depends on, without ephemeral rooms. Between turns only. */
    public long stateHash()
    {
        checkBetweenTurns();
        return state.hash();
    }

    /**
     * Hash of one room, which is the same whether it runs alone or among others. Between turns only.
     *
     * @param roomId of the room.
     * @return the hash, or 0 if no such room is open.
     */
    public long stateHash(final long roomId)
    {
        checkBetweenTurns();
        final RoomInstance room = rooms.byId(roomId);
        return null == room ? 0 : RoomSnapshot.hash(room, wheel);
    }

    /** Write the state hash to the turn log, unless no turn has left a trace since the last one. Between turns only. */
    public void logStateHash()
    {
        trace.recordStateHash(this::stateHash);
    }

    /**
     * Write a snapshot of the host, without ephemeral rooms. Between turns only.
     *
     * @param sink that takes the bytes.
     */
    public void snapshot(final RecordSink sink)
    {
        checkBetweenTurns();
        HostSnapshot.write(state, sink);
    }

    /**
     * Make a host from a snapshot. All of it is verified before any of it is used.
     *
     * @param context of the new host; its limits must be those of the host that wrote the snapshot.
     * @param buffer  with the snapshot.
     * @param offset  of the snapshot.
     * @param length  of the snapshot in bytes.
     * @return a host that continues exactly as the first would have.
     */
    public static RoomHost restore(
        final HostContext context, final DirectBuffer buffer, final int offset, final int length)
    {
        final RoomHost host = new RoomHost(context);
        HostSnapshot.read(host.state, buffer, offset, length);
        return host;
    }

    /** Publish every room, its seats and its labels to the outputs, as a directory needs after a restore. */
    public void announce()
    {
        checkBetweenTurns();
        final OutputProxy output = services.unrecordedOutput;
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            output.roomOpened(room.roomId(), room.type().id(), room.seats().limit());
            output.occupancy(room.roomId(), room.seats().occupied());
            room.labels().publish(room.roomId(), output);
        }
    }

    /** Seats of a room that are not free. */
    int seatsOccupied(final long roomId)
    {
        return rooms.byId(roomId).seats().occupied();
    }

    private void onTimer(final int slot, final int id, final long deadlineNs)
    {
        final RoomInstance room = rooms.bySlot(slot);
        trace.touch(room.identity());
        room.timerDue(id, deadlineNs);
    }

    private void checkBetweenTurns()
    {
        if (isInTurn)
        {
            throw new IllegalStateException("a turn is running: call this between endTurn and beginTurn");
        }
    }

    private void refuseTurn()
    {
        throw null != services.broken() ?
            new IllegalStateException("the JVM failed inside a callback, the host cannot continue", services.broken()) :
            new IllegalStateException("the last turn was not ended: call endTurn first");
    }

    private void refuseCommand()
    {
        throw new IllegalStateException(
            isInTurn ? "a command from inside a callback" : "a command outside a turn: call beginTurn first");
    }
}
