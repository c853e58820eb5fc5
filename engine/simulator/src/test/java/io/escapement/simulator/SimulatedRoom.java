package io.escapement.simulator;

import io.escapement.rooms.Audience;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Does what players ask it to, faults included, and numbers its events for each seat. An event carries the stamp of
 * each seat that is to receive it: the epoch, which is unique for each presence of a player, and the number of the
 * event within the epoch. State carries one growing number.
 */
final class SimulatedRoom implements RoomLogic
{
    /** A request of a player. */
    enum Request
    {
        ANSWER, ALL, OTHERS, GROUP, TIMER, STATES, SIGNAL, ASK, FRAMES, LABEL, REFUSE, RESERVE,
        KICK, GO_ON, LOCK, OPEN, FLOOD, SLOW, THROW, ERROR, OVERFLOW, INTERRUPT, CLOSE
    }

    /** A throw that the simulation wants. */
    static final class Fault extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        Fault()
        {
            super("a fault of the simulation", null, false, false);
        }
    }

    /** As {@link Fault}. */
    static final class FatalFault extends Error
    {
        private static final long serialVersionUID = 1L;

        FatalFault()
        {
            super("a fault of the simulation", null, false, false);
        }
    }

    static final int SERVICE = 9;
    static final int SEATS = 6;
    static final int REFUSAL = FIRST_APPLICATION_CODE + 1;
    private static final long FIRST_RESERVED = 1_000_000;
    static final long GRACE_NS = 1_200_000_000;

    static final int REQUEST_OFFSET = 0;
    static final int ARGUMENT_OFFSET = 4;
    static final int SEQUENCE_OFFSET = 8;
    static final int ROOM_OFFSET = 16;
    static final int REQUEST_LENGTH = 24;

    /** The sequence of the message that is answered, or 0. */
    static final int ANSWER_OFFSET = 0;
    static final int STAMPS_OFFSET = 8;
    static final int EVENT_LENGTH = STAMPS_OFFSET + SEATS * Long.BYTES;
    static final int STATE_LENGTH = Long.BYTES;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int STATE_BYTES = 1_500;
    private static final int FLOOD_EVENTS = 400;
    private static final int LEAST_RATE = 5;
    private static final long MS = 1_000_000;
    private static final long TICK_NS = 2 * MS;

    private final SimulatedRooms oracle;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[STATE_BYTES]);
    private final int[] epochs = new int[SEATS];
    private final int[] numbers = new int[SEATS];
    private final boolean[] isPresent = new boolean[SEATS];
    private SimulatedRooms.RoomState state;
    private Room room;
    private SeatGroup group;
    private int lastEpoch;
    private long states;
    private boolean isLocked;
    private boolean isGoingOn;

    private SimulatedRoom(final SimulatedRooms oracle)
    {
        this.oracle = oracle;
    }

    /** Two types, which differ in when their output leaves. */
    static RoomType[] types(final SimulatedRooms oracle)
    {
        return new RoomType[]{
            type(1, "by-turn", oracle).flush(RoomType.Flush.TURN),
            type(2, "by-frame", oracle).flush(RoomType.Flush.FRAME).catchUp(3).closeWhenEmptyNs(2_000 * MS),
        };
    }

    private static RoomType type(final int id, final String name, final SimulatedRooms oracle)
    {
        return RoomType.of(id, name, 1, () -> new SimulatedRoom(oracle))
            .seats(SEATS).timers(16).requests(4).groups(1).seatData(Long.BYTES).graceNs(GRACE_NS)
            .outputLimit(16 * 1_024);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        state = oracle.opened(room.roomId());
        group = room.newGroup();
        room.frameRate(20);
        if (length > 0 && 0 == room.random().nextInt(20))
        {
            throw fault();
        }
    }

    @Override
    public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        return 0 == room.random().nextInt(30) ? REFUSAL : ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        final SimulatedRooms.SeatState known = state.seats[seat.index()];
        if (known.isTaken)
        {
            oracle.violated("room " + state.roomId + ": onJoin of seat " + seat.index() + ", which is taken");
        }
        if (0 != room.data(seat).getLong(0))
        {
            oracle.violated("room " + state.roomId + ": the data of seat " + seat.index() + " are of another player");
        }
        room.data(seat).putLong(0, seat.playerId());
        known.playerId = seat.playerId();
        known.generation = seat.generation();
        known.isTaken = true;
        known.lastSequence = 0;
        begin(seat);
    }

    @Override
    public void onBack(final Seat seat)
    {
        if (state.seats[seat.index()].isPresent)
        {
            oracle.violated("room " + state.roomId + ": onBack of seat " + seat.index() + ", which is present");
        }
        begin(seat);
    }

    @Override
    public void onAway(final Seat seat)
    {
        if (!state.seats[seat.index()].isPresent)
        {
            oracle.violated("room " + state.roomId + ": onAway of seat " + seat.index() + ", which is away");
        }
        end(seat);
        state.seats[seat.index()].awaySinceNs = room.nowNs();
        sendToAll(0);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason, final int code)
    {
        checkData(seat);
        if (0 != code && LeaveReason.GRACE_EXPIRED == reason)
        {
            oracle.violated("room " + state.roomId + ": seat " + seat.index() + " left for " + reason + " " + code);
        }
        if (!state.seats[seat.index()].isTaken)
        {
            oracle.violated("room " + state.roomId + ": onLeave of seat " + seat.index() + ", which is free");
        }
        if (LeaveReason.GRACE_EXPIRED == reason &&
            room.nowNs() - state.seats[seat.index()].awaySinceNs < GRACE_NS - TICK_NS)
        {
            oracle.violated("room " + state.roomId + ": seat " + seat.index() + " was held for " +
                (room.nowNs() - state.seats[seat.index()].awaySinceNs) + " ns only");
        }
        end(seat);
        state.seats[seat.index()].isTaken = false;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long sequence = buffer.getLong(offset + SEQUENCE_OFFSET, ORDER);
        final int argument = buffer.getInt(offset + ARGUMENT_OFFSET, ORDER);
        received(from, sequence);
        final Request request = Request.values()[buffer.getInt(offset + REQUEST_OFFSET, ORDER)];
        switch (request)
        {
            case THROW -> throw fault();
            case ERROR ->
            {
                state.fail();
                throw new FatalFault();
            }
            case OVERFLOW ->
            {
                state.fail();
                overflow(1);
            }
            case INTERRUPT ->
            {
                state.fail();
                Thread.currentThread().interrupt();
            }
            case CLOSE ->
            {
                if (0 == argument % 2)
                {
                    room.close();
                }
                else
                {
                    room.close(REFUSAL + argument);
                }
            }
            default ->
            {
                answer(from, sequence);
                run(request, from, argument, buffer.getLong(offset + ROOM_OFFSET, ORDER));
            }
        }
    }

    private void run(final Request request, final Seat from, final int argument, final long otherRoomId)
    {
        switch (request)
        {
            case ALL -> sendToAll(0);
            case OTHERS ->
            {
                stamp(0, from.index());
                room.sendEvent(room.everyoneBut(from), out, 0, EVENT_LENGTH);
            }
            case GROUP -> sendToGroup(argument);
            case TIMER ->
            {
                final long handle = room.after(argument * MS, 1, argument);
                if (Room.NO_TIMER != handle && (!room.isSet(handle) || argument * MS != room.remainingNs(handle)))
                {
                    oracle.violated("room " + state.roomId + ": a timer of " + argument + " ms is due in " +
                        room.remainingNs(handle));
                }
            }
            case STATES ->
            {
                for (int i = 0; i < argument % 16; i++)
                {
                    sendState(STATE_BYTES);
                }
            }
            case SIGNAL -> room.signal(otherRoomId, out, 0, Long.BYTES);
            case ASK -> room.async(SERVICE, argument, out, 0, Long.BYTES);
            case FRAMES ->
            {
                // Output that waits for a frame must arrive before the simulation looks for it.
                final int rate = argument % 40;
                room.frameRate(0 == rate ? 0 : Math.max(LEAST_RATE, rate));
            }
            case LABEL -> room.label(argument % Room.MAX_LABELS, out, 0, Long.BYTES);
            case REFUSE -> room.refuse(from, REFUSAL);
            case RESERVE -> reserve(argument);
            case GO_ON ->
            {
                sendToAll(0);
                isGoingOn = true;
                throw new Fault();
            }
            case KICK -> kick(argument);
            case LOCK ->
            {
                isLocked = !isLocked;
                room.lock(isLocked);
            }
            case OPEN -> room.openRoom(1 + argument % 2, out, 0, Long.BYTES);
            case FLOOD ->
            {
                for (int i = 0; i < FLOOD_EVENTS; i++)
                {
                    sendToAll(0);
                }
            }
            case SLOW -> oracle.pause(argument * MS);
            default ->
            {
                // The answer was all.
            }
        }
    }

    private void kick(final int argument)
    {
        final int index = argument % SEATS;
        if (state.seats[index].isTaken && 0 == argument % 2)
        {
            room.kick(room.seat(index));
        }
        else if (state.seats[index].isTaken)
        {
            room.kick(room.seat(index), REFUSAL + argument);
        }
    }

    @Override
    public AfterError onError(final Throwable thrown, final Seat seat)
    {
        final boolean goesOn = isGoingOn;
        isGoingOn = false;
        return goesOn ? AfterError.CONTINUE : AfterError.CLOSE;
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        sendToAll(0);
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        sendToAll(0);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        sendToAll(0);
    }

    @Override
    public void onFrame(final long frame, final long elapsedNs)
    {
        checkSeats();
        sendState(STATE_LENGTH);
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        if (!state.seats[seat.index()].isPresent)
        {
            oracle.violated("room " + state.roomId + ": onStateLost of seat " + seat.index() + ", which is away");
        }
        sendState(STATE_LENGTH);
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
        if (0 == room.random().nextInt(2))
        {
            room.close();
        }
    }

    @Override
    public void onClose(final CloseReason reason)
    {
        state.isOpen = false;
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putInt(lastEpoch);
        writer.putLong(states);
        for (int i = 0; i < SEATS; i++)
        {
            writer.putInt(epochs[i]);
            writer.putInt(numbers[i]);
        }
    }

    /** A reservation that soon ends, or at once. */
    private void reserve(final int argument)
    {
        final long playerId = FIRST_RESERVED + argument;
        if (0 != room.reserve(playerId, 50 * MS))
        {
            return;
        }
        final Seat reserved = room.nextReserved(0);
        if (!room.isReserved(playerId) || null == reserved || 0 == room.seatsReserved() ||
            0 == argument % 2 && (!room.release(playerId) || room.isReserved(playerId)))
        {
            oracle.violated("room " + state.roomId + ": the reservation of player " + playerId + " is lost");
        }
    }

    private void checkData(final Seat seat)
    {
        if (seat.playerId() != room.data(seat).getLong(0))
        {
            oracle.violated("room " + state.roomId + ": seat " + seat.index() + " of player " + seat.playerId() +
                " has the data of " + room.data(seat).getLong(0));
        }
    }

    private void checkSeats()
    {
        int present = 0;
        for (Seat seat = room.nextPresent(0); null != seat; seat = room.nextPresent(seat.index() + 1))
        {
            present++;
            checkData(seat);
            if (!isPresent[seat.index()])
            {
                oracle.violated("room " + state.roomId + ": seat " + seat.index() + " is present without a join");
            }
        }
        int expected = 0;
        for (final boolean isHere : isPresent)
        {
            expected += isHere ? 1 : 0;
        }
        if (expected != present || expected != room.seatsPresent())
        {
            oracle.violated("room " + state.roomId + ": " + room.seatsPresent() + " present, " + present +
                " on a walk, expected " + expected);
        }
    }

    private void begin(final Seat seat)
    {
        final int index = seat.index();
        epochs[index] = ++lastEpoch;
        numbers[index] = 0;
        isPresent[index] = true;
        state.eventsByEpoch.addInt(0);
        state.seats[index].epoch = lastEpoch;
        state.seats[index].isPresent = true;
        sendToAll(0);
    }

    private void end(final Seat seat)
    {
        isPresent[seat.index()] = false;
        state.seats[seat.index()].isPresent = false;
    }

    private void received(final Seat from, final long sequence)
    {
        final SimulatedRooms.SeatState seat = state.seats[from.index()];
        oracle.onMessage();
        if (!seat.isPresent || seat.generation != from.generation() || seat.playerId != from.playerId())
        {
            oracle.violated("room " + state.roomId + ": a message of seat " + from.index() + ", which is away");
        }
        if (sequence <= seat.lastSequence)
        {
            oracle.violated("room " + state.roomId + ": seat " + from.index() + " message " + sequence +
                " after " + seat.lastSequence);
        }
        seat.received(sequence);
    }

    private Fault fault()
    {
        state.fail();
        return new Fault();
    }

    private static int overflow(final int depth)
    {
        return 1 + overflow(depth + 1);
    }

    private void answer(final Seat to, final long sequence)
    {
        clear(sequence);
        stampOf(to.index());
        room.sendEvent(to, out, 0, EVENT_LENGTH);
    }

    private void sendToAll(final long answer)
    {
        stamp(answer, SEATS);
        room.sendEvent(room.everyone(), out, 0, EVENT_LENGTH);
    }

    private void sendToGroup(final int members)
    {
        group.clear();
        clear(0);
        for (int i = 0; i < SEATS; i++)
        {
            if (0 != (members & (1 << i)) && state.seats[i].isTaken)
            {
                group.add(room.seat(i));
                if (isPresent[i])
                {
                    stampOf(i);
                }
            }
        }
        room.sendEvent((Audience)group, out, 0, EVENT_LENGTH);
    }

    private void sendState(final int length)
    {
        out.putLong(0, ++states, ORDER);
        room.sendState(room.everyone(), out, 0, length);
    }

    private void stamp(final long answer, final int except)
    {
        clear(answer);
        for (int i = 0; i < SEATS; i++)
        {
            if (isPresent[i] && i != except)
            {
                stampOf(i);
            }
        }
    }

    private void clear(final long answer)
    {
        out.setMemory(0, EVENT_LENGTH, (byte)0);
        out.putLong(ANSWER_OFFSET, answer, ORDER);
    }

    private void stampOf(final int index)
    {
        numbers[index]++;
        state.eventsByEpoch.setInt(epochs[index], numbers[index]);
        out.putLong(STAMPS_OFFSET + index * Long.BYTES, ((long)epochs[index] << Integer.SIZE) | numbers[index], ORDER);
    }
}
