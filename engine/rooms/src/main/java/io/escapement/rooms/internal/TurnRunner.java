package io.escapement.rooms.internal;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.Seat;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.output.RecordSink;
import io.escapement.rooms.output.RoomFigures;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Runs the turns of a host: commands, due timers, due frames. The entry to this package for {@code RoomHost}, which
 * documents the methods and checks the order of the calls.
 */
public final class TurnRunner
{
    /** Most commands to announce before they are prefetched. */
    public static final int PREFETCH_LIMIT = CachePrefetcher.LIMIT;

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
    private final RollingSnapshot snapshot;
    private final TimerWheel.Handler timerHandler = this::onTimer;

    /**
     * Make an empty host.
     *
     * @param config limits and rates of the host.
     * @param types  of its rooms.
     * @param sinks  that it writes to.
     */
    public TurnRunner(final TurnLogHeader config, final TypeVersions types, final HostSinks sinks)
    {
        state = new HostState(config, types, sinks);
        services = state.services();
        trace = services.trace;
        rooms = state.rooms();
        frames = services.frames;
        wheel = services.wheel;
        snapshot = state.snapshot();
        guard = services.guard;
        outputs = sinks.outputs();
        listener = sinks.listener();
        commands = new HostCommands(state);
        adapter = new CommandAdapter(state, commands);
    }

    /**
     * Begin a turn.
     *
     * @param timeNs of the turn.
     */
    public void begin(final long timeNs)
    {
        trace.begin(timeNs);
        guard.beginTurn();
    }

