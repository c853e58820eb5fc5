package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomTask;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.RecordSink;
import io.escapement.rooms.output.RoomFigures;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.LongArrayList;

/**
 * Runs many rooms, one turn after another. The same commands and times give the same result wherever they run.
 *
 * <p>A turn is {@link #beginTurn(long)}, any number of {@link #onCommand}, and {@link #endTurn()}, all on one thread.
 * It has one time, and runs in this order: commands as they arrive, due timers, due frames. A turn without any of them
 * leaves no trace. The content of a command never causes a throw: the command is refused with a code.
 */
public final class RoomHost
{
    /** Most commands to pass to {@link #prefetch} before {@link #runPrefetch()}. */
    public static final int PREFETCH_LIMIT = CachePrefetcher.LIMIT;

    /** With fewer rooms the caches hold them all, and prefetching costs more than it saves. */
    public static final int PREFETCH_MIN_ROOMS = 1_536;

    private static final int NONE = 0;

    private final HostContext context;
    /** As rooms open at first, in the order of their ids, so that it does not depend on the application. */
    final List<RoomType> types;
    /** In the version with which rooms open now. */
    private final Int2ObjectHashMap<RoomType> typeByIdMap = new Int2ObjectHashMap<>();
    final CachePrefetcher prefetcher = new CachePrefetcher();
    final RollingSnapshot rolling = new RollingSnapshot();
    final RoomTable rooms;
    final RoomServices services;
    private final Frames frames;
    private final TimerWheel wheel;
    private final ThreadGuard guard;
    /** {room, callback} of each room that failed in the turn for a reason of the machine, unless a FailedAt said so. */
    private final LongArrayList failures = new LongArrayList();
    private final HostCommands commands;
    private final CommandAdapter adapter;
    private final TimerWheel.Handler timerHandler = this::onTimer;
    /** Of the turns that left a trace. */
    private long turn;
    private long lastTurnNs;
    private boolean isTouched;
    private boolean isInTurn;
    /** The next room of an announcement, or null after the last. */
    private RoomInstance announced;
    private boolean isSubscribing;
    private boolean areSubscriptionsDue;

    /**
     * Make an empty host.
     *
     * @param context concluded here if it is not yet.
     */
    public RoomHost(final HostContext context)
    {
        this.context = context.conclude();
        final HostConfig config = context.limits();
        types = context.types().first();
        for (final RoomType type : types)
        {
            typeByIdMap.put(type.id(), type);
        }
        rooms = new RoomTable(config.roomLimit(), config.seatLimit(), config.timerLimit());
        services = new RoomServices(this, config, context);
        frames = services.frames;
        wheel = services.wheel;
        guard = services.guard;
        commands = new HostCommands(this);
        adapter = new CommandAdapter(this, commands);
        services.live(!context.isMuted());
    }

    /**
     * Have output, events and log lines leave, or keep all of them back. Turns compute and hash the same in any case.
     *
     * @param value whether these leave.
     */
    public void live(final boolean value)
    {
        services.live(value);
    }

    /**
     * Begin a turn.
     *
     * @param timeNs of the turn, since the host was made. A time before the last turn's counts as the last turn's.
     */
    public void beginTurn(final long timeNs)
    {
        if (isInTurn || !guard.isIdle() || null != services.broken())
        {
            refuseTurn();
        }

        isInTurn = true;
        isTouched = false;
        if (!failures.isEmpty())
        {
            failures.clear();
        }
        services.time.nowNs(Math.max(timeNs, lastTurnNs));
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
     * Run the commands that rooms of this loop had sent to each other before the turn. A turn starts with it. Only
     * FailedAt commands precede it.
     *
     * @return how many were run.
     */
    public int runReturns()
    {
        final int count = services.loop.returns();
        for (int i = 0; i < count; i++)
        {
            runReturn();
        }
        return count;
    }

    /**
     * Run the first of these commands, of which there is one at least.
     *
     * @return its length in bytes.
     */
    public int runReturn()
    {
        if (!isInTurn || !guard.isIdle())
        {
            refuseCommand();
        }

        final int length = services.loop.takeReturn();
        adapter.onCommand(services.loop.returned(), 0, length);
        return length;
    }

    /**
     * Run the next command that a room of this loop had sent to another, from the bytes of a log.
     *
     * @param buffer with the command.
     * @param offset of its message header.
     * @param length of the command in bytes.
     * @return whether it was run: false if the next command is another, or there is no next command.
     */
    public boolean onReturn(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isInTurn || !guard.isIdle())
        {
            refuseCommand();
        }

        if (!services.loop.isNextReturn(buffer, offset, length))
        {
            return false;
        }
        services.loop.dropReturn();
        adapter.onCommand(buffer, offset, length);
        return true;
    }

