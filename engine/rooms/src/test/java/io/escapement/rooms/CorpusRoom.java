package io.escapement.rooms;

import io.escapement.rooms.steps.RunningSteps;
import io.escapement.rooms.steps.Steps;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The rooms of the corpus. They do what the orders in their messages and signals name, and give everything that they
 * notice to a {@link CorpusObserver}. The files depend on each line, so none may change.
 */
final class CorpusRoom implements RoomLogic
{
    /** First byte of a signal between rooms that is answered by a signal. */
    static final int ECHO = 250;
    private static final int STEP_TIMER = 77;
    private static final int NO_BOMB = -1;
    private static final int REMEMBERED = 6;
    static final long UNIT_NS = 100_000;
    private static final long MS = 1_000_000;

    /** A callback that can be made to throw. */
    enum Callback
    {
        OPEN, MESSAGE, JOIN_REQUEST, WATCH_REQUEST, JOIN_ENDED, JOIN, AWAY, BACK, LEAVE, ERROR, SIGNAL, ASK, REPLY,
        TIMER, FRAME, STATE_LOST, DRAIN, DIRECTORY, CLOSE, STEP, RESTORE
    }

    private static final Steps<CorpusRoom> WALK = Steps.<CorpusRoom>named("walk", 1)
        .repeat(2, (s) -> s.frames(2).run((room, tag) -> room.step(1, tag)))
        .any(
            (s) -> s.after((room, tag) -> 20 * MS + tag).run((room, tag) -> room.step(2, tag)),
            (s) -> s.untilMessage((room, tag, from, buffer, offset, length) -> length == 2 * CorpusOrder.LENGTH),
            (s) -> s.untilSignal((room, tag, from, buffer, offset, length) -> length % 2 == tag % 2))
        .until((room, tag) -> room.messages % 4 == tag % 4)
        .everyFrameWhile((room, tag) -> room.room.frame() % 5 != tag % 5)
        .onCancel((room, tag) -> room.step(3, tag))
        .build();
    private static final Steps<CorpusRoom> REQUEST = Steps.<CorpusRoom>named("request", 1)
        .untilReply(
            (room, tag) -> room.askService(tag),
            (room, tag, status, buffer, offset, length) -> room.step(4, status))
        .run((room, tag) -> room.step(5, tag))
        .build();

    private final CorpusObserver observer;
    private final int version;
    private final int firstRate;
    private final boolean isRaid;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    private final long[] handles = new long[REMEMBERED];
    private Room room;
    private SeatGroup group;
    private RunningSteps<CorpusRoom> steps;
    /** Null unless the room is a raid. */
    private CorpusState state;
    /** The last seat that was freed. It is not in the snapshot, so a room uses it at the same time only. */
    private Seat stale;
    private long staleNs;
    private int nextHandle;
    private long messages;
    private long question;
    private long join;
    private int bomb = NO_BOMB;
    private int bombKind;
    private boolean isKeptOpen;

    CorpusRoom(final CorpusObserver observer, final int version, final int firstRate, final boolean isRaid)
    {
        this.observer = observer;
        this.version = version;
        this.firstRate = firstRate;
        this.isRaid = isRaid;
    }

    private void saw(final Callback callback, final long... values)
    {
        observer.called(room.roomId(), callback.name());
        observer.saw(callback.name(), values);
        observer.saw("room", version, room.nowNs(), room.epochMs(), room.frame(), room.missedFrames(),
            room.seatsTaken(), room.seatsPresent(), room.seatsReserved(), room.spectators(), room.joinsWaiting(),
            room.requestsLeft(), room.seatLimit(), room.spectatorLimit(), room.openerRoomId());
        for (int i = 0; i < room.seatLimit() + room.spectatorLimit(); i++)
        {
            final Seat seat = room.seat(i);
            if (null != seat)
            {
                saw("seat", seat);
            }
        }
        for (Seat seat = room.nextReserved(0); null != seat; seat = room.nextReserved(seat.index() + 1))
        {
            observer.saw("reserved", seat.index(), seat.generation(), seat.playerId());
        }
        for (final long handle : handles)
        {
            if (0 != handle)
            {
                observer.saw("timer", handle, room.isSet(handle) ? 1 : 0, room.remainingNs(handle));
            }
        }
        if (Callback.RESTORE != callback)
        {
            observer.saw("random", room.random().nextLong());
            explode(callback);
        }
    }

