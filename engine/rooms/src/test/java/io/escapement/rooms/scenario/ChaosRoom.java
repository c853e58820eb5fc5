package io.escapement.rooms.scenario;

import io.escapement.codecs.sync.SyncSchema;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.JoinRequest;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomRandom;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import io.escapement.rooms.sync.SyncedState;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room that uses the whole API of {@code Room}, as the messages of its players request, and runs steps and a
 * synchronised state. Every argument of every callback enters one running number, so any difference between two runs
 * becomes a difference in state. {@link ChaosRoomTest} compares it with the API.
 */
final class ChaosRoom implements RoomLogic
{
    static final int OPERATIONS = 67;
    static final int MESSAGE_LENGTH = 16;
    private static final int REMEMBERED = 8;
    private static final int[] RATES = {60, 30, 100, 144, 7, 0};
    private static final int STEPS = 3;
    private static final int STEP_TIMER = 77;

    private static final Steps<ChaosRoom> WALK = Steps.<ChaosRoom>named("walk", 1)
        .repeat(2, (s) -> s.frames(2).run((room, tag) -> room.saw(40, tag, room.room.frame())))
        .any(
            (s) -> s.after((room, tag) -> tag % 90_000_000).run((room, tag) -> room.saw(41, tag, 0)),
            (s) -> s.untilMessage((room, tag, from, buffer, offset, length) -> buffer.getByte(offset) % 4 == 0),
            (s) -> s.untilSignal((room, tag, from, buffer, offset, length) -> length % 2 == tag % 2))
        .until((room, tag) -> room.seen % 4 == tag % 4)
        .everyFrameWhile((room, tag) -> room.room.frame() % 5 != tag % 5)
        .onCancel((room, tag) -> room.saw(42, tag, 0))
        .build();
    private static final Steps<ChaosRoom> ASK = Steps.<ChaosRoom>named("ask", 1)
        .untilReply(
            (room, tag) -> room.room.async((int)(tag % 3), tag, room.out, 0, 8),
            (room, tag, status, buffer, offset, length) -> room.saw(43, status, length))
        .run((room, tag) -> room.throwSometimes(tag % 8))
        .build();

    private static final SyncSchema.Builder BUILDER = SyncSchema.named("chaos");
    private static final int TURNS = BUILDER.field("turns", SyncSchema.Type.INT32);
    private static final int PLAYERS = BUILDER.seats("players", 16);
    private static final int SCORE = BUILDER.secret().field("score", SyncSchema.Type.INT64);
    private static final int THINGS = BUILDER.entities("things", 6);
    private static final int SIZE = BUILDER.field("size", SyncSchema.Type.UINT16);
    private static final SyncSchema SCHEMA = BUILDER.build();

    private final UnsafeBuffer out = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    private final long[] handles = new long[REMEMBERED];
    private final int firstRate;
    private final int version;
    private final boolean isSynced;
    private Room room;
    private RunningSteps<ChaosRoom> steps;
    /** Null unless the type has one. */
    private SyncedState state;
    private SeatGroup group;
    private long[] scores;
    private long seen;
    private int nextHandle;
    /** The last question that was not answered at once. */
    private long question;
    /** The last join that waited. */
    private long waitingJoin;

    ChaosRoom(final int firstRate, final int version, final boolean isSynced)
    {
        this.firstRate = firstRate;
        this.version = version;
        this.isSynced = isSynced;
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        scores = new long[opened.seatLimit() + opened.spectatorLimit()];
        group = opened.newGroup();
        begin();
        state = isSynced ? SyncedState.open(opened, SCHEMA, 2) : null;
        saw(1, opened.roomId(), length);
        saw(32, opened.openerRoomId(), version);
        opened.frameRate(firstRate);
        remember(opened.every(33_000_000, 1, 5));
    }

    @Override
    public void onClose(final CloseReason reason)
    {
        room.count(reason.ordinal(), 1);
        saw(2, reason.ordinal(), 0);
    }

