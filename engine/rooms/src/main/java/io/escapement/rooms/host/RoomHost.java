package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.log.RecordSink;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.timers.TimerWheel;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs many rooms, a turn at a time, and comes to the same result from the same commands and times wherever it runs.
 *
 * <p>A turn is {@link #beginTurn(long)}, any number of {@link #onCommand}, and {@link #endTurn()}, all on one thread.
 * It has one time, and does in this order: commands as they come, timers that are due, frames that are due. A turn in
 * which none of them ran leaves no trace. Nothing here throws for what a command holds: it is refused with a code.
 */
public final class RoomHost
{
    /** How many commands to expect before each {@link #lookAhead()}. */
    public static final int EXPECTED_LIMIT = CachePrefetcher.LIMIT;
    /** The last refusal code that fits the wire. */
    public static final int MAX_REFUSAL_CODE = 0xFFFF;

    /** Codes of the engine are counted one by one, those of applications together in the last place. */
    private static final int COUNTED_CODES = 64;
    private static final int NONE = 0;

    final ThreadGuard guard = new ThreadGuard();
    final ControlOutput control = new ControlOutput();
    final UnsafeBuffer scratch = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    final long[] refusalCounts = new long[COUNTED_CODES + 1];
    final Int2IntHashMap rateCapByTypeMap = new Int2IntHashMap(NONE);
    final Int2ObjectHashMap<RoomType> typeByIdMap = new Int2ObjectHashMap<>();
    final Long2LongHashMap failAtByRoomMap = new Long2LongHashMap(NONE);
    final HostContext context;
    final HostListener listener;
    final TimerWheel wheel;
    final Frames frames;
    final CachePrefetcher ahead = new CachePrefetcher();
    final LinkTable links;
    final RoomTable rooms;
    final OutputProxy outputs;
    final OutputProxy unrecorded;
    final HashingOutputs hashing;
    RoomOutput claimed;
    boolean isUnsettled;
    long turn;
    long lastTurnNs;
    boolean isDraining;

    private final TurnLog log;
    private final CommandAdapter adapter = new CommandAdapter(this);
    private final TimerWheel.Handler timerHandler = this::onTimer;
    private RoomInstance[] dirtyRooms;
    private int dirtyCount;
    private long nowNs;
    private long hashedTurn;
    private boolean isInTurn;
    private boolean isTouched;
    private Throwable broken;

    /**
     * Make an empty host.
     *
     * @param context concluded here if it is not yet.
     */
    public RoomHost(final HostContext context)
    {
        this.context = context.conclude();
        listener = context.listener();
        log = context.turnLog();
        hashing = null == log ? null : new HashingOutputs(context.outputs());
        unrecorded = new OutputProxy(context.outputs());
        outputs = null == log ? unrecorded : new OutputProxy(hashing);
        rooms = new RoomTable(context.roomLimit(), context.seatLimit(), context.timerLimit());
        links = new LinkTable(context.linkLimit());
        frames = new Frames(context.phaseGroups(), ahead);
        dirtyRooms = new RoomInstance[context.roomLimit()];
        // Every seat may wait for its grace, and every room for its flush and its refusals.
        final int nodes = context.timerLimit() + context.seatLimit() + RoomInstance.EXTRA_NODES * context.roomLimit();
        wheel = new TimerWheel(context.wheelTickNs(), TimerWheel.bucketsFor(nodes), nodes);
        for (final RoomType type : context.types())
        {
            typeByIdMap.put(type.id(), type);
        }
    }

    /**
     * Begin a turn.
     *
     * @param timeNs of the turn, since the host was made; a time before the last turn's is taken as that.
     */
    public void beginTurn(final long timeNs)
    {
        if (isInTurn || null != broken)
        {
            refuseTurn();
        }

        isInTurn = true;
        isTouched = false;
        nowNs = Math.max(timeNs, lastTurnNs);
        guard.beginTurn();
    }

    /**
     * Take a command. It is run before this returns.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return 0 when it was done, otherwise the refusal's code, which is counted and, where there is someone to tell,
     * told.
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
            return counted(RefusalCode.UNKNOWN_ROOM.value());
        }
        if (!room.type.isEphemeral())
        {
            return counted(RefusalCode.ROOM_IS_RECORDED.value());
        }
        room.execute(task);
        return NONE;
    }

    /**
     * End the turn: run the timers and the frames that are due, and put out what rooms sent.
     *
     * @return the time by which the next turn is wanted, if no command comes before.
     */
    public long endTurn()
    {
        wheel.expire(nowNs, timerHandler);
        flushDirty();
        context.outputs().flush();
        PhaseGroup group = frames.runNext(nowNs);
        while (null != group)
        {
            flushDirty();
            context.outputs().flush();
            if (0 != group.ran)
            {
                listener.onFrames(group.rateHz, group.phase, group.lastDeadlineNs, group.ran, group.missed);
            }
            group = frames.runNext(nowNs);
        }

        isInTurn = false;
        failAtByRoomMap.clear();
        if (isTouched && null != log)
        {
            log.turnEnd(hashing.value());
        }
        return Math.min(wheel.nextDeadlineNs(), frames.nextDeadlineNs());
    }

    /**
     * Say which command comes soon. Some that come one after the other are said before the first of them, and then
     * {@link #lookAhead()} is called.
     *
     * @param buffer with the command, which need not be a valid one.
     * @param offset of its message header.
     * @param length of the command in bytes.
     */
    public void expect(final DirectBuffer buffer, final int offset, final int length)
    {
        adapter.expect(buffer, offset, length);
    }

    /**
     * Have what the expected commands begin with in the cache. Changes nothing else.
     */
    public void lookAhead()
    {
        ahead.run();
    }

    /**
     * Have what the next frames begin with in the cache, while there is time for that. Changes nothing else.
     *
     * @param untilNs frames that are due later are left alone.
     */
    public void lookAhead(final long untilNs)
    {
        frames.lookAhead(untilNs);
    }

    /**
     * How many turns left a trace.
     *
     * @return the number of the last turn that did.
     */
    public long turn()
    {
        return turn;
    }

    /**
     * Time of the turn that runs, or ran last.
     *
     * @return nanoseconds since the host was made.
     */
    public long nowNs()
    {
        return nowNs;
    }

    /**
     * How many rooms are open.
     *
     * @return the number.
     */
    public int openRooms()
    {
        return rooms.size();
    }

    /**
     * The rooms that are open, in the order in which they opened. Between turns only.
     *
     * @return their ids, in a new array.
     */
    public long[] openRoomIds()
    {
        checkBetweenTurns();
        final long[] ids = new long[rooms.size()];
        int count = 0;
        for (RoomInstance room = rooms.first(); null != room; room = room.next)
        {
            ids[count++] = room.roomId();
        }
        return ids;
    }

    /**
     * How many links are up.
     *
     * @return the number.
     */
    public int linksUp()
    {
        return links.countUp();
    }

    /**
     * The room whose logic runs just now, for a watchdog. The one method that another thread may call: what it says may
     * be a moment old.
     *
     * @return the room's id, 0 when none runs.
     */
    public long runningRoomId()
    {
        return guard.runningRoomId();
    }

    /**
     * How many nodes of the timing wheel are in use: timers of rooms, held seats, flushes that wait.
     *
     * @return the number.
     */
    public int pendingTimers()
    {
        return wheel.size();
    }

    /**
     * How often a code was the answer.
     *
     * @param code of the engine; any code of an application stands for all of them.
     * @return the count.
     */
    public long refusals(final int code)
    {
        return refusalCounts[Math.min(code, COUNTED_CODES)];
    }

    /**
     * Hash of everything that the future depends on, ephemeral rooms left out. Between turns only.
     *
     * @return the hash.
     */
    public long stateHash()
    {
        checkBetweenTurns();
        final StateHash hash = new StateHash();
        HostSnapshot.writeHost(this, hash);
        for (RoomInstance room = rooms.first(); null != room; room = room.next)
        {
            if (!room.type.isEphemeral())
            {
                hash.putLong(RoomSnapshot.hash(room));
            }
        }
        return hash.value();
    }

    /**
     * Hash of one room: the same whether it runs alone or among others. Between turns only.
     *
     * @param roomId of the room.
     * @return the hash, or 0 when no such room is open.
     */
    public long stateHash(final long roomId)
    {
        checkBetweenTurns();
        final RoomInstance room = rooms.byId(roomId);
        return null == room ? 0 : RoomSnapshot.hash(room);
    }

    /**
     * Write the host's state hash into its log, unless no turn has left a trace since the last. Between turns only.
     */
    public void logStateHash()
    {
        if (null != log && turn != hashedTurn)
        {
            hashedTurn = turn;
            log.stateHash(turn, stateHash());
        }
    }

    /**
     * Write the whole host, ephemeral rooms left out. Between turns only.
     *
     * @param sink that takes the bytes.
     */
    public void snapshot(final RecordSink sink)
    {
        checkBetweenTurns();
        HostSnapshot.write(this, sink);
    }

    /**
     * Make a host out of a snapshot. The whole of it is checked before anything of it is used.
     *
     * @param context of the new host; its limits must be those of the host that wrote the snapshot.
     * @param buffer  with the snapshot.
     * @param offset  of the snapshot.
     * @param length  of the snapshot in bytes.
     * @return a host that goes on exactly as the first would have.
     */
    public static RoomHost restore(
        final HostContext context, final DirectBuffer buffer, final int offset, final int length)
    {
        return HostSnapshot.read(new RoomHost(context), buffer, offset, length);
    }

    /**
     * Tell the outputs again of every room, its seats and its labels: what a directory needs after a restore.
     */
    public void announce()
    {
        checkBetweenTurns();
        for (RoomInstance room = rooms.first(); null != room; room = room.next)
        {
            unrecorded.roomOpened(room.roomId(), room.type.id(), room.seats.limit());
            unrecorded.occupancy(room.roomId(), room.seats.occupied());
            room.labels.show(room.roomId(), unrecorded);
        }
    }

    void openRoom(
        final RoomType type,
        final long roomId,
        final long seed,
        final RoomLimits limits,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final RoomInstance room =
            new RoomInstance(this, type, roomId, rooms.nextOrdinal(), rooms.takeSlot(limits), limits);
        rooms.add(room);
        room.random.state(seed);
        room.calls.failAt(failAtByRoomMap.get(roomId));
        room.open(args, offset, length);
    }

    void failAt(final long roomId, final long callback)
    {
        // The room may be opened later in this turn, so the number is kept either way.
        failAtByRoomMap.put(roomId, callback);
        final RoomInstance room = rooms.byId(roomId);
        if (null != room)
        {
            room.calls.failAt(callback);
        }
    }

    int linkUp(final int link, final long trunkId)
    {
        if (!links.isInRange(link))
        {
            return RefusalCode.BAD_VALUE.value();
        }
        if (links.isUp(link))
        {
            return RefusalCode.LINK_IN_USE.value();
        }

        links.forgetSeats(link);
        links.up(link, trunkId);
        return NONE;
    }

    int linkDown(final int link)
    {
        if (!links.isUp(link))
        {
            return RefusalCode.UNKNOWN_LINK.value();
        }

        links.down(link);
        final int count = links.gather(link);
        for (int i = 0; i < count; i++)
        {
            final SeatState seat = links.gathered(i);
            if (seat.room.isOpen() && SeatState.PRESENT == seat.state && seat.link == link)
            {
                seat.room.linkLost(seat);
            }
        }
        return NONE;
    }

    int linkResumed(final int link, final int previousLink, final long trunkId)
    {
        if (!links.isInRange(link) || !links.isInRange(previousLink))
        {
            return RefusalCode.BAD_VALUE.value();
        }
        if (links.isUp(link))
        {
            return RefusalCode.LINK_IN_USE.value();
        }
        if (links.isUp(previousLink) || links.trunkId(previousLink) != trunkId)
        {
            return RefusalCode.UNKNOWN_LINK.value();
        }

        final int count = links.gather(previousLink);
        if (link != previousLink)
        {
            links.forgetSeats(link);
        }
        links.up(link, trunkId);
        for (int i = 0; i < count; i++)
        {
            final SeatState seat = links.gathered(i);
            if (seat.room.isOpen() && SeatState.AWAY == seat.state && seat.link == previousLink)
            {
                seat.room.linkResumed(seat, link);
            }
        }
        return NONE;
    }

    int linkStateLost(final int link)
    {
        if (!links.isUp(link))
        {
            return RefusalCode.UNKNOWN_LINK.value();
        }

        final int count = links.gather(link);
        for (int i = 0; i < count; i++)
        {
            final SeatState seat = links.gathered(i);
            if (seat.room.isOpen() && SeatState.PRESENT == seat.state && seat.link == link)
            {
                seat.room.stateLost(seat);
            }
        }
        return NONE;
    }

    int setRate(final int typeId, final int rateHz)
    {
        if (!typeByIdMap.containsKey(typeId))
        {
            return RefusalCode.UNKNOWN_ROOM_TYPE.value();
        }
        if (rateHz < 0 || rateHz > Frames.MAX_RATE_HZ)
        {
            return RefusalCode.BAD_VALUE.value();
        }

        if (NONE == rateHz)
        {
            rateCapByTypeMap.remove(typeId);
        }
        else
        {
            rateCapByTypeMap.put(typeId, rateHz);
        }
        for (RoomInstance room = rooms.first(); null != room; room = room.next)
        {
            if (room.type.id() == typeId)
            {
                room.frames.follow();
            }
        }
        return NONE;
    }

    int drain(final long deadlineNs)
    {
        isDraining = true;
        for (RoomInstance room = rooms.first(); null != room; room = room.next)
        {
            room.drain(deadlineNs);
        }
        return NONE;
    }

    boolean isDraining()
    {
        return isDraining;
    }

    long epochMs()
    {
        return context.epochMs() + nowNs / 1_000_000;
    }

    System.Logger logger()
    {
        return context.logger();
    }

    /** What ephemeral rooms put out is not part of what a replay is compared by. */
    OutputProxy outputsOf(final RoomType type)
    {
        return type.isEphemeral() ? unrecorded : outputs;
    }

    long deadlineIn(final long delayNs)
    {
        return delayNs > Long.MAX_VALUE - nowNs ? Long.MAX_VALUE : nowNs + delayNs;
    }

    int effectiveHz(final RoomType type, final int requestedHz)
    {
        final int cap = rateCapByTypeMap.get(type.id());
        return NONE == cap ? requestedHz : Math.min(cap, requestedHz);
    }

    /** A recorded room is about to run: the turn leaves a trace. */
    void touch(final RoomInstance room)
    {
        if (!isTouched && !room.type.isEphemeral())
        {
            touch();
        }
    }

    void record(final DirectBuffer buffer, final int offset, final int length)
    {
        touch();
        if (null != log)
        {
            log.command(buffer, offset, length);
        }
    }

    void logFailure(final RoomInstance room, final long callback)
    {
        if (null != log && !room.type.isEphemeral())
        {
            log.failedAt(room.roomId(), callback);
        }
    }

    /** How many rooms wait to be flushed. */
    int dirtyRooms()
    {
        return dirtyCount;
    }

    int counted(final int code)
    {
        countRefusal(code);
        return code;
    }

    void countRefusal(final int code)
    {
        refusalCounts[Math.min(code, COUNTED_CODES)]++;
        listener.onRefused(code);
    }

    void dirty(final RoomInstance room)
    {
        if (dirtyCount == dirtyRooms.length)
        {
            dirtyRooms = Arrays.copyOf(dirtyRooms, dirtyCount * 2);
        }
        dirtyRooms[dirtyCount++] = room;
    }

    void closed(final RoomInstance room)
    {
        rooms.remove(room);
    }

    void broken(final Throwable cause)
    {
        broken = cause;
    }

    private void touch()
    {
        if (!isTouched)
        {
            isTouched = true;
            turn++;
            lastTurnNs = nowNs;
            if (null != log)
            {
                log.turnStart(turn, nowNs);
            }
        }
    }

    private void onTimer(final int slot, final int id, final long deadlineNs)
    {
        final RoomInstance room = rooms.bySlot(slot);
        touch(room);
        room.timerDue(id, deadlineNs);
    }

    private void flushDirty()
    {
        for (int i = 0; i < dirtyCount; i++)
        {
            final RoomInstance room = dirtyRooms[i];
            dirtyRooms[i] = null;
            if (room.isOpen())
            {
                room.flushAndTell();
            }
        }
        dirtyCount = 0;
    }

    private void checkBetweenTurns()
    {
        if (isInTurn)
        {
            throw new IllegalStateException("a turn is under way");
        }
    }

    private void refuseTurn()
    {
        throw null != broken ?
            new IllegalStateException("the host is broken and cannot go on", broken) :
            new IllegalStateException("the last turn was not ended");
    }

    private void refuseCommand()
    {
        throw new IllegalStateException(
            isInTurn ? "a command from inside a callback" : "a command outside a turn: call beginTurn first");
    }
}