    private void saw(final String what, final Seat seat)
    {
        observer.saw(what, seat.index(), seat.generation(), seat.playerId(), seat.trunkId(),
            seat.isPresent() ? 1 : 0, seat.isSpectator() ? 1 : 0, room.data(seat).getLong(0),
            group.contains(seat) ? 1 : 0);
    }

    private void explode(final Callback callback)
    {
        if (bomb == callback.ordinal())
        {
            bomb = NO_BOMB;
            fail(bombKind);
        }
    }

    private long askService(final long key)
    {
        fill(4);
        return room.async(1, key, out, 0, 4);
    }

    private void step(final int what, final long value)
    {
        saw(Callback.STEP, what, value, steps.running());
    }

    private static void fail(final int kind)
    {
        switch (kind % 3)
        {
            case 0 -> throw new UnsupportedOperationException("the room continues");
            case 1 -> throw new ArithmeticException("the player is kicked");
            default -> throw new IllegalStateException("the room closes");
        }
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        group = opened.newGroup();
        steps = newSteps();
        state = isRaid ? CorpusState.open(observer, opened) : null;
        opened.frameRate(firstRate);
        saw(Callback.OPEN, opened.openerRoomId());
        observer.saw("args", args, offset, length);
        obey(null, args, offset, length);
    }

    private RunningSteps<CorpusRoom> newSteps()
    {
        return new RunningSteps<>(room, this, 2, STEP_TIMER, List.of(WALK, REQUEST));
    }

    @Override
    public void onClose(final CloseReason reason)
    {
        observer.count("close", reason.ordinal());
        saw(Callback.CLOSE, reason.ordinal());
    }

    /** The first byte of the arguments decides, the second is a code. */
    @Override
    public int onJoinRequest(
        final JoinRequest request, final DirectBuffer args, final int offset, final int length)
    {
        saw(Callback.JOIN_REQUEST, request.id(), request.playerId(), request.trunkId());
        observer.saw("args", args, offset, length);
        switch (0 == length ? 0 : args.getByte(offset))
        {
            case 1:
                join = request.id();
                return LATER;
            case 2:
                return FIRST_APPLICATION_CODE + length;
            case 3:
                fill(24);
                request.answer(out, 0, 24);
                return ACCEPT;
            case 4:
                fail(length);
                return ACCEPT;
            case 5:
                return 7;
            default:
                return ACCEPT;
        }
    }

