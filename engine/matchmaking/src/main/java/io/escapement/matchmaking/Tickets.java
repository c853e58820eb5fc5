package io.escapement.matchmaking;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The tickets of players, single or in a party. The number of a ticket is the index of the seat that opened it. This is
 * its first member: when that player leaves, the ticket also goes.
 *
 * <p>A ticket gathers its party, waits, is matched, and may wait again when the match fails. Every ticket is in one
 * list by the time since which it gathers or waits. The expired tickets are at its head.
 */
final class Tickets
{
    static final int NONE = -1;

    /** The state of a number that is no ticket. */
    static final byte FREE = 0;
    /** Members of the party are missing. */
    static final byte GATHERING = 1;
    /** In the queue. */
    static final byte WAITING = 2;
    /** Taken out of the queue, for a match with seats that are being reserved. */
    static final byte MATCHED = 3;

    /** Bits of a key below the rating. They number the tickets. At a million tickets per second they last 4 years. */
    private static final int SERIAL_BITS = 47;

    private final RatedQueue queue;
    /** The keys of tickets that find a room have no rating: they are in the order of their age. */
    private final RatedQueue finds;
    /** By ticket. */
    private final byte[] state;
    private final boolean[] isFind;
    private final UnsafeBuffer labels;
    private final int[] nextRoom;
    private final byte[] size;
    private final byte[] members;
    private final int[] match;
    private final long[] partyId;
    private final long[] sinceNs;
    private final long[] key;
    private final int[] older;
    private final int[] newer;
    /** By seat. */
    private final int[] ticketOfSeat;
    private final int[] nextMember;
    private final int[] rating;
    private final Long2LongHashMap ticketByPartyIdMap;
    private int oldest = NONE;
    private int newest = NONE;
    private int players;
    private long lastSerial;

    Tickets(final int seats)
    {
        queue = new RatedQueue(seats);
        finds = new RatedQueue(seats);
        state = new byte[seats];
        isFind = new boolean[seats];
        labels = new UnsafeBuffer(new byte[seats * Labels.LENGTH]);
        nextRoom = new int[seats];
        size = new byte[seats];
        members = new byte[seats];
        match = new int[seats];
        partyId = new long[seats];
        sinceNs = new long[seats];
        key = new long[seats];
        older = new int[seats];
        newer = new int[seats];
        ticketOfSeat = new int[seats];
        nextMember = new int[seats];
        rating = new int[seats];
        Arrays.fill(ticketOfSeat, NONE);
        // It does not grow: at most half of it is in use.
        ticketByPartyIdMap = new Long2LongHashMap(2 * seats, 0.65f, NONE);
    }

    /** The tickets that wait for a match. */
    RatedQueue queue()
    {
        return queue;
    }

    /** The tickets that wait for an open room. */
    RatedQueue finds()
    {
        return finds;
    }

    /** Number of players that have a ticket. */
    int players()
    {
        return players;
    }

    int ofSeat(final int seat)
    {
        return ticketOfSeat[seat];
    }

    /** The ticket of a party, or {@link #NONE}. */
    int ofParty(final long id)
    {
        return (int)ticketByPartyIdMap.get(id);
    }

    byte state(final int ticket)
    {
        return state[ticket];
    }

    /** Number of players that the ticket is for. */
    int size(final int ticket)
    {
        return size[ticket];
    }

    /** Number of members that have not arrived yet. */
    int missing(final int ticket)
    {
        return size[ticket] - members[ticket];
    }

    /** The time from which the ticket gathers its party. Once it is complete, the time from which it waits. */
    long sinceNs(final int ticket)
    {
        return sinceNs[ticket];
    }

    /** The mean rating of the members. */
    int meanRating(final int ticket)
    {
        return ratingOf(key[ticket]);
    }

    static int ratingOf(final long key)
    {
        return (int)(key >>> SERIAL_BITS);
    }

    int ratingOfSeat(final int seat)
    {
        return rating[seat];
    }

    /** The seat of the member after this member. The ticket's number is the first. {@link #NONE} at the end. */
    int nextMember(final int seat)
    {
        return nextMember[seat];
    }

    /** The ticket that has waited longest. */
    int oldest()
    {
        return oldest;
    }

    int newer(final int ticket)
    {
        return newer[ticket];
    }

    /** Whether a ticket is for a match, or for an open room with the same labels. */
    boolean isFor(final int ticket, final Labels wanted)
    {
        return isFind[ticket] == (null != wanted) &&
            (null == wanted || wanted.isSame(labels, ticket * Labels.LENGTH));
    }

    /** The labels of a ticket that finds a room, at {@link #labelsOffset}. */
    DirectBuffer labels()
    {
        return labels;
    }

    int labelsOffset(final int ticket)
    {
        return ticket * Labels.LENGTH;
    }

    /** The number of the open room at which the search of a ticket continues. */
    int nextRoom(final int ticket)
    {
        return nextRoom[ticket];
    }

    void nextRoom(final int ticket, final int number)
    {
        nextRoom[ticket] = number;
    }

    /** The match of a ticket that is {@link #MATCHED}. */
    int match(final int ticket)
    {
        return match[ticket];
    }

