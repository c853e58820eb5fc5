package io.escapement.matchmaking;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * The matches with a room that is being opened and seats that are being reserved. A match takes place when all of its
 * seats are reserved. If a seat is refused, or a ticket goes, the other reservations are released, the room is
 * abandoned, and the other tickets wait again. A ticket with seats that are being reserved in a found room is also a
 * match.
 */
final class Matches
{
    /** Most matches at a time. */
    static final int LIMIT = 256;

    /** After a refusal no match starts for this time: the host is full, or about to stop. */
    private static final long PAUSE_NS = 1_000_000_000L;

    private static final int NO_MATCH = -1;
    private static final int NO_REPLY = -1;
    private static final long NO_ROOM = 0;

    private final Room room;
    private final MatchmakerContext context;
    private final Tickets tickets;
    private final OpenRooms openRooms;
    private final MatchmakerProxy proxy;
    private final AskedPlayers asked;
    private final int players;
    /** Requests of a match: a request for the seat of each player, and the last for the room. */
    private final int requests;
    /** By match. One that awaits no reply is free. */
    private final int[] awaited = new int[LIMIT];
    private final int[] ticketCount = new int[LIMIT];
    private final int[] playerCount = new int[LIMIT];
    private final boolean[] hasFailed = new boolean[LIMIT];
    /** The number of an open room that was found, or NONE: then the match opens a room. */
    private final int[] openRoom = new int[LIMIT];
    private final long[] roomId = new long[LIMIT];
    /** The players with a reserved seat, one bit per player. */
    private final long[] reserved = new long[LIMIT];
    /** By match and index in it. */
    private final int[] ticketOf;
    private final long[] playerOf;
    /** By match and request: the correlation id while the reply is awaited. The map finds the index of one. */
    private final long[] correlationOf;
    private final Long2LongHashMap replyByCorrelationMap;
    private int count;
    private long pausedUntilNs;

    Matches(
        final Room room,
        final MatchmakerContext context,
        final Tickets tickets,
        final OpenRooms openRooms,
        final MatchmakerProxy proxy,
        final AskedPlayers asked)
    {
        this.room = room;
        this.context = context;
        this.tickets = tickets;
        this.openRooms = openRooms;
        this.proxy = proxy;
        this.asked = asked;
        players = context.players();
        requests = players + 1;
        ticketOf = new int[LIMIT * players];
        playerOf = new long[LIMIT * players];
        correlationOf = new long[LIMIT * requests];
        // It does not grow: at most half of it is in use.
        replyByCorrelationMap = new Long2LongHashMap(2 * LIMIT * requests, 0.65f, NO_REPLY);
    }

    /** Whether the requests of a match may still be made when there is one other more. */
    boolean maySpareRequest()
    {
        return room.requestsLeft() > requests;
    }

    /** Whether seats in an open room may be reserved now. */
    boolean mayReserve()
    {
        return count < LIMIT && room.requestsLeft() >= requests;
    }

    /** Whether a room for another match may be opened now. */
    boolean mayOpen()
    {
        return mayReserve() && room.nowNs() >= pausedUntilNs;
    }

    /** Begin a match of the tickets that a search has found. */
    void open(final MatchSearch search, final int found)
    {
        final int match = begin(NO_ROOM, OpenRooms.NONE);
        proxy.beginMatch();
        for (int i = 0; i < found; i++)
        {
            final int ticket = search.found(i);
            add(match, ticket);
            for (int seat = ticket; Tickets.NONE != seat; seat = tickets.nextMember(seat))
            {
                proxy.matchPlayer(asked.playerId(seat), tickets.ratingOfSeat(seat), i);
            }
        }
        await(match, players, proxy.openMatch());
        endIfAnswered(match);
    }

    /** Reserve the seats of a ticket in an open room. */
    void reserve(final int ticket, final int inOpenRoom)
    {
        final int match = begin(openRooms.roomId(inOpenRoom), inOpenRoom);
        add(match, ticket);
        openRooms.addPending(inOpenRoom, playerCount[match]);
        reserveSeats(match);
        endIfAnswered(match);
    }

    private int begin(final long inRoomId, final int inOpenRoom)
    {
        int match = 0;
        while (0 != awaited[match])
        {
            match++;
        }
        count++;
        ticketCount[match] = 0;
        playerCount[match] = 0;
        hasFailed[match] = false;
        openRoom[match] = inOpenRoom;
        roomId[match] = inRoomId;
        reserved[match] = 0;
        return match;
    }

    private void add(final int match, final int ticket)
    {
        ticketOf[match * players + ticketCount[match]++] = ticket;
        tickets.match(ticket, match);
        for (int seat = ticket; Tickets.NONE != seat; seat = tickets.nextMember(seat))
        {
            playerOf[match * players + playerCount[match]++] = asked.playerId(seat);
        }
    }

    /** A ticket of a match goes: the match cannot take place. */
    void onTicketGone(final int ticket)
    {
        final int match = tickets.match(ticket);
        hasFailed[match] = true;
        for (int i = match * players; i < match * players + ticketCount[match]; i++)
        {
            ticketOf[i] = ticketOf[i] == ticket ? Tickets.NONE : ticketOf[i];
        }
    }