    /** The commands of rooms without an answer. The application that runs the host sends from it. */
    public LoopState loopState()
    {
        return services.loop;
    }

    /** Number of the last HostResumed, 0 before the first. */
    public int incarnation()
    {
        return services.incarnation.number();
    }

    /** The node that leads this incarnation, as the last HostResumed named it. */
    public int memberId()
    {
        return services.incarnation.memberId();
    }

    /** Number of the last proposal that ran, as in snapshots. 0 if turns are not proposed. */
    public long proposal()
    {
        return services.incarnation.proposal();
    }

    /**
     * Note the proposal of the turn that ran. For the runner of proposals, between turns.
     *
     * @param number of the proposal.
     */
    public void proposal(final long number)
    {
        checkBetweenTurns();
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
     * @return the time at which the next turn is due if no command arrives before.
     */
    public long endTurn()
    {
        if (!isInTurn || !guard.isIdle())
        {
            refuseEnd();
        }

        runDue();
        isInTurn = false;
        commands.endTurn();
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

    /** Load the objects of the announced commands into the cache, to overlap their cache misses. */
    public void runPrefetch()
    {
        prefetcher.prefetch();
    }

    /**
     * Load the objects of the next frames into the cache, a few rooms in each call. Changes no state.
     *
     * @param untilNs latest deadline of the frames.
     */
    public void warmCaches(final long untilNs)
    {
        frames.warmCaches(untilNs);
    }

    /** Running hash of all output up to the last turn that left a trace; 0 unless it is hashed. Between turns only. */
    public long outputHash()
    {
        checkBetweenTurns();
        return services.output.hash();
    }

    /** Number of the last turn that left a trace. */
    public long turn()
    {
        return turn;
    }

    /** Time of the current or last turn, in nanoseconds since the host was made. */
    public long nowNs()
    {
        return services.time.nowNs();
    }

    /** Wall time of the current or last turn, in milliseconds since 1970. */
    public long epochMs()
    {
        return services.time.epochMs();
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

    /**
     * Id of the type of an open room. Between turns only.
     *
     * @param roomId of {@link #openRoomIds()}.
     */
    public int typeOf(final long roomId)
    {
        checkBetweenTurns();
        return rooms.byId(roomId).type().id();
    }

    /**
     * Version of the logic of an open room. Between turns only.
     *
     * @param roomId of {@link #openRoomIds()}.
     */
    public int versionOf(final long roomId)
    {
        checkBetweenTurns();
        return rooms.byId(roomId).type().version();
    }

    /**
     * Version with which rooms of a type open. Between turns only.
     *
     * @param typeId of the type.
     */
    public int openingVersion(final int typeId)
    {
        checkBetweenTurns();
        return type(typeId).version();
    }

    /**
     * Register another version of a room type. It has no effect before a Reload names it. Register it with every host
     * that may run the Reload: live, in a replay, and on the other nodes. From any thread. Publish the Reload after
     * this returns.
     *
     * @param type frozen by this call, with the id and name of a type of the host.
     */
    public void register(final RoomType type)
    {
        context.types().add(type);
    }

    /**
     * Whether a version of a room type is registered. From any thread.
     *
     * @param typeId  of the type.
     * @param version of its logic.
     */
    public boolean isRegistered(final int typeId, final int version)
    {
        return context.isRegistered(typeId, version);
    }

    /** Number of links that are up. */
    public int linksUp()
    {
        return services.links.countUp();
    }

    /**
     * Whether seats are present through a link, or held for its trunk.
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
     * The trunk of a link, if the link is up or its seats are held.
     *
     * @param link number of the link.
     * @return id of the trunk, or 0.
     */
    public long trunkOf(final int link)
    {
        return services.links.isUp(link) || services.links.hasSeats(link) ? services.links.trunkId(link) : 0;
    }

    /**
     * The room of the running logic, for a watchdog. Only this method may be called by another thread. Its result may
     * be out of date by then.
     *
     * @return the room's id, 0 if no room is running.
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
     * @param code of the engine. All codes of applications share one count.
     */
    public long refusals(final int code)
    {
        return services.refusals.count(code);
    }

    /** Hash of everything that the future depends on. Between turns only. */
    public long stateHash()
    {
        checkBetweenTurns();
        return HostSnapshot.hash(this);
    }

    /**
     * Hash of one room. It does not depend on the other rooms of the host. Between turns only.
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

    /** Number of rooms that failed in the last turn for a reason of this run only, such as stack depth. */
    public int failures()
    {
        return failures.size() / 2;
    }

    /**
     * Id of a room that failed.
     *
     * @param index of the failure.
     */
    public long failedRoomId(final int index)
    {
        return failures.getLong(2 * index);
    }

    /**
     * The callback at which it failed.
     *
     * @param index of the failure.
     */
    public long failedCallback(final int index)
    {
        return failures.getLong(2 * index + 1);
    }

    /**
     * Write a snapshot of the host. Its rooms must not be ephemeral. Between turns only.
     *
     * @param sink that takes the bytes.
     */
    public void snapshot(final RecordSink sink)
    {
        checkSnapshot();
        HostSnapshot.write(this, context.header(), sink);
    }

    /**
     * Start a snapshot of the host as it is now. The next turns complete it. Its bytes are the same as
     * {@link #snapshot} would write now. {@link #fillImage} copies a room, or the room is copied before it changes.
     * Between turns only, and once the last image is complete or has failed.
     *
     * @param image to fill. Its last content is forgotten.
     */
    public void beginImage(final HostImage image)
    {
        checkSnapshot();
        rolling.begin(this, context.header(), image);
    }

    /**
     * Write the host's own state and some rooms as an image does, and forget their bytes, so that the code is loaded
     * and compiled when an image starts. Between turns only.
     *
     * @param count of rooms, from 0.
     * @return how many were written. Fewer if fewer are open.
     */
    public int rehearseImage(final int count)
    {
        checkBetweenTurns();
        return rolling.rehearse(this, context.header(), count);
    }

    /**
     * Copy rooms to the started image. No effect without an image, or after it is complete. Between turns only.
     *
     * @param bytes that the rooms should have together, if as many are left.
     */
    public void fillImage(final long bytes)
    {
        checkBetweenTurns();
        rolling.fill(bytes);
    }

    /**
     * Make a host from a snapshot. All of it is verified before any of it is used.
     *
     * @param context of the new host. Its limits must equal the limits of the host that wrote the snapshot.
     * @param buffer  with the snapshot.
     * @param offset  of the snapshot.
     * @param length  of the snapshot in bytes.
     * @return a host that continues exactly as the first would have, once a new directory has the announcement of
     *         {@link #beginAnnounce}.
     */
    public static RoomHost restore(
        final HostContext context, final DirectBuffer buffer, final int offset, final int length)
    {
        return restore(context, HostSnapshot.ALL_ROOMS, buffer, offset, length);
    }

    /**
     * Make a host with one room of a snapshot, or without rooms if the snapshot does not have it.
     *
     * @param context of the new host, with the settings of {@link HostConfig#alone()}.
     * @param roomId  of the room.
     * @param buffer  with the snapshot.
     * @param offset  of the snapshot.
     * @param length  of the snapshot in bytes.
     * @return a host in which the room runs as it does among the others.
     */
    public static RoomHost restoreRoom(
        final HostContext context, final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        return restore(context, roomId, buffer, offset, length);
    }

    private static RoomHost restore(
        final HostContext context, final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        final RoomHost host = new RoomHost(context);
        HostSnapshot.read(host, context.header(), context.isOtherAccepted(), roomId, buffer, offset, length);
        return host;
    }

    /**
     * The rooms of a snapshot, in the order in which they opened.
     *
     * @param snapshot verified.
     * @return their ids.
     */
    public static long[] roomsOf(final DirectBuffer snapshot)
    {
        return HostSnapshot.rooms(snapshot);
    }

    /**
     * Begin to publish every room again, its seats and its labels, to a directory that missed some of it. A new
     * directory, as there is after a restore, is then sent the subscriptions of the rooms: each subscribed room gets a
     * RESET, and every entry once more. Between turns only.
     *
     * @param isNew whether the directory has no subscriptions.
     */
    public void beginAnnounce(final boolean isNew)
    {
        checkBetweenTurns();
        announced = rooms.first();
        isSubscribing = false;
        areSubscriptionsDue = isNew;
    }

    /**
     * Publish the next room of an announcement, or its subscription. Between turns only.
     *
     * @return false if no room was left.
     */
    public boolean announceNext()
    {
        checkBetweenTurns();
        if (null == announced && areSubscriptionsDue)
        {
            announced = rooms.first();
            isSubscribing = true;
            areSubscriptionsDue = false;
        }
        final RoomInstance room = announced;
        if (null == room)
        {
            return false;
        }
        announced = room.next();
        final OutputProxy output = services.directory;
        if (!isSubscribing)
        {
            output.roomOpened(room.roomId(), room.type().id(), room.identity.limits().seats());
            output.occupancy(room.roomId(), room.seats.occupied());
            room.labels().publish(room.roomId(), output);
        }
        else if (room.isSubscribed())
        {
            output.subscribeAgain(room.roomId());
        }
        return true;
    }

    /**
     * Whether a room is open. Between turns only.
     *
     * @param roomId of the room.
     */
    public boolean isOpen(final long roomId)
    {
        checkBetweenTurns();
        return null != rooms.byId(roomId);
    }

    /**
     * Visit the taken seats of an open room. Between turns only.
     *
     * @param roomId  of {@link #openRoomIds()}.
     * @param visitor of the seats, which it may only read.
     */
    public void forEachSeat(final long roomId, final Consumer<Seat> visitor)
    {
        checkBetweenTurns();
        final SeatTable seats = rooms.byId(roomId).seats;
        for (int i = 0; i < seats.limit(); i++)
        {
            final SeatState seat = seats.at(i);
            if (seat.isTaken())
            {
                visitor.accept(seat);
            }
        }
    }

    /**
     * Seats of an open room that are not free: taken, reserved, or about to be freed.
     *
     * @param roomId of {@link #openRoomIds()}.
     */
    public int seatsOccupied(final long roomId)
    {
        return rooms.byId(roomId).seats.occupied();
    }

    /**
     * Sequence of the last message that a seat had accepted. Between turns only.
     *
     * @param roomId    of {@link #openRoomIds()}.
     * @param seatIndex of a seat of the room.
     */
    public long lastSequence(final long roomId, final int seatIndex)
    {
        checkBetweenTurns();
        return rooms.byId(roomId).seats.at(seatIndex).lastSequence();
    }

    /**
     * Have a seat accept a message with the sequence of its last message once more, for a run with other inputs than
     * the log's. Between turns only.
     *
     * @param roomId    of {@link #openRoomIds()}.
     * @param seatIndex of a seat of the room.
     * @return that sequence.
     */
    public long repeatSequence(final long roomId, final int seatIndex)
    {
        checkBetweenTurns();
        final RoomInstance room = rooms.byId(roomId);
        final SeatState seat = room.seats.at(seatIndex);
        final long last = seat.lastSequence();
        rolling.beforeChange(room);
        seat.accept(last - 1);
        return last;
    }

    /**
     * Link of the trunk through which the player of a seat is present. Between turns only.
     *
     * @param roomId    of {@link #openRoomIds()}.
     * @param seatIndex of a seat of the room.
     */
    public int linkOf(final long roomId, final int seatIndex)
    {
        checkBetweenTurns();
        return rooms.byId(roomId).seats.at(seatIndex).link();
    }

    /**
     * Time since an open room was opened or restored.
     *
     * @param roomId of {@link #openRoomIds()}.
     */
    public long ageNs(final long roomId)
    {
        return services.time.nowNs() - rooms.byId(roomId).openedNs();
    }

    /**
     * Figures of an open room. Between turns only.
     *
     * @param roomId of {@link #openRoomIds()}.
     */
    public RoomFigures figures(final long roomId)
    {
        checkBetweenTurns();
        final RoomInstance room = rooms.byId(roomId);
        return new RoomFigures(room.rateHz(), room.invoker.count() + room.uncounted(),
            room.timers.count(), room.requests.open(), room.output.sentBytes(), room.refusals(),
            room.membership.isLocked(), room.isLockedByOperator(),
            ageNs(roomId), room.statesLost(), services.refusals.last(roomId));
    }

    /**
     * Name the values of a room for people, first by the host and then by its logic. No effect if it is not open. Also
     * within a turn.
     *
     * @param roomId      of the room.
     * @param description to put the values into.
     */
    public void describe(final long roomId, final RoomDescription description)
    {
        final RoomInstance room = rooms.byId(roomId);
        if (null != room)
        {
            RoomValues.describe(room, description);
        }
    }

    /**
     * The logic of an open room, only to be read between turns. A change to it breaks the room's determinism.
     *
     * @param roomId of {@link #openRoomIds()}.
     */
    public RoomLogic logic(final long roomId)
    {
        checkBetweenTurns();
        return rooms.byId(roomId).invoker.logic();
    }

    // For the parts of the host

    /** The type of an id, in the version with which its rooms open now, or null. */
    RoomType type(final int typeId)
    {
        return typeByIdMap.get(typeId);
    }

    /** A version of a type, or null. */
    RoomType type(final int typeId, final int version)
    {
        return context.types().find(typeId, version);
    }

    /** Rooms of this type open with this version from now on. */
    void openAs(final RoomType type)
    {
        typeByIdMap.put(type.id(), type);
    }

    RoomInstance newRoom(final RoomType type, final long roomId, final long ordinal, final RoomLimits limits)
    {
        int firstVersion = type.version();
        for (int i = 0; i < types.size(); i++)
        {
            firstVersion = types.get(i).id() == type.id() ? types.get(i).version() : firstVersion;
        }
        final RoomInstance room = make(new RoomIdentity(
            type, firstVersion, roomId, ordinal, rooms.takeSlot(limits), services.shared(limits)));
        rooms.add(room);
        return room;
    }

    /** A room has closed. */
    void onClosed(final RoomIdentity room)
    {
        final RoomInstance closed = rooms.bySlot(room.slot());
        announced = closed == announced ? closed.next() : announced;
        rolling.beforeRemoval(closed);
        rooms.remove(room);
    }

    /**
     * A room or the host itself is about to run. Only then a turn gets a number and a record. All other turns leave no
     * trace, because a log must not depend on the idle runs of a loop.
     */
    void touch()
    {
        if (!isTouched)
        {
            isTouched = true;
            turn++;
            lastTurnNs = services.time.nowNs();
        }
    }

    void recordFailure(final RoomIdentity room, final long callback)
    {
        if (!commands.isGiven(room.roomId(), callback))
        {
            failures.addLong(room.roomId());
            failures.addLong(callback);
        }
    }

    /** Time of the last turn that left a trace. */
    long lastTurnNs()
    {
        return lastTurnNs;
    }

    /** Continue after a turn of a snapshot. */
    void restoreTurn(final long number, final long timeNs)
    {
        Restored.check(number >= 0 && timeNs >= 0, "turn " + number + " at " + timeNs);
        turn = number;
        lastTurnNs = timeNs;
    }

    private RoomInstance make(final RoomIdentity identity)
    {
        try
        {
            return new RoomInstance(identity, services);
        }
        catch (final VirtualMachineError failure)
        {
            services.onBroken(failure);
            throw failure;
        }
    }

    /** Run the timers and the frames that are due. Output is flushed before each phase group and after the last. */
    private void runDue()
    {
        wheel.expire(services.time.nowNs(), timerHandler);
        flush();
        PhaseGroup group = runNextFrames();
        while (null != group)
        {
            flush();
            if (0 != group.ran())
            {
                services.listener().onFrames(
                    group.rateHz, group.phase, group.lastDeadlineNs(), group.ran(), group.missed());
            }
            group = runNextFrames();
        }
    }

    private PhaseGroup runNextFrames()
    {
        final long nowNs = services.time.nowNs();
        if (rolling.isFilling())
        {
            final PhaseGroup due = frames.nextDue(nowNs);
            if (null != due)
            {
                rolling.beforeChange(due);
            }
        }
        return frames.runNext(nowNs);
    }

    private void onTimer(final int slot, final int id, final long deadlineNs)
    {
        final RoomInstance room = rooms.bySlot(slot);
        rolling.beforeChange(room);
        touch();
        room.timerDue(id, deadlineNs);
    }

    private void flush()
    {
        services.dirtyRooms.flush();
        services.output.flush();
    }

    private void checkSnapshot()
    {
        checkBetweenTurns();
        if (context.isEphemeral())
        {
            throw new IllegalStateException("ephemeral rooms have no snapshot");
        }
    }

    private void checkBetweenTurns()
    {
        if (isInTurn || !guard.isIdle())
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

    private void refuseEnd()
    {
        throw new IllegalStateException(
            isInTurn ? "endTurn from inside a callback" : "endTurn outside a turn: call beginTurn first");
    }

    private void refuseCommand()
    {
        throw new IllegalStateException(
            isInTurn ? "a command from inside a callback" : "a command outside a turn: call beginTurn first");
    }
}
