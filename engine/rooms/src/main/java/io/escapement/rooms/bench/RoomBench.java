package io.escapement.rooms.bench;

import com.sun.management.ThreadMXBean;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.CapturedOutputs;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.HostListener;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.ByteSink;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.replay.Replay;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs rooms in a test. Time moves only when the test says so; what rooms ask of the outside (signals, new rooms,
 * reserved seats, the directory, services) is done by the bench and comes back as commands, as in a running engine.
 * Everything is recorded, so that {@link #replayAndCompare()} can run it again.
 */
public final class RoomBench
{
    /** Answers the requests of rooms to a service. */
    @FunctionalInterface
    public interface Service
    {
        /**
         * A room asks.
         *
         * @param orderKey of the request.
         * @param request  the request's bytes.
         * @return the answer's bytes.
         */
        byte[] answer(long orderKey, byte[] request);
    }

    /** Frames whose allocation is remembered. */
    private static final int REMEMBERED_FRAMES = 1 << 16;

    /** More answers to answers than any test has reason for. */
    private static final int MAX_FOLLOW_UP_TURNS = 10_000;

    /** Enough for what one turn puts out: growing in the middle of a turn would count as the room's allocation. */
    private static final int HEADROOM = 1 << 20;

    private static final long FIRST_SEED = 0x5EED_0001L;
    static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final RoomType[] types;
    private final RoomHost host;
    private final CapturedOutputs captured = new CapturedOutputs();
    private final CapturedOutputs everything = new CapturedOutputs();
    private final ByteSink logBytes = new ByteSink();
    private final ByteSink turnBytes = new ByteSink();
    private final BenchRouter router = new BenchRouter(this);
    private final RoomCommandEncoder encoder = new RoomCommandEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    private final ArrayDeque<byte[]> followUps = new ArrayDeque<>();
    private final Map<Integer, Service> serviceByIdMap = new HashMap<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final long[] allocatedByFrame = new long[REMEMBERED_FRAMES];
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final long threadId = Thread.currentThread().getId();
    private long frames;
    private long nowNs;
    private long deadlineNs = Long.MAX_VALUE;
    private long roomSerial;
    private long requestId;
    private int lastLink;
    private final long roomId;

    private RoomBench(final RoomType... types)
    {
        this.types = types;
        final HostContext context = context(types).outputs(captured).listener(new Listener());
        host = new RoomHost(context.turnLog(new TurnLogWriter(turnBytes, context.header())));
        captured.ensureCapacity(HEADROOM);
        roomId = open(types[0], EMPTY, 0, 0);
    }

    /**
     * A bench with one room of the first type.
     *
     * @param types that rooms can be opened of.
     * @return the bench.
     */
    public static RoomBench of(final RoomType... types)
    {
        return new RoomBench(types);
    }

    /**
     * Open another room.
     *
     * @param type   of the room, one of the bench's.
     * @param args   buffer with the arguments for its onOpen.
     * @param offset of the arguments.
     * @param length of the arguments in bytes.
     * @return the room's id.
     */
    public long open(final RoomType type, final DirectBuffer args, final int offset, final int length)
    {
        final long id = ++roomSerial;
        run(encoder.openRoom(command, 0, id, type.id(), FIRST_SEED + id, 0, 0, args, offset, length));
        return id;
    }

    /**
     * The first room.
     *
     * @return its id.
     */
    public long roomId()
    {
        return roomId;
    }

    /**
     * The host that runs the rooms, between turns.
     *
     * @return the host.
     */
    public RoomHost host()
    {
        return host;
    }

    /**
     * A player joins the first room through a link of its own.
     *
     * @param playerId of the player.
     * @return the player; its index is -1 when it was refused.
     */
    public BenchSeat join(final long playerId)
    {
        return join(roomId, playerId, EMPTY, 0, 0);
    }

    /**
     * A player joins a room through a link of its own.
     *
     * @param inRoomId the room.
     * @param playerId of the player.
     * @param args     buffer with the arguments for onJoinRequest.
     * @param offset   of the arguments.
     * @param length   of the arguments in bytes.
     * @return the player; its index is -1 when it was refused.
     */
    public BenchSeat join(
        final long inRoomId, final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        final int link = lastLink++;
        run(encoder.linkUp(command, 0, link, link));
        return join(link, inRoomId, playerId, args, offset, length);
    }

    BenchSeat join(
        final int link,
        final long inRoomId,
        final long playerId,
        final DirectBuffer args,
        final int offset,
        final int length)
    {
        final BenchSeat seat = new BenchSeat(this, inRoomId, playerId, ++requestId, link);
        router.add(seat);
        run(encoder.join(command, 0, inRoomId, playerId, requestId, link, args, offset, length));
        return seat;
    }

    /**
     * Say how a service answers.
     *
     * @param serviceId of the service.
     * @param service   that answers.
     * @return this.
     */
    public RoomBench service(final int serviceId, final Service service)
    {
        serviceByIdMap.put(serviceId, service);
        return this;
    }

    /**
     * Run turns until so many frames of rooms' groups were due.
     *
     * @param count of frames.
     * @return this.
     */
    public RoomBench step(final int count)
    {
        final long until = frames + count;
        while (frames < until)
        {
            if (Long.MAX_VALUE == deadlineNs)
            {
                throw new IllegalStateException("no room has a frame rate or a timer: there is nothing to step");
            }
            nowNs = Math.max(nowNs, deadlineNs);
            turn(0);
        }
        return this;
    }

    /**
     * Let time pass, turn by turn.
     *
     * @param durationNs in nanoseconds.
     * @return this.
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
     * Give the host any command, and run the turn that takes it.
     *
     * @param buffer with the command.
     * @param offset of the command.
     * @param length of the command in bytes.
     * @return 0 when it was done, otherwise the refusal's code.
     */
    public int command(final DirectBuffer buffer, final int offset, final int length)
    {
        command.putBytes(0, buffer, offset, length);
        return run(length);
    }

    /**
     * What the thread allocated inside the host over the last frames.
     *
     * @param count of frames.
     * @return bytes.
     */
    public long allocatedBytesOverLast(final int count)
    {
        if (count > Math.min(frames, REMEMBERED_FRAMES))
        {
            throw new IllegalArgumentException("only " + frames + " frames have run, and " + REMEMBERED_FRAMES +
                " are remembered: " + count);
        }

        long sum = 0;
        for (long i = frames - count + 1; i <= frames; i++)
        {
            sum += allocatedByFrame[(int)(i % REMEMBERED_FRAMES)];
        }
        return sum;
    }

    /**
     * What rooms' logic threw so far.
     *
     * @return the throwables in order.
     */
    public List<Throwable> failures()
    {
        return failures;
    }

    /** Run everything again from the log in a new host, and fail at the first turn that differs. */
    public void replayAndCompare()
    {
        host.logStateHash();
        keepLog();
        final CapturedOutputs again = new CapturedOutputs();
        final Replay replay = new Replay(
            TurnLogReader.openUnfinished(logBytes.buffer(), 0, logBytes.length()),
            context(types).outputs(again)).run();
        if (!replay.isSame())
        {
            throw new AssertionError("the replay differs at " + replay.difference());
        }

        final boolean isSameLength = everything.length() == again.length();
        for (int i = 0; i < Math.min(everything.length(), again.length()); i += Long.BYTES)
        {
            if (everything.buffer().getLong(i) != again.buffer().getLong(i))
            {
                throw new AssertionError("the replay's output differs at byte " + i);
            }
        }
        if (!isSameLength)
        {
            throw new AssertionError(
                "the replay put out " + again.length() + " bytes, the run " + everything.length());
        }
    }

    /**
     * The log so far, as a file would hold it.
     *
     * @return its bytes.
     */
    public byte[] log()
    {
        keepLog();
        return logBytes.toArray();
    }

    int send(
        final BenchSeat seat, final long sequence, final DirectBuffer buffer, final int offset, final int length)
    {
        return run(encoder.message(
            command, 0, seat.roomId, seat.index, seat.generation, seat.link, sequence, buffer, offset, length));
    }

    int leave(final BenchSeat seat)
    {
        return run(encoder.leave(command, 0, seat.roomId, seat.index, seat.generation, seat.link));
    }

    void disconnect(final BenchSeat seat)
    {
        seat.isPresent = false;
        run(encoder.linkDown(command, 0, seat.link));
    }

    // What the router asks for on behalf of rooms; it runs in a turn of its own, after the one that asked.

    void followUp(final byte[] command)
    {
        followUps.add(command);
    }

    void followUpRequest(
        final long asker, final long id, final int serviceId, final long orderKey, final byte[] request)
    {
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
        followUp(bytes, encoder.directoryEntry(bytes, 0, subscriber, change, room.roomId, room.typeId,
            room.seatsTaken, room.seatLimit, labelKey, new UnsafeBuffer(value), 0, value.length));
    }

    private void followUp(final UnsafeBuffer bytes, final int length)
    {
        followUp(Arrays.copyOf(bytes.byteArray(), length));
    }

    private int run(final int length)
    {
        final int code = turn(length);
        int turns = 0;
        while (!followUps.isEmpty())
        {
            if (++turns > MAX_FOLLOW_UP_TURNS)
            {
                throw new IllegalStateException("rooms go on answering each other");
            }
            followUpTurn();
        }
        return code;
    }

    private int turn(final int commandLength)
    {
        final long before = threads.getThreadAllocatedBytes(threadId);
        host.beginTurn(nowNs);
        final int code = 0 == commandLength ? 0 : host.onCommand(command, 0, commandLength);
        deadlineNs = host.endTurn();
        allocatedByFrame[(int)(frames % REMEMBERED_FRAMES)] += threads.getThreadAllocatedBytes(threadId) - before;
        handOut();
        if (0 == commandLength && !followUps.isEmpty())
        {
            followUpTurn();
        }
        return code;
    }

    private void followUpTurn()
    {
        final List<byte[]> commands = new ArrayList<>(followUps);
        followUps.clear();
        host.beginTurn(nowNs);
        for (final byte[] bytes : commands)
        {
            host.onCommand(new UnsafeBuffer(bytes), 0, bytes.length);
        }
        deadlineNs = host.endTurn();
        handOut();
    }

    private void handOut()
    {
        captured.forEach(router);
        captured.forEach(everything);
        captured.reset();
        keepLog();
    }

    private void keepLog()
    {
        logBytes.append(turnBytes.buffer(), 0, turnBytes.length());
        turnBytes.reset();
    }

    private static HostContext context(final RoomType... types)
    {
        final HostContext context = new HostContext().roomLimit(1_024).seatLimit(1 << 18).timerLimit(1 << 18)
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
    }
}
