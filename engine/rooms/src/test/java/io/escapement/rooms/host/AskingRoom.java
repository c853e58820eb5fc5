package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.JoinRequest;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Decides joins by their arguments, its signals and the replies of a service, and notes its callbacks. */
final class AskingRoom implements RoomLogic
{
    static final int SERVICE = 9;
    static final int REFUSED = 1_500;
    static final int CLOSED = 2_000;
    static final UnsafeBuffer WELCOME = new UnsafeBuffer("welcome".getBytes(StandardCharsets.US_ASCII));

    private final List<String> events;
    private final Map<Long, Long> joinByRequestMap = new TreeMap<>();
    private Room room;
    private JoinRequest kept;

    AskingRoom(final List<String> events)
    {
        this.events = events;
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public int onJoinRequest(
        final JoinRequest request, final DirectBuffer args, final int offset, final int length)
    {
        kept = request;
        events.add("request " + request.id() + " of " + request.playerId() + " at " + request.trunkId());
        switch (0 == length ? 'l' : (char)args.getByte(offset))
        {
            case 'a':
                return ACCEPT;
            case 'b':
                request.answer(args, offset + 1, length - 1);
                return ACCEPT;
            case 'r':
                request.answer(args, offset, length);
                return REFUSED;
            case 't':
                throw new IllegalStateException("asked to throw");
            case 'x':
                room.close();
                return LATER;
            case 's':
                room.reserve(999, 1_000_000_000);
                return LATER;
            case 'q':
                joinByRequestMap.put(room.async(SERVICE, request.playerId(), args, offset, length), request.id());
                return LATER;
            case 'n':
                return -2;
            default:
                // Without an entry yet, so that it cannot be decided.
                events.addAll(room.admit(request.id()) ? List.of("admitted too early") : List.of());
                return LATER;
        }
    }

    @Override
    public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int at = offset; at < offset + length; at += 9)
        {
            final char what = (char)buffer.getByte(at);
            final long id = buffer.getLong(at + 1);
            switch (what)
            {
                case 'a' -> note(room.admit(id));
                case 'b' -> note(room.admit(id, WELCOME, 0, WELCOME.capacity()));
                case 'r' -> note(room.refuse(id, REFUSED));
                case 'x' -> room.close(CLOSED);
                case 'k' -> room.kick(room.seatOf(id));
                case 'l' -> room.lock(0 != id);
                case 'v' -> events.add("reserve " + Codes.nameOf(room.reserve(id, 1_000_000_000)));
                case 'f' -> note(room.release(id));
                case 'o' -> kept.playerId();
                case 'c' -> room.refuse(id, 0);
                case 'm' -> room.admit(id, buffer, offset, JoinRequest.MAX_ANSWER_LENGTH + 1);
                case 't' -> throw new IllegalStateException("asked to throw");
                default -> throw new IllegalStateException("unknown: " + what);
            }
        }
    }

    private void note(final boolean isDone)
    {
        if (!isDone)
        {
            events.add("no effect");
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        final long joinId = joinByRequestMap.remove(correlationId);
        note(0 == status ? room.admit(joinId, buffer, offset, length) : room.refuse(joinId, REFUSED + status));
    }

    @Override
    public void onJoinEnded(final long joinId, final long playerId, final int code)
    {
        events.add("ended " + joinId + " of " + playerId + " " + Codes.nameOf(code));
    }

    @Override
    public void onJoin(final Seat seat)
    {
        events.add("join " + seat.playerId() + ", " + room.joinsWaiting() + " wait, " + room.seatsReserved() + " kept");
    }

    @Override
    public void onLeave(final Seat seat, final LeaveReason reason, final int code)
    {
        events.add("leave " + seat.playerId() + " " + reason + " " + code);
    }

    @Override
    public void onClose(final CloseReason reason)
    {
        events.add("close " + reason);
    }

    @Override
    public void onDrain(final Room draining, final long deadlineNs)
    {
        events.add("drain");
    }

    @Override
    public AfterError onError(final Throwable thrown, final Seat seat)
    {
        return "asked to throw".equals(thrown.getMessage()) ? AfterError.CONTINUE : AfterError.CLOSE;
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putInt(joinByRequestMap.size());
        joinByRequestMap.forEach((request, join) ->
        {
            writer.putLong(request);
            writer.putLong(join);
        });
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        for (int i = reader.getInt(); i > 0; i--)
        {
            joinByRequestMap.put(reader.getLong(), reader.getLong());
        }
    }
}