    @Override
    public int onJoinRequest(
        final JoinRequest request, final DirectBuffer args, final int offset, final int length)
    {
        saw(3, request.playerId(), request.trunkId() * 31L + length);
        throwSometimes(seen);
        // Of the types only raids let joins wait.
        if (isSynced && 0 == seen % 3)
        {
            waitingJoin = request.id();
            return LATER;
        }
        out.putLong(0, seen);
        request.answer(out, 0, (int)(seen & 7));
        return room.random().nextInt(50) == 0 ? FIRST_APPLICATION_CODE + 7 : ACCEPT;
    }

    @Override
    public void onJoinEnded(final long joinId, final long playerId, final int code)
    {
        saw(34, joinId, playerId * 31L + code);
    }

    @Override
    public int onWatchRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        saw(19, playerId, length);
        return ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        saw(4, seat.playerId(), seat.generation() * 31L + seat.trunkId());
        scores[seat.index()] = 1;
        if (null != state)
        {
            state.onJoin(seat);
            state.assign(seat, seat.index() % 2);
        }
        out.putLong(0, seen);
        room.sendEvent(room.everyoneBut(seat), out, 0, Long.BYTES);
        if (seat.index() % 2 == 0)
        {
            group.add(seat);
        }
    }

    @Override
    public void onAway(final Seat seat)
    {
        saw(5, seat.playerId(), seat.index());
    }

    @Override
    public void onBack(final Seat seat)
    {
        saw(6, seat.playerId(), seat.index());
        if (null != state)
        {
            state.onBack(seat);
        }
        out.putLong(0, seen);
        room.sendState(seat, out, 0, Long.BYTES);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason, final int code)
    {
        saw(7, seat.playerId(), reason.ordinal() * 31L + code);
        saw(33, room.data(seat).getLong(0), seat.isPresent() ? 1 : 0);
        if (null != state)
        {
            state.onLeave(seat);
        }
        scores[seat.index()] = 0;
        out.putLong(0, seat.playerId());
        room.sendEvent(room.everyone(), out, 0, Long.BYTES);
    }

    /** By the class of the throwable, which is the same on every machine. */
    @Override
    public AfterError onError(final Throwable thrown, final Seat seat)
    {
        saw(16, null == seat ? -1 : seat.index(), 0);
        return thrown instanceof UnsupportedOperationException ? AfterError.CONTINUE :
            thrown instanceof ArithmeticException ? AfterError.KICK : AfterError.CLOSE;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MESSAGE_LENGTH)
        {
            room.refuse(from, FIRST_APPLICATION_CODE);
            return;
        }

        final long argument = buffer.getLong(offset + 8) & Long.MAX_VALUE;
        saw(8, from.index(), argument);
        scores[from.index()] += argument & 0xFF;
        final int operation = buffer.getByte(offset);
        if (operation < 20)
        {
            talk(operation, from, argument);
        }
        else if (operation < 40)
        {
            act(operation, from, argument);
        }
        else if (operation < 50)
        {
            ask(operation, from, argument);
        }
        else
        {
            change(operation, from, argument);
        }
        steps.onMessage(from, buffer, offset, length);
        steps.onChange();
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(9, fromRoomId, length);
        steps.onSignal(fromRoomId, buffer, offset, length);
    }

    @Override
    public void onAsk(
        final long askId, final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(18, askId, fromRoomId * 31L + length);
        throwSometimes(seen);
        question = askId;
        if (0 == seen % 2)
        {
            answer();
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(10, correlationId, status * 31L + length);
        steps.onReply(correlationId, status, buffer, offset, length);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        saw(11, handle, kind * 31L + tag);
        if (steps.onTimer(handle, kind, tag))
        {
            return;
        }
        throwSometimes(seen);
        if (kind == 9)
        {
            out.putLong(0, tag);
            room.sendState(room.everyone(), out, 0, 64);
        }
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        saw(12, frame, elapsedNs);
        final MutableDirectBuffer buffer = room.claimState(room.everyone(), 64);
        buffer.putLong(0, seen);
        buffer.putLong(8, room.nowNs());
        room.commit(16 + (int)(frame & 15));
        steps.onFrame();
        if (null != state)
        {
            state.set(TURNS, frame);
            state.publish();
        }
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        saw(13, seat.playerId(), 0);
        if (null != state)
        {
            state.onStateLost(seat);
        }
        out.putLong(0, scores[seat.index()]);
        room.sendState(seat, out, 0, Long.BYTES);
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
        saw(14, deadlineNs, 0);
    }

    @Override
    public void onDirectory(final DirectoryEntry entry)
    {
        saw(15, entry.roomId(), entry.change().value() * 31L + entry.seatsTaken());
    }

    @Override
    public void onDescribe(final RoomDescription description)
    {
        description.put("seen", seen);
        description.put("isSynced", Boolean.toString(isSynced));
        description.put("half", seen / 2.0);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        // The next message may begin with bytes of the last one.
        writer.putBytes(out, 0, 2 * Long.BYTES);
        writer.putLong(seen);
        writer.putInt(nextHandle);
        writer.putLong(question);
        writer.putLong(waitingJoin);
        for (final long handle : handles)
        {
            writer.putLong(handle);
        }
        for (final long score : scores)
        {
            writer.putLong(score);
        }
        steps.write(writer);
        if (null != state)
        {
            state.write(writer);
        }
    }

    @Override
    public void onRestore(final Room restored, final int from, final StateReader reader)
    {
        room = restored;
        begin();
        group = restored.group(0);
        scores = new long[restored.seatLimit() + restored.spectatorLimit()];
        reader.getBytes(out, 0);
        seen = reader.getLong();
        nextHandle = reader.getInt();
        question = reader.getLong();
        waitingJoin = reader.getLong();
        for (int i = 0; i < handles.length; i++)
        {
            handles[i] = reader.getLong();
        }
        for (int i = 0; i < scores.length; i++)
        {
            scores[i] = reader.getLong();
        }
        steps.read(reader);
        state = isSynced ? SyncedState.restore(room, SCHEMA, reader) : null;
        if (from != version)
        {
            saw(17, from, version);
        }
    }

    private void begin()
    {
        steps = new RunningSteps<>(room, this, STEPS, STEP_TIMER, List.of(WALK, ASK));
    }

    private void talk(final int operation, final Seat from, final long argument)
    {
        out.putLong(0, seen);
        out.putLong(8, argument);
        final int length = 16 + (int)(argument % 200);
        switch (operation)
        {
            case 0 -> room.sendEvent(from, out, 0, length);
            case 1 -> room.sendState(from, out, 0, length);
            case 2 -> room.sendState(room.everyoneBut(from), out, 0, length);
            case 3 -> room.sendEvent(group, out, 0, length);
            case 4 -> room.sendState(group, out, 0, length);
            case 5 ->
            {
                room.claimEvent(group, 64).putLong(0, argument);
                room.commit(8);
            }
            case 6 ->
            {
                room.claimEvent(from, 64).putLong(0, seen);
                room.commit((int)(argument % 3) * 8);
            }
            case 7 ->
            {
                room.claimEvent(room.everyoneBut(from), 64).putLong(0, seen);
                room.commit(8);
            }
            case 8 ->
            {
                // Far over the output limit, to lose events and states.
                for (int i = 0; i < 40 && argument % 8 == 0; i++)
                {
                    room.sendState(room.everyone(), out, 0, 300);
                }
            }
            case 9 ->
            {
                for (int i = 0; i < 40 && argument % 16 == 0; i++)
                {
                    room.sendEvent(from, out, 0, 300);
                }
            }
            case 10 -> group.remove(from);
            case 11 -> group.add(from);
            // A claim that is never committed is discarded.
            case 12 -> room.claimState(from, 32).putLong(0, argument);
            default -> room.sendEvent(room.everyone(), out, 0, length);
        }
    }

    private void act(final int operation, final Seat from, final long argument)
    {
        final int length = (int)(argument % 40);
        switch (operation)
        {
            case 20 -> remember(room.after(argument % 200_000_000, 9, argument % 1_000));
            case 21 -> remember(room.every(1 + argument % 60_000_000, 2, argument % 1_000));
            case 22 -> remember(room.everyFrames(1 + (int)(argument % 5), 3, argument % 1_000));
            case 23 -> saw(20, room.cancel(handles[(int)(argument % REMEMBERED)]) ? 1 : 0, 0);
            case 24 -> saw(
                21, room.reschedule(handles[(int)(argument % REMEMBERED)], argument % 90_000_000) ? 1 : 0, 0);
            case 25 ->
            {
                if (argument % 16 == 0)
                {
                    // Their timers are of the room too.
                    saw(22, steps.cancelAll(), room.cancelAll());
                }
            }
            case 26 -> saw(23, room.signal(argument % 80, out, 0, length), 0);
            case 27 -> saw(24, room.async((int)(argument % 3), argument % 10, out, 0, length), 0);
            case 28 -> saw(25, argument % 16 == 0 ? room.openRoom(1 + (int)(argument % 4), out, 0, length) : -1, 0);
            case 29 -> saw(26, room.reserve(argument % 80, argument % 500, 1 + argument % 300_000_000), 0);
            case 30 -> room.label((int)(argument % Room.MAX_LABELS), out, 0, length);
            case 31 ->
            {
                if (argument % 32 == 0)
                {
                    room.subscribeToDirectory();
                }
            }
            case 32 -> room.frameRate(RATES[(int)(argument % RATES.length)]);
            case 33 -> room.lock(argument % 4 == 0);
            case 34 -> kickSomeone(argument);
            case 35 -> room.refuse(from, FIRST_APPLICATION_CODE + (int)(argument % 100));
            case 36 -> fail(argument);
            case 37 ->
            {
                if (argument % 20 == 0)
                {
                    room.close();
                }
            }
            default -> saw(27, room.random().nextInt(1 + (int)(argument % 1_000)), room.epochMs());
        }
    }

    private void ask(final int operation, final Seat from, final long argument)
    {
        final long handle = handles[(int)(argument % REMEMBERED)];
        final int index = (int)(argument % room.seatLimit());
        switch (operation)
        {
            case 40 ->
            {
                for (Seat seat = room.nextPresent(index); null != seat; seat = room.nextPresent(seat.index() + 1))
                {
                    saw(50, seat.playerId(), seat.index());
                }
            }
            case 41 ->
            {
                for (Seat seat = room.nextReserved(index); null != seat; seat = room.nextReserved(seat.index() + 1))
                {
                    saw(51, seat.playerId(), seat.generation());
                }
            }
            case 42 -> saw(52, room.seatsTaken() * 31L + room.seatsPresent(),
                room.seatsReserved() * 31L + room.spectators() * 7L + room.spectatorLimit());
            case 43 -> saw(53, room.isReserved(argument % 500) ? 1 : 0, room.requestsLeft());
            case 44 -> saw(54, room.isSet(handle) ? 1 : 0, room.remainingNs(handle));
            case 45 -> saw(55, room.missedFrames(), room.frame());
            case 46 -> saw(56, indexOf(room.seatOf(argument % 500)), indexOf(room.seat(index, 1)));
            case 47 ->
            {
                saw(57, group.contains(from) ? 1 : 0, group.isEmpty() ? 1 : 0);
                saw(72, indexOf(room.nextSpectator(0)), from.isSpectator() ? 1 : 0);
            }
            case 48 -> draw(argument);
            default -> room.logger().log(System.Logger.Level.DEBUG, () -> "a replay computes this too " + argument);
        }
    }

    private void change(final int operation, final Seat from, final long argument)
    {
        switch (operation)
        {
            case 50 -> saw(60, room.reserve(argument % 500, 1 + argument % 200_000_000), 0);
            case 51 -> saw(61, room.release(argument % 500) ? 1 : 0, 0);
            case 52 -> saw(62, room.release(argument % 80, argument % 500), 0);
            case 53 -> saw(63, room.data(from).getLong(0), 0);
            case 54 -> room.data(from).putLong((int)(argument % 2) * Long.BYTES, argument);
            case 55 -> room.kick(from, FIRST_APPLICATION_CODE + (int)(argument % 100));
            case 56 ->
            {
                if (argument % 20 == 0)
                {
                    room.close(FIRST_APPLICATION_CODE + (int)(argument % 100));
                }
            }
            case 57, 58 -> throwSometimes(argument % 4);
            case 59, 60 -> saw(64, steps.start(0 == argument % 3 ? ASK : WALK, argument), steps.running());
            case 61 -> saw(65, steps.cancelAll(WALK, argument) + (argument % 4 == 0 ? steps.cancelAll() : 0), 0);
            case 62 -> synchronise(from, argument);
            case 63 -> saw(70, room.ask(argument % 80, 1 + argument % 300_000_000, out, 0, (int)(argument % 40)), 0);
            case 64 ->
            {
                answer();
                if (argument % 16 == 0)
                {
                    room.closeWhenEmpty(1 + argument % 3_000_000_000L);
                }
            }
            case 65 -> decide(argument);
            default ->
            {
                if (argument % 4 == 0)
                {
                    group.clear();
                }
                later(argument);
            }
        }
    }

    private void draw(final long argument)
    {
        final RoomRandom random = room.random();
        final int[] order = {1, 2, 3, 4, 5};
        random.shuffle(order, order.length);
        final Long[] objects = {1L, 2L, 3L};
        random.shuffle(objects);
        saw(58, order[0] * 31L + objects[0], random.nextInt(-5, 1 + (int)(argument % 90)));
        saw(59, random.fork().nextLong(), Double.doubleToLongBits(random.nextDouble()));
    }

    private void answer()
    {
        out.putLong(0, seen);
        final int status = 0 == seen % 3 ? FIRST_APPLICATION_CODE : 0;
        saw(71, room.answer(question, status, out, 0, Long.BYTES) ? 1 : 0, question);
    }

    private void decide(final long argument)
    {
        saw(73, room.joinsWaiting(), room.joinOf(argument % 500));
        final boolean isDecided = switch ((int)(argument % 3))
        {
            case 0 -> room.admit(waitingJoin);
            case 1 -> room.admit(waitingJoin, out, 0, (int)(argument % 40));
            default -> room.refuse(waitingJoin, FIRST_APPLICATION_CODE + (int)(argument % 100));
        };
        saw(74, isDecided ? 1 : 0, waitingJoin);
    }

    private void synchronise(final Seat from, final long argument)
    {
        if (null == state)
        {
            return;
        }
        state.set(SCORE, from.index(), argument);
        final int row = state.add(THINGS);
        if (SyncedState.NO_ROW == row)
        {
            state.remove(THINGS, (int)(argument % 6));
        }
        else
        {
            state.set(SIZE, row, argument & 0xFFFF);
            state.see(row % 2, THINGS, row, SyncedState.Sight.values()[(int)(argument % 3)]);
        }
        state.see((int)(argument % 2), PLAYERS, from.index(), SyncedState.Sight.EVERYTHING);
        if (argument % 7 == 0)
        {
            state.requestFullState(from);
        }
    }

    /** Closures, which throw in rooms that are recorded. */
    private void later(final long argument)
    {
        if (1 == seen % 8)
        {
            saw(66, room.after(argument % 50_000_000, (self) -> saw(67, self.nowNs(), 0)), 0);
            saw(68, room.nextFrame((self) -> saw(69, self.frame(), 0)), 0);
        }
    }

    private void throwSometimes(final long argument)
    {
        if (argument % 400 == 0)
        {
            throw new UnsupportedOperationException("the room goes on");
        }
        if (argument % 400 == 1)
        {
            throw new ArithmeticException("the player is kicked");
        }
    }

    private static int indexOf(final Seat seat)
    {
        return null == seat ? -1 : seat.index();
    }

    private void kickSomeone(final long argument)
    {
        final Seat seat = room.seat((int)(argument % room.seatLimit()));
        if (null != seat)
        {
            room.kick(seat);
        }
    }

    private void fail(final long argument)
    {
        room.sendEvent(room.everyone(), out, 0, 24);
        room.signal(1 + argument % 64, out, 0, 8);
        if (argument % 20 == 1)
        {
            throw new IllegalStateException("on purpose");
        }
        if (argument % 200 == 2)
        {
            recurse(argument);
        }
    }

    private long recurse(final long depth)
    {
        return recurse(depth + 1) + 1;
    }

    private void remember(final long handle)
    {
        saw(30, handle, room.nowNs());
        handles[nextHandle++ % REMEMBERED] = handle;
    }

    private void saw(final int what, final long first, final long second)
    {
        seen = (seen ^ what) * 0x9E3779B97F4A7C15L;
        seen = (seen ^ (seen >>> 29) ^ first) * 0xBF58476D1CE4E5B9L;
        seen = (seen ^ (seen >>> 32) ^ second) * 0x94D049BB133111EBL;
    }
}
