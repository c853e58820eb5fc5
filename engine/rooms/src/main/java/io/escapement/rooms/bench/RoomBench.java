package io.escapement.rooms.bench;

import com.sun.management.ThreadMXBean;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.rooms.replay.Replay;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs rooms in a test, without threads, sockets or a clock. Time advances only through {@link #step(int)} and
 * {@link #runFor(long)}. The bench answers the requests of rooms (signals, new rooms, reservations, the directory,
 * services) with commands, as a running engine does. A turn runs the messages between rooms, then the answers to their
 * requests, then the command of the test. After a command the bench runs turns until no message waits. After frames and
 * timers it does not: a test can stop in the middle of an exchange. It overwrites each command after its callbacks. If
 * a logic kept the buffer, it reads rubbish. The bench proposes every turn to a log in memory and runs it from there,
 * as a journal does, and {@link #replayAndCompare()} runs the log a second time. Ephemeral rooms have no log.
 */
public final class RoomBench
{
    /** Answers the requests of rooms to a service. */
    @FunctionalInterface
    public interface Service
    {
        /**
         * Answer a request.
         *
         * @param orderKey of the request.
         * @param request  the request's bytes.
         * @return the answer's bytes.
         */
        byte[] answer(long orderKey, byte[] request);
    }

    /** Plays on a bench, here and in other JVMs: a public class with a public constructor without arguments. */
    @FunctionalInterface
    public interface Scenario
    {
        /** Create a bench and play on it. */
        RoomBench run();
    }

    /** Number of last frames with a known allocation. */
    private static final int REMEMBERED_FRAMES = 1 << 16;

    /** Limit of turns that answer one another: beyond it, rooms answer each other forever. */
    private static final int MAX_FOLLOW_UP_TURNS = 10_000;

    /** Enough for the output of one turn: growth within a turn would count as an allocation of the room. */
    private static final int HEADROOM = 1 << 20;

    private static final byte RUBBISH = (byte)0xDB;
    private static final long FIRST_SEED = 0x5EED_0001L;
    static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final RoomType[] types;
    private final RoomHost host;
    private final CapturedOutputs captured = new CapturedOutputs();
    /** Null if the rooms are ephemeral: then commands run where they are, without a recording. */
    private final BenchLog log;
    private final BenchRouter router = new BenchRouter(this);
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final ArrayDeque<byte[]> followUps = new ArrayDeque<>();
    private final Map<Integer, Service> serviceByIdMap = new HashMap<>();
    private final Set<Integer> lateServices = new HashSet<>();
    private final List<BenchRequest> requests = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final long[] allocatedByFrame = new long[REMEMBERED_FRAMES];
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final long threadId = Thread.currentThread().getId();
    private final boolean isContinued;
    private long frames;
    private long nowNs;
    private long deadlineNs = Long.MAX_VALUE;
    private long roomSerial;
    private long requestId;
    private int lastLink;
    private final long roomId;

    private RoomBench(final DirectBuffer args, final int offset, final int length, final RoomType... types)
    {
        this.types = types;
        isContinued = false;
        final HostContext context = context(types).outputs(captured).listener(new Listener());
        log = types[0].isEphemeral() ? null : new BenchLog(context);
        host = null == log ? new RoomHost(context) : log.host();
        captured.ensureCapacity(HEADROOM);
        roomId = open(types[0], args, offset, length);
    }

    private RoomBench(final LogFile past, final RoomType... types)
    {
        this.types = types;
        isContinued = true;
        if (past.isHashed())
        {
            throw new IllegalArgumentException("messages of the log are replaced by their hashes: it cannot be run");
        }
        log = new BenchLog(
            context(types).outputs(captured).listener(new Listener()).like(past.config()), past.snapshot());
        host = log.host();
        captured.ensureCapacity(HEADROOM);
        deadlineNs = log.run(past);
        nowNs = host.nowNs();
        final long[] open = host.openRoomIds();
        roomId = 0 == open.length ? 0 : open[0];
        roomSerial = past.config().roomLimit();
        handOut();
        if (!failures.isEmpty())
        {
            LangUtil.rethrowUnchecked(failures.get(0));
        }
    }

    /**
     * Run the log of a room, such as a failure bundle, and continue after its last turn. If the room fails in it, or
     * catches a throw, this throws the room's throwable: at the same callback, with the same stack.
     *
     * <pre>{@code
     *   RoomBench.of(LogFile.open(Path.of("room-17.bundle")), ArenaGame.roomType());
     * }</pre>
     *
     * @param log   in one piece.
     * @param types of the rooms that it has.
     */
    public static RoomBench of(final LogFile log, final RoomType... types)
    {
        return new RoomBench(log, types);
    }

    /**
     * Create a bench with one open room of the first type.
     *
     * @param types of the rooms that can be opened.
     */
    public static RoomBench of(final RoomType... types)
    {
        return new RoomBench(EMPTY, 0, 0, types);
    }

    /**
     * Create a bench with one open room of the first type, opened with arguments.
     *
     * @param args   buffer with the arguments for its onOpen.
     * @param offset of the arguments.
     * @param length of the arguments in bytes.
     * @param types  of the rooms that can be opened.
     */
    public static RoomBench of(
        final DirectBuffer args, final int offset, final int length, final RoomType... types)
    {
        return new RoomBench(args, offset, length, types);
    }

    /**
     * Run a scenario here and in other JVMs, and throw {@link AssertionError} if their rooms differ in state or output.
     * It finds differences that {@link #replayAndCompare()} cannot see in one JVM, when a room walks a {@code Set.of},
     * a {@code Map.of}, or a hash table of keys without a hashCode, such as enums. At least two JVMs run, and more
     * until a JVM has the other direction of {@code Set.of}. The direction changes the order of each set of two
     * elements or more. Orders by identity are different in each JVM, but two keys often have the same order.
     *
     * @param scenario to run: an instance of a class that is public, not nested in code, and has a public constructor
     *                 without arguments. Each run must play the same.
     */
    public static void compareWithOtherJvms(final Scenario scenario)
    {
        OtherJvms.compare(scenario);
    }

    /**
     * Open another room.
     *
     * @param type   of the room, a type of the bench.
     * @param args   buffer with the arguments for its onOpen.
     * @param offset of the arguments.
     * @param length of the arguments in bytes.
     * @return the room's id.
     */
    public long open(final RoomType type, final DirectBuffer args, final int offset, final int length)
    {
        final long id = ++roomSerial;
        run(encoder.openRoom(command, 0, id, FIRST_SEED + id, 0, 0, type.id(), args, offset, length));
        return id;
    }

    /**
     * Have another version of a type take over all of its rooms, and the rooms that open from now on. Name both
     * versions when the bench is created. Rooms open with the older version at first.
     *
     * @param to the version that takes over.
     * @return 0, or the code of the first refusal. Its cause is in {@link #failures()}.
     */
    public int reload(final RoomType to)
    {
        int first = reload(0, host.openingVersion(to.id()), to);
        for (final long id : host.openRoomIds())
        {
            if (host.typeOf(id) == to.id())
            {
                final int code = reload(id, host.versionOf(id), to);
                first = 0 == first ? code : first;
            }
        }
        return first;
    }

    private int reload(final long id, final int fromVersion, final RoomType to)
    {
        return fromVersion == to.version() ? 0 :
            run(encoder.reload(command, 0, id, to.id(), fromVersion, to.version()));
    }

    /** Id of the first room. */
    public long roomId()
    {
        return roomId;
    }

    /** The host that runs the rooms. Use it between turns. */
    public RoomHost host()
    {
        return host;
    }

    /**
     * Let a player join the first room through a new link.
     *
     * @param playerId of the player.
     * @return the player. Its index is -1 when it was refused.
     */
    public BenchSeat join(final long playerId)
    {
        return join(roomId, playerId, EMPTY, 0, 0);
    }

    /**
     * Have a player join a room through a new link.
     *
     * @param inRoomId the room.
     * @param playerId of the player.
     * @param args     buffer with the arguments for onJoinRequest.
     * @param offset   of the arguments.
     * @param length   of the arguments in bytes.
     * @return the player. Its index is -1 when it was refused.
     */
    public BenchSeat join(
        final long inRoomId, final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        final int link = nextLink();
        run(encoder.linkUp(command, 0, link, link));
        return join(link, inRoomId, playerId, args, offset, length);
    }

    /**
     * Let a player watch the first room through a new link.
     *
     * @param playerId of the player.
     * @return the player. Its index is -1 when it was refused.
     */
    public BenchSeat watch(final long playerId)
    {
        return watch(roomId, playerId, EMPTY, 0, 0);
    }

    /**
     * Have a player watch a room through a new link.
     *
     * @param inRoomId the room.
     * @param playerId of the player.
     * @param args     buffer with the arguments for onWatchRequest.
     * @param offset   of the arguments.
     * @param length   of the arguments in bytes.
     * @return the player. Its index is -1 when it was refused.
     */
    public BenchSeat watch(
        final long inRoomId, final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        final int link = nextLink();
        run(encoder.linkUp(command, 0, link, link));
        final BenchSeat seat = new BenchSeat(this, inRoomId, playerId, ++requestId, link, true);
        router.add(seat);
        run(encoder.join(command, 0, inRoomId, playerId, requestId, link, true, args, offset, length));
        return seat;
    }

    /** One that no player of the log has. */
    private int nextLink()
    {
        while (host.hasSeats(lastLink))
        {
            lastLink++;
        }
        return lastLink++;
    }

    BenchSeat join(
        final int link,
        final long inRoomId,
        final long playerId,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final BenchSeat seat = new BenchSeat(this, inRoomId, playerId, ++requestId, link, false);
        router.add(seat);
        run(encoder.join(command, 0, inRoomId, playerId, requestId, link, args, offset, length));
        return seat;
    }

    /**
     * Register a service that answers requests.
     *
     * @param serviceId of the service.
     * @param service   that answers.
     */
    public RoomBench service(final int serviceId, final Service service)
    {
        serviceByIdMap.put(serviceId, service);
        return this;
    }

    /**
     * Register a late service. Its requests wait in {@link #requests()} until the test answers them, in any order.
     *
     * @param serviceId of the service.
     */
    public RoomBench lateService(final int serviceId)
    {
        lateServices.add(serviceId);
        return this;
    }

    /** The requests to late services without an answer, in the order in which rooms made them. */
    public List<BenchRequest> requests()
    {
        return List.copyOf(requests);
    }

    /**
     * Run turns until a number of frames has run. Rooms of one rate and phase share a frame.
     *
     * @param count of frames.
     */
    public RoomBench step(final int count)
    {
        final long until = frames + count;
        while (frames < until)
        {
            if (Long.MAX_VALUE == deadlineNs)
            {
                throw new IllegalStateException(
                    "no room has a frame rate or a timer: call frameRate, or runFor in place of step");
            }
            nowNs = Math.max(nowNs, deadlineNs);
            turn(0);
        }
        return this;
    }

    /**
     * Advance time by a duration, turn by turn.
     *
     * @param durationNs in nanoseconds.
     */
    public RoomBench runFor(final long durationNs)
    {
        final long endNs = nowNs + durationNs;
        while (deadlineNs <= endNs)
        {
            nowNs = Math.max(nowNs, deadlineNs);
            turn(0);
        }
        nowNs = endNs;
        turn(0);
        return this;
    }

    /**
     * Run a turn with one command.
     *
     * @param buffer with the command.
     * @param offset of the command.
     * @param length of the command in bytes.
     * @return 0, or the code of the refusal.
     */
    public int command(final DirectBuffer buffer, final int offset, final int length)
    {
        command.putBytes(0, buffer, offset, length);
        return run(length);
    }

    /**
     * Bytes that this thread allocated inside the host during the last frames, and between them: in frames, timers,
     * messages, and the answers to requests.
     *
     * @param count of frames.
     * @return number of bytes.
     */
    public long allocatedBytesOverLast(final int count)
    {
        if (count > Math.min(frames, REMEMBERED_FRAMES))
        {
            throw new IllegalArgumentException("only " + frames + " frames have run, and " + REMEMBERED_FRAMES +
                " are kept: " + count);
        }

        long sum = 0;
        for (long i = frames - count + 1; i <= frames; i++)
        {
            sum += allocatedByFrame[(int)(i % REMEMBERED_FRAMES)];
        }
        return sum;
    }

    /**
     * The exceptions of rooms so far, in order. They closed the room, or {@code onError} continued after them, or a
     * state hash threw them, or they caused the refusal of a reload.
     */
    public List<Throwable> failures()
    {
        return failures;
    }

    /**
     * Rerun the recording in a new host, and throw {@link AssertionError} at the first turn with another output, or if
     * the state differs at the end. Rooms of ephemeral types are not recorded. Therefore no type may be ephemeral.
     */
    public void replayAndCompare()
    {
        checkRecorded();
        log.appendHashes();
        final CapturedOutputs unread = new CapturedOutputs();
        final Replay replay = new Replay(log.open(), context(types).outputs(unread)).run();
        if (!replay.isSame())
        {
            throw new AssertionError("the replay differs at " + replay.difference());
        }
    }

    /**
     * Rerun the recording in rooms that are restored from their snapshots repeatedly, as by restarts of a journal or a
     * group. Throw {@link AssertionError} if their output or state differs from rooms without restores. This finds a
     * value that a snapshot lacks. Rooms of ephemeral types have no snapshot. Therefore no type may be ephemeral.
     */
    public void restoreAndCompare()
    {
        checkRecorded();
        if (isContinued)
        {
            throw new IllegalStateException("the bench continues a log that began elsewhere: use replayAndCompare()");
        }
        for (final boolean isResumed : new boolean[]{false, true})
        {
            final String difference =
                new RestoredTwin(() -> context(types).outputs(new CapturedOutputs()), isResumed).difference(log.open());
            if (null != difference)
            {
                throw new AssertionError(difference);
            }
        }
    }

    /** The log so far: the bytes of a file that has no end record yet. Not of ephemeral types. */
    public byte[] log()
    {
        checkRecorded();
        return log.toArray();
    }

    /** The log so far, with the hash of the state at its end. */
    byte[] logWithStateHash()
    {
        log.appendHashes();
        return log();
    }

    int send(
        final BenchSeat seat, final long sequence, final DirectBuffer buffer, final int offset, final int length)
    {
        return run(encoder.message(
            command, 0, seat.roomId, sequence, seat.index, seat.generation, seat.link, buffer, offset, length));
    }

    int cancelJoin(final BenchSeat seat)
    {
        return run(encoder.cancelJoin(command, 0, seat.roomId, seat.playerId, seat.requestId, seat.link));
    }

    int answer(
        final BenchRequest request, final boolean isRefusal, final int status, final byte[] answer)
    {
        if (!requests.remove(request))
        {
            return RefusalCode.STALE_REPLY.value();
        }
        return run(isRefusal ? encoder.refusal(command, 0, request.roomId, request.correlationId, status) :
            encoder.reply(command, 0, request.roomId, request.correlationId, status, new UnsafeBuffer(answer), 0,
            answer.length));
    }

    int leave(final BenchSeat seat, final int code)
    {
        return run(encoder.leave(command, 0, seat.roomId, seat.index, seat.generation, seat.link, code));
    }

    void disconnect(final BenchSeat seat)
    {
        run(encoder.linkDown(command, 0, seat.link));
    }

    // Commands that answer the requests of rooms. They run in a turn after the request.

    void followUp(final byte[] command)
    {
        followUps.add(command);
    }

    void followUpRequest(
        final long asker, final long id, final int serviceId, final long orderKey, final byte[] request)
    {
        if (lateServices.contains(serviceId))
        {
            requests.add(new BenchRequest(this, asker, id, serviceId, orderKey, request));
            return;
        }
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        final Service service = serviceByIdMap.get(serviceId);
        if (null == service)
        {
            followUp(bytes, encoder.refusal(
                bytes, 0, asker, id, RefusalCode.UNKNOWN_SERVICE.value()));
        }
        else
        {
            final byte[] answer = service.answer(orderKey, request);
            followUp(bytes, encoder.reply(bytes, 0, asker, id, 0, new UnsafeBuffer(answer), 0, answer.length));
        }
    }

    void followUpOpen(final byte[] command)
    {
        final long newRoomId = ++roomSerial;
        new OpenRoomEncoder().wrap(new UnsafeBuffer(command), MessageHeaderEncoder.ENCODED_LENGTH)
            .roomId(newRoomId).seed(FIRST_SEED + newRoomId);
        followUps.add(command);
    }

    void followUpEntry(
        final long subscriber,
        final DirectoryChange change,
        final BenchRouter.Known room,
        final int labelKey,
        final byte[] value)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
        followUp(bytes, encoder.directoryEntry(bytes, 0, subscriber, room.roomId, room.typeId, room.seatsTaken,
            room.seatLimit, labelKey, change, new UnsafeBuffer(value), 0, value.length));
    }

    private void followUp(final UnsafeBuffer bytes, final int length)
    {
        followUp(Arrays.copyOf(bytes.byteArray(), length));
    }

    private int run(final int length)
    {
        final int code = turn(length);
        int turns = 0;
        while (isTurnDue())
        {
            if (++turns > MAX_FOLLOW_UP_TURNS)
            {
                throw new IllegalStateException("rooms answer each other without end");
            }
            turn(0);
        }
        return code;
    }

    /** Runs what rooms have sent each other, then the answers to their requests, then a command if there is one. */
    private int turn(final int commandLength)
    {
        final int code = null == log ? runInPlace(commandLength) : propose(commandLength);
        handOut();
        return code;
    }

    private int propose(final int commandLength)
    {
        log.gatherReturns();
        while (!followUps.isEmpty() && log.hasRoom())
        {
            log.add(new UnsafeBuffer(followUps.remove()));
        }
        final boolean isLast = log.hasRoom();
        if (isLast && 0 != commandLength)
        {
            log.add(new UnsafeBuffer(command, 0, commandLength));
        }
        if (log.isEmpty() && nowNs < deadlineNs)
        {
            return 0;
        }

        final ProposalRunner runner = log.propose(nowNs);
        long before = allocatedBytes();
        runner.beginTurn();
        addAllocated(allocatedBytes() - before);
        int code = 0;
        while (runner.proposal().nextCommand())
        {
            before = allocatedBytes();
            code = runner.runCommand();
            addAllocated(allocatedBytes() - before);
            // A logic that wrapped the buffer to read it later reads this.
            log.overwriteCommand(RUBBISH);
        }
        before = allocatedBytes();
        deadlineNs = runner.endTurn();
        addAllocated(allocatedBytes() - before);
        log.appendFailures();
        return isLast ? code : propose(commandLength);
    }

    private int runInPlace(final int commandLength)
    {
        final List<byte[]> answers = List.copyOf(followUps);
        followUps.clear();
        // The copies of the bench do not count.
        long before = allocatedBytes();
        host.beginTurn(nowNs);
        host.runReturns();
        addAllocated(allocatedBytes() - before);
        for (final byte[] bytes : answers)
        {
            onCommand(new UnsafeBuffer(bytes), bytes.length);
        }
        final int code = 0 == commandLength ? 0 : onCommand(command, commandLength);
        before = allocatedBytes();
        deadlineNs = host.endTurn();
        addAllocated(allocatedBytes() - before);
        return code;
    }

    private int onCommand(final UnsafeBuffer buffer, final int length)
    {
        final long before = allocatedBytes();
        final int code = host.onCommand(buffer, 0, length);
        addAllocated(allocatedBytes() - before);
        // A logic that wrapped the buffer to read it later reads this.
        buffer.setMemory(0, length, RUBBISH);
        return code;
    }

    private boolean isTurnDue()
    {
        return !followUps.isEmpty() || 0 != host.loopState().returns();
    }

    private long allocatedBytes()
    {
        return threads.getThreadAllocatedBytes(threadId);
    }

    private void addAllocated(final long bytes)
    {
        allocatedByFrame[(int)(frames % REMEMBERED_FRAMES)] += bytes;
    }

    private void handOut()
    {
        captured.forEach(router);
        captured.reset();
        host.loopState().sendRequests(router::onRequest);
    }

    private void checkRecorded()
    {
        ConfigException.check(!types[0].isEphemeral(), "roomType", types[0].name(),
            "is ephemeral: closures can be neither recorded nor restored");
    }

    private static HostContext context(final RoomType... types)
    {
        final HostContext context = new HostContext().roomLimit(1_024).seatLimit(1 << 16).timerLimit(1 << 16)
            .linkLimit(16_384).build("bench");
        for (final RoomType type : types)
        {
            context.roomType(type);
        }
        return context;
    }

    private final class Listener implements HostListener
    {
        @Override
        public void onFrames(
            final int rateHz, final int phase, final long frameDeadlineNs, final int ran, final int missed)
        {
            frames++;
            allocatedByFrame[(int)(frames % REMEMBERED_FRAMES)] = 0;
        }

        @Override
        public void onRoomFailed(final long failedRoomId, final int typeId, final long callback, final Throwable cause)
        {
            failures.add(cause);
        }

        @Override
        public void onRoomError(final long erringRoomId, final int typeId, final long callback, final Throwable cause)
        {
            failures.add(cause);
        }

        @Override
        public void onHashFailed(final long hashedRoomId, final int typeId, final Throwable cause)
        {
            failures.add(cause);
        }

        @Override
        public void onReload(
            final long reloadedRoomId,
            final int typeId,
            final int fromVersion,
            final int toVersion,
            final int code,
            final Throwable cause)
        {
            if (null != cause)
            {
                failures.add(cause);
            }
        }
    }
}