    @Override
    public int onWatchRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        saw(Callback.WATCH_REQUEST, playerId);
        observer.saw("args", args, offset, length);
        return 2 == length ? FIRST_APPLICATION_CODE + 2 : ACCEPT;
    }

    @Override
    public void onJoinEnded(final long joinId, final long playerId, final int code)
    {
        observer.count("join ended", code);
        saw(Callback.JOIN_ENDED, joinId, playerId, code);
    }

    @Override
    public void onJoin(final Seat seat)
    {
        saw(Callback.JOIN, seat.index(), seat.generation());
        if (null != state)
        {
            state.onJoin(seat);
        }
        if (0 == seat.index() % 2)
        {
            group.add(seat);
        }
        room.data(seat).putLong(0, seat.playerId() * 1_000);
        fill(8);
        room.sendEvent(room.everyoneBut(seat), out, 0, 8);
    }

    @Override
    public void onAway(final Seat seat)
    {
        saw(Callback.AWAY, seat.index(), seat.generation());
    }

    @Override
    public void onBack(final Seat seat)
    {
        saw(Callback.BACK, seat.index(), seat.generation());
        if (null != state)
        {
            state.onBack(seat);
        }
        fill(9);
        room.sendState(seat, out, 0, 9);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason, final int code)
    {
        observer.count("leave", reason.ordinal());
        stale = seat;
        staleNs = room.nowNs();
        saw("leaving", seat);
        saw(Callback.LEAVE, seat.index(), seat.generation(), reason.ordinal(), code);
        if (null != state)
        {
            state.onLeave(seat);
        }
        fill(10);
        room.sendEvent(room.everyone(), out, 0, 10);
    }

    /** By the class of the throwable, which is the same on every JVM. */
    @Override
    public AfterError onError(final Throwable thrown, final Seat seat)
    {
        saw(Callback.ERROR, null == seat ? -1 : seat.index(), thrown.getClass().getSimpleName().hashCode());
        return thrown instanceof UnsupportedOperationException ? AfterError.CONTINUE :
            thrown instanceof ArithmeticException ? AfterError.KICK :
            thrown instanceof RoomUseException ? AfterError.CONTINUE : AfterError.CLOSE;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        messages++;
        saw(Callback.MESSAGE, from.index(), from.generation());
        observer.saw("bytes", buffer, offset, length);
        obey(from, buffer, offset, length);
        steps.onMessage(from, buffer, offset, length);
        steps.onChange();
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(Callback.SIGNAL, fromRoomId);
        observer.saw("bytes", buffer, offset, length);
        if (0 == fromRoomId)
        {
            obey(null, buffer, offset, length);
        }
        else if (0 != length && ECHO == (buffer.getByte(offset) & 0xFF))
        {
            fill(6);
            observer.saw("signal", room.signal(fromRoomId, out, 0, 6));
        }
        steps.onSignal(fromRoomId, buffer, offset, length);
    }

    /** The first byte decides. */
    @Override
    public void onAsk(
        final long askId, final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(Callback.ASK, askId, fromRoomId);
        observer.saw("bytes", buffer, offset, length);
        question = askId;
        switch (0 == length ? 0 : buffer.getByte(offset) & 3)
        {
            case 0 -> answer(0);
            case 1 -> answer(6);
            case 2 -> observer.saw("later");
            default -> fail(length % 2);
        }
    }

    private void answer(final int status)
    {
        fill(12);
        observer.saw("answer",
            room.answer(question, 0 == status ? 0 : FIRST_APPLICATION_CODE + status, out, 0, 12) ? 1 : 0);
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        observer.count("reply", status);
        saw(Callback.REPLY, correlationId, status);
        observer.saw("bytes", buffer, offset, length);
        steps.onReply(correlationId, status, buffer, offset, length);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        saw(Callback.TIMER, handle, kind, tag);
        if (!steps.onTimer(handle, kind, tag) && 1 == kind)
        {
            fill(7);
            room.sendState(room.everyone(), out, 0, 7);
        }
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        saw(Callback.FRAME, frame, elapsedNs);
        if (0 == frame % 16)
        {
            fill(6);
            room.sendState(room.everyone(), out, 0, 6);
        }
        steps.onFrame();
        if (null != state)
        {
            state.onFrame(frame);
        }
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        saw(Callback.STATE_LOST, seat.index(), seat.generation());
        if (null != state)
        {
            state.onStateLost(seat);
        }
        if (isKeptOpen)
        {
            // More than the room has space for, so that this state is lost as well.
            fill(CorpusCalls.FLOOD_LENGTH);
            CorpusCalls.send(room, seat, out, CorpusOrder.FLOOD_STATES, 40, 0);
        }
        fill(5);
        room.sendState(seat, out, 0, 5);
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
        saw(Callback.DRAIN, deadlineNs);
        if (!isKeptOpen)
        {
            drained.close();
        }
    }

    @Override
    public void onDirectory(final DirectoryEntry entry)
    {
        saw(Callback.DIRECTORY, entry.change().value(), entry.roomId(), entry.typeId(), entry.seatsTaken(),
            entry.seatLimit(), entry.labelKey());
        observer.saw("value", entry.valueBuffer(), entry.valueOffset(), entry.valueLength());
    }

    @Override
    public void onSnapshot(final StateWriter host)
    {
        final StateWriter writer = observer.writer(null == room ? 0 : room.roomId(), host);
        for (final long handle : handles)
        {
            writer.putLong(handle);
        }
        writer.putInt(nextHandle);
        writer.putLong(messages);
        writer.putLong(question);
        writer.putLong(join);
        writer.putInt(bomb);
        writer.putInt(bombKind);
        writer.putBoolean(isKeptOpen);
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
        group = restored.group(0);
        for (int i = 0; i < handles.length; i++)
        {
            handles[i] = reader.getLong();
        }
        nextHandle = reader.getInt();
        messages = reader.getLong();
        question = reader.getLong();
        join = reader.getLong();
        bomb = reader.getInt();
        bombKind = reader.getInt();
        isKeptOpen = reader.getBoolean();
        if (4 == version)
        {
            return;
        }
        steps = newSteps();
        steps.read(reader);
        state = isRaid ? CorpusState.restore(observer, room, reader) : null;
        saw(Callback.RESTORE, from);
        if (3 == version)
        {
            // The host takes both back.
            observer.saw("random", room.random().nextLong());
            final Seat seat = room.seat(0);
            if (null != seat)
            {
                room.data(seat).putLong(0, -1);
            }
            fail(0);
        }
    }

    /** Bytes that depend on the state of the room. */
    private void fill(final int length)
    {
        for (int i = 0; i < length; i++)
        {
            out.putByte(i, (byte)(messages * 31 + i * 7L + length));
        }
    }

    private void obey(final Seat from, final DirectBuffer buffer, final int start, final int length)
    {
        if (0 != length % CorpusOrder.LENGTH)
        {
            if (null != from)
            {
                room.refuse(from, FIRST_APPLICATION_CODE);
            }
            return;
        }
        for (int i = start; i < start + length; i += CorpusOrder.LENGTH)
        {
            obey(CorpusOrder.at(buffer, i), from, CorpusOrder.x(buffer, i), CorpusOrder.y(buffer, i),
                CorpusOrder.z(buffer, i));
        }
    }

    private void obey(final CorpusOrder order, final Seat from, final int x, final int y, final int z)
    {
        if (order.ordinal() <= CorpusOrder.FLOOD_STATES.ordinal())
        {
            talk(order, from, x, y, z);
        }
        else if (order.ordinal() <= CorpusOrder.RATE.ordinal())
        {
            time(order, x, y, z);
        }
        else if (order.ordinal() <= CorpusOrder.REFUSE.ordinal())
        {
            CorpusCalls.manage(room, order, from, x, y, z);
        }
        else if (order.ordinal() <= CorpusOrder.SUBSCRIBE.ordinal())
        {
            request(order, x, y, z);
        }
        else
        {
            change(order, from, x, y, z);
        }
    }

    private Audience audience(final Seat from, final int x)
    {
        return switch (x % 4)
        {
            case 0 -> room.everyone();
            case 1 -> null == from ? room.everyone() : room.everyoneBut(from);
            case 2 -> group;
            default -> null == from ? group : from;
        };
    }

    private void talk(final CorpusOrder order, final Seat from, final int x, final int y, final int z)
    {
        final boolean isFlood = CorpusOrder.FLOOD_EVENTS == order || CorpusOrder.FLOOD_STATES == order;
        fill(isFlood ? CorpusCalls.FLOOD_LENGTH : Math.max(y, 16));
        CorpusCalls.send(room, audience(from, x), out, order, y, z);
    }

    private void time(final CorpusOrder order, final int x, final int y, final int z)
    {
        final long handle = handles[x % REMEMBERED];
        switch (order)
        {
            case AFTER -> remember(room.after(z * UNIT_NS, x % 3, y));
            case EVERY -> remember(room.every((1 + z) * UNIT_NS, x % 3, y));
            case EVERY_FRAMES -> remember(room.everyFrames(1 + y % 8, x % 3, y));
            case CANCEL -> observer.saw("cancel", room.cancel(handle) ? 1 : 0);
            case RESCHEDULE -> observer.saw("reschedule", room.reschedule(handle, z * UNIT_NS) ? 1 : 0);
            case CANCEL_ALL -> observer.saw("cancelAll", steps.cancelAll(), room.cancelAll());
            default -> room.frameRate(z % 1_001);
        }
    }

    private void remember(final long handle)
    {
        observer.saw("handle", handle);
        handles[nextHandle++ % REMEMBERED] = handle;
    }

    private void request(final CorpusOrder order, final int x, final int y, final int z)
    {
        final long other = CorpusText.roomId(x, y);
        fill(Room.MAX_REQUEST_LENGTH);
        switch (order)
        {
            case SIGNAL ->
            {
                out.putByte(0, (byte)(z >= 0x8000 ? ECHO : 0));
                observer.saw("signal", room.signal(other, out, 0, 1 + (z & 0x7FFF) % Room.MAX_REQUEST_LENGTH));
            }
            case ASK ->
            {
                out.putByte(0, (byte)(z >>> 14));
                observer.saw("ask", room.ask(other, 1 + (z & 0x3FFF) * UNIT_NS, out, 0, 8 + y % 2));
            }
            case ANSWER -> answer(y);
            case ASYNC -> observer.saw("async", room.async(x, y, out, 0, z % Room.MAX_REQUEST_LENGTH));
            case OPEN_ROOM ->
            {
                out.setMemory(0, y, (byte)0);
                observer.saw("openRoom", room.openRoom(x, out, 0, y));
            }
            case RESERVE -> observer.saw("reserve", room.reserve(other, z & 0xFF, (1 + (z >>> 8)) * MS));
            case RELEASE -> observer.saw("release", room.release(other, z & 0xFF));
            case RESERVE_HERE -> observer.saw("reserve", room.reserve(y, (1 + z) * UNIT_NS));
            case RELEASE_HERE -> observer.saw("release", room.release(y) ? 1 : 0);
            case LABEL -> room.label(x % Room.MAX_LABELS, out, 0, y % (1 + Room.MAX_LABEL_LENGTH));
            default -> room.subscribeToDirectory();
        }
    }

    private void change(final CorpusOrder order, final Seat from, final int x, final int y, final int z)
    {
        switch (order)
        {
            case THROW ->
            {
                fill(11);
                room.sendEvent(room.everyone(), out, 0, 11);
                observer.saw("signal", room.signal(CorpusText.roomId(y, z), out, 0, 3));
                fail(x);
            }
            case BOMB ->
            {
                bomb = x;
                bombKind = y;
            }
            case DECIDE -> decide(x, y);
            case GROUP -> CorpusCalls.group(room, group, observer, x, y);
            case DATA ->
            {
                if (null != from)
                {
                    room.data(from).putLong(0, z);
                }
            }
            case STEPS -> observer.saw("steps", steps.start(0 == x % 3 ? REQUEST : WALK, y), steps.running());
            case CANCEL_STEPS ->
                observer.saw("cancelSteps", 0 == x ? steps.cancelAll() : steps.cancelAll(WALK, y));
            case SYNC ->
            {
                if (null != state)
                {
                    state.change(from, x, y, z);
                }
            }
            case RANDOM -> CorpusCalls.draw(room, observer, z);
            case WALK -> walk(y);
            case STALE ->
            {
                final Seat seat = null != stale && staleNs == room.nowNs() ? stale : room.nextReserved(0);
                if (null != seat)
                {
                    room.kick(seat);
                }
            }
            case KEEP_OPEN -> isKeptOpen = 0 != x;
            default ->
            {
                room.count(x, y);
                room.logger().log(System.Logger.Level.DEBUG, () -> "not written " + y);
            }
        }
    }

    private void decide(final int x, final int y)
    {
        fill(20);
        final boolean isDecided = switch (x % 3)
        {
            case 0 -> room.admit(join);
            case 1 -> room.admit(join, out, 0, 20);
            default -> room.refuse(join, FIRST_APPLICATION_CODE + y);
        };
        observer.saw("decided", isDecided ? 1 : 0, join, room.joinOf(y));
    }

    private void walk(final int y)
    {
        for (Seat seat = room.nextPresent(0); null != seat; seat = room.nextPresent(seat.index() + 1))
        {
            saw("present", seat);
        }
        for (Seat seat = room.nextSpectator(0); null != seat; seat = room.nextSpectator(seat.index() + 1))
        {
            saw("spectator", seat);
        }
        final Seat seat = room.seatOf(y);
        final Seat first = room.seat(0, 1);
        observer.saw("of", null == seat ? -1 : seat.index(), null == first ? -1 : first.playerId(),
            room.isReserved(y) ? 1 : 0, room.joinOf(y), room.joinsWaiting());
    }
}
