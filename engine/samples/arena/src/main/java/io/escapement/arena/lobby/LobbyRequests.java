package io.escapement.arena.lobby;

import io.escapement.accounts.NameKeys;
import io.escapement.arena.codecs.ArenaCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Requests of players that wait for an answer of another room or of the character service, in the order of sending. */
final class LobbyRequests
{
    /** Most requests in flight, and the limit of the room type. */
    static final int LIMIT = 4_096;

    private final Room room;
    private final LobbySeats seats;
    private final LobbyProxy proxy;
    private final Map<Long, LobbyRequest> requestByIdMap = new LinkedHashMap<>();

    LobbyRequests(final Room room, final LobbySeats seats, final LobbyProxy proxy)
    {
        this.room = room;
        this.seats = seats;
        this.proxy = proxy;
    }

    /** Whether the player may have another request in flight. Otherwise it is refused. */
    boolean admitOrRefuse(final Seat from, final LobbyRequest request)
    {
        if (!seats.mayRequest(from) || requestByIdMap.size() >= LIMIT)
        {
            proxy.refused(from, request.requestId, ArenaCode.TOO_MANY_REQUESTS, request.templateId);
            return false;
        }
        return true;
    }

    void add(final Seat from, final LobbyRequest request, final long correlationId)
    {
        seats.onRequest(from);
        requestByIdMap.put(correlationId, request);
    }

    /** Remove the request that is answered. Null if the reply belongs to a signal. */
    LobbyRequest onReply(final long correlationId)
    {
        final LobbyRequest request = requestByIdMap.remove(correlationId);
        final Seat seat = null == request ? null : seatOf(request);
        if (null != seat)
        {
            seats.onReply(seat);
        }
        return request;
    }

    /** The seat that sent a request, or null if its player has left. */
    Seat seatOf(final LobbyRequest request)
    {
        final Seat seat = room.seat(request.seatIndex);
        return null != seat && seat.generation() == request.generation ? seat : null;
    }

    /** The request of a player that waits for a match, or null. */
    LobbyRequest matchOf(final long playerId)
    {
        for (final LobbyRequest request : requestByIdMap.values())
        {
            if (request.playerId == playerId &&
                (LobbyRequest.MATCH_AS == request.kind || LobbyRequest.MATCH == request.kind))
            {
                return request;
            }
        }
        return null;
    }

    /** Number of arenas that are being opened. */
    int opening()
    {
        int opening = 0;
        for (final LobbyRequest request : requestByIdMap.values())
        {
            opening += LobbyRequest.OPEN == request.kind ? 1 : 0;
        }
        return opening;
    }

    /** Number of arenas that are being opened for this player. */
    int openingOf(final long playerId)
    {
        int opening = 0;
        for (final LobbyRequest request : requestByIdMap.values())
        {
            opening += LobbyRequest.OPEN == request.kind && request.playerId == playerId ? 1 : 0;
        }
        return opening;
    }

    /** Whether an arena that is being opened has this name. */
    boolean isNameTaken(final NameKeys keys)
    {
        for (final LobbyRequest request : requestByIdMap.values())
        {
            if (LobbyRequest.OPEN == request.kind && request.keys().isTakenBy(keys))
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