    /** Open a ticket with its first member. It is for a match, unless there are labels of an open room. */
    void open(
        final int seat,
        final long party,
        final int partySize,
        final int seatRating,
        final Labels wanted,
        final long nowNs)
    {
        state[seat] = GATHERING;
        size[seat] = (byte)partySize;
        members[seat] = 1;
        match[seat] = NONE;
        key[seat] = 0;
        nextRoom[seat] = 0;
        isFind[seat] = null != wanted;
        if (isFind[seat])
        {
            wanted.copyTo(labels, seat * Labels.LENGTH);
        }
        partyId[seat] = party;
        if (partySize > 1)
        {
            ticketByPartyIdMap.put(party, seat);
        }
        enter(seat, seat, seatRating);
        link(seat, nowNs);
        waitIfComplete(seat, nowNs);
    }

    /** Add a member to a ticket that gathers its party. */
    void join(final int ticket, final int seat, final int seatRating, final long nowNs)
    {
        int last = ticket;
        while (NONE != nextMember[last])
        {
            last = nextMember[last];
        }
        nextMember[last] = seat;
        members[ticket]++;
        enter(ticket, seat, seatRating);
        waitIfComplete(ticket, nowNs);
    }

    /** Take a ticket out of the queue for a match. */
    void match(final int ticket, final int number)
    {
        queueOf(ticket).remove(key[ticket]);
        state[ticket] = MATCHED;
        match[ticket] = number;
    }

    /** Return a ticket into the queue. Its wait counts from its first wait. */
    void waitAgain(final int ticket)
    {
        state[ticket] = WAITING;
        queueOf(ticket).add(key[ticket], ticket);
    }

    /** Remove a ticket. {@link #nextMember} still leads through its members until any of them opens another. */
    void remove(final int ticket)
    {
        if (WAITING == state[ticket])
        {
            queueOf(ticket).remove(key[ticket]);
        }
        state[ticket] = FREE;
        unlink(ticket);
        if (size[ticket] > 1)
        {
            ticketByPartyIdMap.remove(partyId[ticket]);
        }
        for (int seat = ticket; NONE != seat; seat = nextMember[seat])
        {
            ticketOfSeat[seat] = NONE;
            players--;
        }
    }

    void write(final StateWriter writer)
    {
        writer.putLong(lastSerial);
        for (int ticket = oldest; NONE != ticket; ticket = newer[ticket])
        {
            writer.putInt(ticket);
            writer.putInt(state[ticket]);
            writer.putInt(size[ticket]);
            writer.putInt(members[ticket]);
            writer.putInt(match[ticket]);
            writer.putLong(partyId[ticket]);
            writer.putLong(sinceNs[ticket]);
            writer.putLong(key[ticket]);
            writer.putBoolean(isFind[ticket]);
            if (isFind[ticket])
            {
                writer.putInt(nextRoom[ticket]);
                writer.putBytes(labels, ticket * Labels.LENGTH, Labels.LENGTH);
            }
            for (int seat = ticket; NONE != seat; seat = nextMember[seat])
            {
                writer.putInt(seat);
                writer.putInt(rating[seat]);
            }
        }
        writer.putInt(NONE);
    }

    void read(final StateReader reader)
    {
        lastSerial = reader.getLong();
        for (int ticket = reader.getInt(); NONE != ticket; ticket = reader.getInt())
        {
            state[ticket] = (byte)reader.getInt();
            size[ticket] = (byte)reader.getInt();
            members[ticket] = (byte)reader.getInt();
            match[ticket] = reader.getInt();
            partyId[ticket] = reader.getLong();
            link(ticket, reader.getLong());
            key[ticket] = reader.getLong();
            isFind[ticket] = reader.getBoolean();
            if (isFind[ticket])
            {
                nextRoom[ticket] = reader.getInt();
                reader.getBytes(labels, ticket * Labels.LENGTH);
            }
            if (size[ticket] > 1)
            {
                ticketByPartyIdMap.put(partyId[ticket], ticket);
            }
            int before = NONE;
            for (int member = 0; member < members[ticket]; member++)
            {
                final int seat = reader.getInt();
                enter(ticket, seat, reader.getInt());
                if (NONE != before)
                {
                    nextMember[before] = seat;
                }
                before = seat;
            }
            if (WAITING == state[ticket])
            {
                queueOf(ticket).add(key[ticket], ticket);
            }
        }
    }

    private void enter(final int ticket, final int seat, final int seatRating)
    {
        ticketOfSeat[seat] = ticket;
        nextMember[seat] = NONE;
        rating[seat] = seatRating;
        players++;
    }

    private void waitIfComplete(final int ticket, final long nowNs)
    {
        if (members[ticket] == size[ticket])
        {
            unlink(ticket);
            link(ticket, nowNs);
            int sum = 0;
            for (int seat = ticket; NONE != seat; seat = nextMember[seat])
            {
                sum += rating[seat];
            }
            key[ticket] = (long)(sum / size[ticket]) << SERIAL_BITS | ++lastSerial;
            state[ticket] = WAITING;
            queueOf(ticket).add(key[ticket], ticket);
        }
    }

    private RatedQueue queueOf(final int ticket)
    {
        return isFind[ticket] ? finds : queue;
    }

    private void link(final int ticket, final long since)
    {
        sinceNs[ticket] = since;
        older[ticket] = newest;
        newer[ticket] = NONE;
        if (NONE == newest)
        {
            oldest = ticket;
        }
        else
        {
            newer[newest] = ticket;
        }
        newest = ticket;
    }

    private void unlink(final int ticket)
    {
        if (NONE == older[ticket])
        {
            oldest = newer[ticket];
        }
        else
        {
            newer[older[ticket]] = newer[ticket];
        }
        if (NONE == newer[ticket])
        {
            newest = older[ticket];
        }
        else
        {
            older[newer[ticket]] = older[ticket];
        }
    }
}
