package io.escapement.rooms.scenario;

import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room that uses the whole API of {@code Room}, as the messages of its players request. Every argument of every
 * callback enters one running number, so any difference between two runs becomes a difference in state.
 */
final class ChaosRoom implements RoomLogic
{
    static final int OPERATIONS = 40;
    static final int MESSAGE_LENGTH = 16;
    /** Type id of the rooms that are not recorded. */
    static final int PARTY = 9;
    private static final int REMEMBERED = 8;
    private static final int[] RATES = {60, 30, 100, 144, 7, 0};

    private final UnsafeBuffer out = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
    private final long[] handles = new long[REMEMBERED];
    private final int firstRate;
    private Room room;
    private SeatGroup group;
    private long[] scores;
    private long seen;
    private int nextHandle;

    private ChaosRoom(final int firstRate)
    {
        this.firstRate = firstRate;
    }

    static RoomType party()
    {
        return RoomType.of(PARTY, "party", 1, () -> new ChaosRoom(20)).seats(8).timers(4).graceNs(30_000_000)
            .outputLimit(2_048).requests(4).ephemeral();
    }

    static RoomType duel()
    {
        return RoomType.of(1, "duel", 1, () -> new ChaosRoom(60)).seats(4).timers(3).graceNs(40_000_000)
            .outputLimit(2_048).requests(0);
    }

    static RoomType lobby()
    {
        return RoomType.of(2, "lobby", 3, () -> new ChaosRoom(0)).seats(100).timers(40).graceNs(400_000_000)
            .flushEveryNs(25_000_000).outputLimit(8_192).requests(8);
    }

    static RoomType raid()
    {
        return RoomType.of(3, "raid", 2, () -> new ChaosRoom(30)).seats(16).timers(6).graceNs(0).catchUp(3)
            .admission(RoomType.Admission.OPEN).flush(RoomType.Flush.FRAME).outputLimit(4_096).requests(6);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        scores = new long[opened.seatLimit()];
        group = opened.newGroup();
        saw(1, opened.roomId(), length);
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
    public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
    {
        saw(3, playerId, length);
        return room.random().nextInt(50) == 0 ? FIRST_APPLICATION_CODE + 7 : ACCEPT;
    }

    @Override
    public void onJoin(final Seat seat)
    {
        saw(4, seat.playerId(), seat.generation());
        scores[seat.index()] = 1;
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
        out.putLong(0, seen);
        room.sendState(seat, out, 0, Long.BYTES);
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason)
    {
        saw(7, seat.playerId(), reason.ordinal());
        scores[seat.index()] = 0;
        out.putLong(0, seat.playerId());
        room.sendEvent(room.everyone(), out, 0, Long.BYTES);
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
        else
        {
            act(operation, from, argument);
        }
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(9, fromRoomId, length);
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        saw(10, correlationId, status * 31L + length);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        saw(11, handle, kind * 31L + tag);
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
    }

    @Override
    public void onStateLost(final Seat seat)
    {
        saw(13, seat.playerId(), 0);
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
    public void onSnapshot(final StateWriter writer)
    {
        // The next message may begin with bytes of the last one.
        writer.putBytes(out, 0, 2 * Long.BYTES);
        writer.putLong(seen);
        writer.putInt(nextHandle);
        for (final long handle : handles)
        {
            writer.putLong(handle);
        }
        for (final long score : scores)
        {
            writer.putLong(score);
        }
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        group = restored.group(0);
        scores = new long[restored.seatLimit()];
        reader.getBytes(out, 0);
        seen = reader.getLong();
        nextHandle = reader.getInt();
        for (int i = 0; i < handles.length; i++)
        {
            handles[i] = reader.getLong();
        }
        for (int i = 0; i < scores.length; i++)
        {
            scores[i] = reader.getLong();
        }
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
            case 25 -> saw(22, argument % 16 == 0 ? room.cancelAll() : -1, 0);
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
