package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** What players asked for and the lobby in turn asked somebody for, in the order in which it did, until the answer. */
final class LobbyRequests
{
    /** Requests of all players that are under way; the host's own limit is the same. */
    static final int LIMIT = 4_096;

    private final Room room;
    private final LobbySeats seats;
    private final LobbyProxy answers;
    private final Map<Long, LobbyRequest> requestByIdMap = new LinkedHashMap<>();

    LobbyRequests(final Room room, final LobbySeats seats, final LobbyProxy answers)
    {
        this.room = room;
        this.seats = seats;
        this.answers = answers;
    }

    /** Whether one more may be under way; if not, the player was told. */
    boolean mayAsk(final Seat from, final LobbyRequest request)
    {
        if (!seats.mayAsk(from) || requestByIdMap.size() >= LIMIT)
        {
            answers.refused(from, request.requestId, ArenaCode.TOO_MANY_REQUESTS, request.templateId);
            return false;
        }
        return true;
    }

    void asked(final Seat from, final LobbyRequest request, final long correlationId)
    {
        seats.asked(from);
        requestByIdMap.put(correlationId, request);
    }

    /** The request that is answered, or null: a signal to an arena that closed is answered too. */
    LobbyRequest answered(final long correlationId)
    {
        final LobbyRequest request = requestByIdMap.remove(correlationId);
        final Seat seat = null == request ? null : seatOf(request);
        if (null != seat)
        {
            seats.answered(seat);
        }
        return request;
    }

    /** Who asked, or null when that player has left. */
    Seat seatOf(final LobbyRequest request)
    {
        final Seat seat = room.seat(request.seatIndex);
        return null != seat && seat.generation() == request.generation ? seat : null;
    }

    /** How many arenas are about to be opened. */
    int opening()
    {
        int opening = 0;
        for (final LobbyRequest request : requestByIdMap.values())
        {
            opening += LobbyRequest.OPEN == request.kind ? 1 : 0;
        }
        return opening;
    }

    /** How many of them for this player. */
    int openingOf(final long playerId)
    {
        int opening = 0;
        for (final LobbyRequest request : requestByIdMap.values())
        {
            opening += LobbyRequest.OPEN == request.kind && request.playerId == playerId ? 1 : 0;
        }
        return opening;
    }

    /** Whether one of them will have this name. */
    boolean isNameTaken(final byte[] folded)
    {
        for (final LobbyRequest request : requestByIdMap.values())
        {
            if (LobbyRequest.OPEN == request.kind && Arrays.equals(folded, Texts.fold(request.name)))
            {
                return true;
            }
        }
        return false;
    }

    void write(final StateWriter writer)
    {
        writer.putInt(requestByIdMap.size());
        requestByIdMap.forEach((id, request) ->
        {
            writer.putLong(id);
            request.write(writer);
        });
    }

    void read(final StateReader reader)
    {
        for (int left = reader.getInt(); left > 0; left--)
        {
            final long id = reader.getLong();
            requestByIdMap.put(id, LobbyRequest.read(reader));
        }
    }
}