    /** Process a reply. False if it does not answer a request of a match. */
    boolean onReply(final long correlationId, final int status, final DirectBuffer buffer, final int offset)
    {
        final int reply = (int)replyByCorrelationMap.remove(correlationId);
        if (NO_REPLY == reply)
        {
            return false;
        }
        final int match = reply / requests;
        final int request = reply % requests;
        correlationOf[reply] = Room.NO_REQUEST;
        awaited[match]--;
        if (RefusalCode.NONE.value() != status)
        {
            hasFailed[match] = true;
            pausedUntilNs = isFound(match) ? pausedUntilNs : room.nowNs() + PAUSE_NS;
        }
        else if (players == request)
        {
            roomId[match] = buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN);
            reserveSeats(match);
        }
        else
        {
            reserved[match] |= 1L << request;
        }
        endIfAnswered(match);
        return true;
    }

    private void reserveSeats(final int match)
    {
        for (int i = 0; i < playerCount[match] && !hasFailed[match]; i++)
        {
            await(match, i, room.reserve(roomId[match], playerOf[match * players + i], context.reservationNs()));
        }
    }

    private void await(final int match, final int request, final long correlationId)
    {
        if (Room.NO_REQUEST == correlationId)
        {
            hasFailed[match] = true;
            return;
        }
        final int reply = match * requests + request;
        correlationOf[reply] = correlationId;
        replyByCorrelationMap.put(correlationId, reply);
        awaited[match]++;
    }

    private void endIfAnswered(final int match)
    {
        if (0 != awaited[match])
        {
            return;
        }
        count--;
        if (isFound(match))
        {
            openRooms.addPending(openRoom[match], -playerCount[match]);
        }
        if (hasFailed[match])
        {
            abandon(match);
            return;
        }
        for (int i = match * players; i < match * players + ticketCount[match]; i++)
        {
            for (int seat = ticketOf[i]; Tickets.NONE != seat; seat = tickets.nextMember(seat))
            {
                proxy.matched(seat, roomId[match]);
            }
            tickets.remove(ticketOf[i]);
        }
    }

    private boolean isFound(final int match)
    {
        return OpenRooms.NONE != openRoom[match];
    }

    private void abandon(final int match)
    {
        // If a release is refused because too many requests are open, the reservation expires.
        for (long rest = reserved[match]; 0 != rest; rest &= rest - 1)
        {
            room.release(roomId[match], playerOf[match * players + Long.numberOfTrailingZeros(rest)]);
        }
        if (NO_ROOM != roomId[match] && !isFound(match))
        {
            proxy.abandonMatch(roomId[match]);
        }
        for (int i = match * players; i < match * players + ticketCount[match]; i++)
        {
            if (Tickets.NONE != ticketOf[i])
            {
                tickets.waitAgain(ticketOf[i]);
            }
        }
    }

    void write(final StateWriter writer)
    {
        writer.putLong(pausedUntilNs);
        for (int match = 0; match < LIMIT; match++)
        {
            if (0 != awaited[match])
            {
                writer.putInt(match);
                writer.putInt(awaited[match]);
                writer.putInt(ticketCount[match]);
                writer.putInt(playerCount[match]);
                writer.putBoolean(hasFailed[match]);
                writer.putInt(openRoom[match]);
                writer.putLong(roomId[match]);
                writer.putLong(reserved[match]);
                for (int i = 0; i < ticketCount[match]; i++)
                {
                    writer.putInt(ticketOf[match * players + i]);
                }
                for (int i = 0; i < playerCount[match]; i++)
                {
                    writer.putLong(playerOf[match * players + i]);
                }
                for (int i = 0; i < requests; i++)
                {
                    writer.putLong(correlationOf[match * requests + i]);
                }
            }
        }
        writer.putInt(NO_MATCH);
    }

    void read(final StateReader reader)
    {
        pausedUntilNs = reader.getLong();
        for (int match = reader.getInt(); NO_MATCH != match; match = reader.getInt())
        {
            count++;
            awaited[match] = reader.getInt();
            ticketCount[match] = reader.getInt();
            playerCount[match] = reader.getInt();
            hasFailed[match] = reader.getBoolean();
            openRoom[match] = reader.getInt();
            if (isFound(match))
            {
                openRooms.addPending(openRoom[match], playerCount[match]);
            }
            roomId[match] = reader.getLong();
            reserved[match] = reader.getLong();
            for (int i = 0; i < ticketCount[match]; i++)
            {
                ticketOf[match * players + i] = reader.getInt();
            }
            for (int i = 0; i < playerCount[match]; i++)
            {
                playerOf[match * players + i] = reader.getLong();
            }
            for (int reply = match * requests; reply < (match + 1) * requests; reply++)
            {
                correlationOf[reply] = reader.getLong();
                if (Room.NO_REQUEST != correlationOf[reply])
                {
                    replyByCorrelationMap.put(correlationOf[reply], reply);
                }
            }
        }
    }
}