    /**
     * Run a command.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return 0 when it was done, otherwise the code of its refusal.
     */
    public int onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        return adapter.onCommand(buffer, offset, length);
    }

    /** The state of the loop. */
    public LoopState loopState()
    {
        return services.loop;
    }

    /** Run the commands that rooms of this loop had sent to each other when the call began. Returns how many. */
    public int runReturns()
    {
        final int count = services.loop.returns();
        for (int i = 0; i < count; i++)
        {
            final int length = services.loop.takeReturn();
            adapter.onCommand(services.loop.returned(), 0, length);
        }
        return count;
    }

    /**
     * Whether a command is the next return.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     */
    public boolean isNextReturn(final DirectBuffer buffer, final int offset, final int length)
    {
        return services.loop.isNextReturn(buffer, offset, length);
    }

    /**
     * Run the next return from other memory.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return 0 when it was done, otherwise the code of its refusal.
     */
    public int onReturn(final DirectBuffer buffer, final int offset, final int length)
    {
        services.loop.dropReturn();
        return adapter.onCommand(buffer, offset, length);
    }

    /** Number of the incarnation; 0 before the first HostResumed. */
    public int incarnation()
    {
        return services.incarnation.number();
    }

    /** The node that leads the incarnation. */
    public int memberId()
    {
        return services.incarnation.memberId();
    }

    /** Number of the last proposal that ran. */
    public long proposal()
    {
        return services.incarnation.proposal();
    }

    /**
     * Note the proposal whose turn has ended.
     *
     * @param number of the proposal.
     */
    public void proposal(final long number)
    {
        services.incarnation.proposal(number);
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

    /** Run the timers and the frames that are due. Output is flushed before each phase group and after the last. */
    public void runDue()
    {
        wheel.expire(services.time.nowNs(), timerHandler);
        flush();
        PhaseGroup group = runNextFrames();
        while (null != group)
        {
            flush();
            if (0 != group.ran())
            {
                listener.onFrames(group.rateHz, group.phase, group.lastDeadlineNs(), group.ran(), group.missed());
            }
            group = runNextFrames();
        }
    }

    /** Close the record of the turn. */
    public void end()
    {
        commands.endTurn();
        trace.end();
    }

    /** Deadline of the next timer or frame. */
    public long nextDeadlineNs()
    {
        return Math.min(wheel.nextDeadlineNs(), frames.nextDeadlineNs());
    }

    /**
     * Announce a command for {@link #runPrefetch()}.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     */
    public void prefetch(final DirectBuffer buffer, final int offset, final int length)
    {
        adapter.prefetch(buffer, offset, length);
    }

    /** Read the objects of the announced commands. */
    public void runPrefetch()
    {
        state.prefetcher().prefetch();
    }

    /**
     * Read the objects of the next frames.
     *
     * @param untilNs latest deadline of the frames.
     */
    public void warmCaches(final long untilNs)
    {
        frames.warmCaches(untilNs);
    }

    /** Whether no callback of a room is running. */
    public boolean isIdle()
    {
        return guard.isIdle();
    }

    /** The failure of the JVM after which no turn may run, or null. */
    public Throwable broken()
    {
        return services.broken();
    }

    /** Running hash of all output; 0 without a turn log. */
    public long outputHash()
    {
        return trace.outputHash();
    }

    /** Number of the last turn that left a trace. */
    public long turn()
    {
        return trace.turn();
    }

    /** Time of the current or last turn. */
    public long nowNs()
    {
        return services.time.nowNs();
    }

    /** Number of open rooms. */
    public int openRooms()
    {
        return rooms.size();
    }

    /** Ids of the open rooms, in the order of opening, in a new array. */
    public long[] openRoomIds()
    {
        final long[] ids = new long[rooms.size()];
        int count = 0;
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            ids[count++] = room.roomId();
        }
        return ids;
    }

    /**
     * Type of an open room.
     *
     * @param roomId of the room.
     */
    public int typeOf(final long roomId)
    {
        return rooms.byId(roomId).type().id();
    }

    /**
     * Version of the logic of an open room.
     *
     * @param roomId of the room.
     */
    public int versionOf(final long roomId)
    {
        return rooms.byId(roomId).type().version();
    }

    /**
     * Version with which rooms of a type open.
     *
     * @param typeId of the type.
     */
    public int openingVersion(final int typeId)
    {
        return state.type(typeId).version();
    }

    /**
     * Whether a room is open.
     *
     * @param roomId of the room.
     */
    public boolean isOpen(final long roomId)
    {
        return null != rooms.byId(roomId);
    }

    /**
     * Visit the seats of an open room that have a player.
     *
     * @param roomId  of the room.
     * @param visitor of the seats.
     */
    public void forEachSeat(final long roomId, final Consumer<Seat> visitor)
    {
        final SeatTable seats = rooms.byId(roomId).seats();
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (seat.isTaken())
            {
                visitor.accept(seat);
            }
        }
    }

    /** Sequence of the last message that a seat of an open room had accepted. */
    public long lastSequence(final long roomId, final int seatIndex)
    {
        return rooms.byId(roomId).seats().at(seatIndex).lastSequence();
    }

    /** Number of links that are up. */
    public int linksUp()
    {
        return services.links.countUp();
    }

    /**
     * Whether seats remember a link.
     *
     * @param link number of the link.
     */
    public boolean hasSeats(final int link)
    {
        return services.links.hasSeats(link);
    }

    /**
     * Number of seats that are present through a link, or held for its trunk.
     *
     * @param link number of the link.
     */
    public int seats(final int link)
    {
        return services.links.seats(link);
    }

    /**
     * The trunk of a link that is up, or whose seats are held.
     *
     * @param link number of the link.
     * @return id of the trunk, or 0.
     */
    public long trunkOf(final int link)
    {
        return services.links.isUp(link) || services.links.hasSeats(link) ? services.links.trunkId(link) : 0;
    }

    /** Id of the room whose callback is running, or 0. Any thread may call this. */
    public long runningRoomId()
    {
        return guard.runningRoomId();
    }

    /** Number of nodes of the wheel in use. */
    public int pendingTimers()
    {
        return wheel.size();
    }

    /**
     * Number of refusals with a code.
     *
     * @param code of the engine; all codes of applications share one count.
     */
    public long refusals(final int code)
    {
        return services.refusals.count(code);
    }

    /**
     * Seats of an open room that are not free.
     *
     * @param roomId of the room.
     */
    public int seatsOccupied(final long roomId)
    {
        return rooms.byId(roomId).seats().occupied();
    }

    /** Time since an open room was opened or restored. */
    public long ageNs(final long roomId)
    {
        return services.time.nowNs() - rooms.byId(roomId).tally().openedNs;
    }

    /** Figures of an open room. */
    public RoomFigures figures(final long roomId)
    {
        final RoomInstance room = rooms.byId(roomId);
        return new RoomFigures(room.frames().rateHz(), room.invoker().count() + room.frames().uncounted(),
            room.timers().count(), room.requests().open(), room.output().sentBytes(), room.tally().refusals(),
            room.membership().isLocked(), room.status().isLockedByOperator(),
            ageNs(roomId), room.tally().statesLost(), services.refusals.last(roomId));
    }

    /** The logic of an open room. */
    public RoomLogic logic(final long roomId)
    {
        return rooms.byId(roomId).invoker().logic();
    }

    /** Hash of the host and its recorded rooms. */
    public long stateHash()
    {
        return state.hash();
    }

    /**
     * Hash of one room.
     *
     * @param roomId of the room.
     * @return the hash, or 0 if no such room is open.
     */
    public long stateHash(final long roomId)
    {
        final RoomInstance room = rooms.byId(roomId);
        return null == room ? 0 : RoomSnapshot.hash(room, wheel);
    }

    /** Write the state hash to the turn log, unless no turn has left a trace since the last one. */
    public void logStateHash()
    {
        trace.recordStateHash(this::stateHash);
    }

    /**
     * Write a snapshot.
     *
     * @param header of the snapshot.
     * @param sink   that takes the bytes.
     */
    public void snapshot(final TurnLogHeader header, final RecordSink sink)
    {
        HostSnapshot.write(state, header, sink);
    }

    /**
     * Begin a snapshot of the state between two turns, which is completed while the next ones run.
     *
     * @param header  of the snapshot.
     * @param records of the snapshot.
     */
    public void beginSnapshot(final TurnLogHeader header, final SnapshotRecords records)
    {
        snapshot.begin(state, header, records);
    }

    /**
     * Write the host's own state and rooms for nothing.
     *
     * @param header of the snapshot.
     * @param count  of rooms.
     * @return how many were written.
     */
    public int rehearseSnapshot(final TurnLogHeader header, final int count)
    {
        return snapshot.rehearse(state, header, count);
    }

    /**
     * Add rooms to the snapshot that was begun.
     *
     * @param bytes that they should have together, if as many are left.
     */
    public void fillSnapshot(final long bytes)
    {
        snapshot.fill(bytes);
    }

    /**
     * Fill this empty host from a snapshot.
     *
     * @param header          that the snapshot must have, apart from the build.
     * @param isOtherAccepted whether limits, and versions of room types, may differ.
     * @param buffer          with the snapshot.
     * @param offset          of the snapshot.
     * @param length          of the snapshot in bytes.
     */
    public void restore(
        final TurnLogHeader header,
        final boolean isOtherAccepted,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        HostSnapshot.read(state, header, isOtherAccepted, buffer, offset, length);
    }

    /** Publish every room, its seats and its labels to the outputs. */
    public void announce()
    {
        final OutputProxy output = services.directory;
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            output.roomOpened(room.roomId(), room.type().id(), room.identity().limits().seats());
            output.occupancy(room.roomId(), room.seats().occupied());
            room.labels().publish(room.roomId(), output);
        }
    }

    /** Subscribe to the directory again the rooms that had subscribed. Each gets a RESET before the entries. */
    public void subscribeAgain()
    {
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            if (room.status().isSubscribed())
            {
                services.directory.subscribeAgain(room.roomId());
            }
        }
    }

    private PhaseGroup runNextFrames()
    {
        final long nowNs = services.time.nowNs();
        if (snapshot.isFilling())
        {
            final PhaseGroup due = frames.nextDue(nowNs);
            if (null != due)
            {
                snapshot.beforeChange(due);
            }
        }
        return frames.runNext(nowNs);
    }

    private void onTimer(final int slot, final int id, final long deadlineNs)
    {
        final RoomInstance room = rooms.bySlot(slot);
        snapshot.beforeChange(room);
        trace.touch();
        room.timerDue(id, deadlineNs);
    }

    private void flush()
    {
        services.dirtyRooms.flush();
        outputs.flush();
    }
}
