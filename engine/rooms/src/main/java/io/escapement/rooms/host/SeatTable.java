package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.output.Outputs;
import java.util.Arrays;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The seats of a room: the seat of each player, the free seats, and the links that the room sends to. A link is in the
 * list while at least one present seat uses it. The seats of spectators follow those of players.
 */
final class SeatTable
{
    private static final int NONE = -1;
    private static final long LINK_FACTOR = 31;

    private final RoomIdentity room;
    private final SeatState[] seats;
    final SeatMarks marks;
    private final Long2LongHashMap indexByPlayerMap;
    private final FreeSeats free;
    private final FreeSeats freeToWatch;
    /** The data of each seat, in one array; empty without any. */
    private final UnsafeBuffer[] data;
    private final int dataLength;
    private int taken;
    private int watching;
    /** Spectators who have not been freed, those that are leaving included. */
    private int spectatorsInMap;
    private int[] links = new int[4];
    private int[] presentByLink = new int[4];
    /** Of the present seats of a link, those of players. */
    private int[] playingByLink = new int[4];
    private int linkCount;
    private long linkHash;

    SeatTable(final RoomIdentity room, final LinkTable linkTable)
    {
        this.room = room;
        final int limit = room.limits().allSeats();
        seats = new SeatState[limit];
        marks = new SeatMarks(limit);
        for (int i = 0; i < limit; i++)
        {
            seats[i] = new SeatState(room, i, 1, linkTable, marks);
        }
        free = new FreeSeats(0, room.limits().seats());
        freeToWatch = new FreeSeats(room.limits().seats(), room.limits().spectators());
        dataLength = room.type().seatData();
        data = dataOf(0 == dataLength ? 0 : limit, dataLength);
        // With twice the seats at this load factor the map never grows, so joining never allocates for it.
        indexByPlayerMap = new Long2LongHashMap(Math.max(8, limit * 2), 0.6f, NONE);
    }

    private static UnsafeBuffer[] dataOf(final int count, final int length)
    {
        final UnsafeBuffer[] buffers = new UnsafeBuffer[count];
        final byte[] bytes = new byte[count * length];
        for (int i = 0; i < count; i++)
        {
            buffers[i] = new UnsafeBuffer(bytes, i * length, length);
        }
        return buffers;
    }

    /** Seats of players and spectators. */
    int limit()
    {
        return seats.length;
    }

    /** The data of a seat, or null if seats of the room have none. */
    UnsafeBuffer data(final int index)
    {
        return 0 == dataLength ? null : data[index];
    }

    /** A copy of the data of all seats; null if they have none. */
    UnsafeBuffer copyData()
    {
        if (0 == dataLength)
        {
            return null;
        }
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[data.length * dataLength]);
        for (int i = 0; i < data.length; i++)
        {
            copy.putBytes(i * dataLength, data[i], 0, dataLength);
        }
        return copy;
    }

    /** Put a copy back. */
    void restoreData(final UnsafeBuffer copy)
    {
        for (int i = 0; i < data.length; i++)
        {
            data[i].putBytes(0, copy, i * dataLength, dataLength);
        }
    }

    /** Whether no seat has a player, or is kept for one. Spectators do not count. */
    boolean isEmpty()
    {
        return indexByPlayerMap.size() == spectatorsInMap;
    }

    /** A seat of this room with a player, who may be leaving. */
    SeatState own(final SeatState seat)
    {
        if (room != seat.room())
        {
            throw new IllegalArgumentException(seat + " belongs to another room");
        }
        if (seat.isFree())
        {
            throw new IllegalArgumentException("the player has left: " + seat);
        }
        if (seat.isKept())
        {
            throw new IllegalArgumentException("the player has not joined yet: " + seat);
        }
        return seat;
    }

    int freeCount()
    {
        return free.count();
    }

    int freeToWatch()
    {
        return freeToWatch.count();
    }

    /** Spectators, present or away. */
    int watching()
    {
        return watching;
    }

    /** Seats with a player, present or away. */
    int taken()
    {
        return taken;
    }

    /** Seats that nobody can take: taken, reserved, about to be freed, or used up. */
    int occupied()
    {
        return free.taken();
    }

    /** Seats that joins hold which wait for the decision of the logic. */
    int joining()
    {
        int count = 0;
        for (final SeatState seat : seats)
        {
            count += seat.isJoining() ? 1 : 0;
        }
        return count;
    }

    /** Seats that are kept for players who have not joined yet. */
    int reserved()
    {
        return marks.count(SeatMarks.RESERVED);
    }

    SeatState at(final int index)
    {
        return index >= 0 && index < seats.length ? seats[index] : null;
    }

    SeatState ofPlayer(final long playerId)
    {
        final long index = indexByPlayerMap.get(playerId);
        return NONE == index ? null : seats[(int)index];
    }

    SeatState take(final long playerId, final int state)
    {
        return take(free.take(), playerId, state);
    }

    SeatState takeToWatch(final long playerId)
    {
        return take(freeToWatch.take(), playerId, SeatState.PRESENT);
    }

    private SeatState take(final int index, final long playerId, final int state)
    {
        final SeatState seat = seats[index];
        seat.reserveFor(playerId, state);
        indexByPlayerMap.put(playerId, index);
        spectatorsInMap += seat.isSpectator() ? 1 : 0;
        return seat;
    }

    void seated(final SeatState seat)
    {
        count(seat, 1);
    }

    /** A player or a spectator began to leave. */
    void left(final SeatState seat)
    {
        count(seat, -1);
    }

    private void count(final SeatState seat, final int delta)
    {
        if (seat.isSpectator())
        {
            watching += delta;
        }
        else
        {
            taken += delta;
        }
    }

    void free(final SeatState seat)
    {
        indexByPlayerMap.remove(seat.playerId());
        spectatorsInMap -= seat.isSpectator() ? 1 : 0;
        seat.free();
        if (0 != dataLength)
        {
            data[seat.index()].setMemory(0, dataLength, (byte)0);
        }
        final SeatState next = seat.successor();
        seats[seat.index()] = next;
        if (!next.isUsedUp())
        {
            (seat.isSpectator() ? freeToWatch : free).add(seat.index());
        }
    }

    int linkCount()
    {
        return linkCount;
    }

    int linkAt(final int position)
    {
        return links[position];
    }

    /** The same for the same links. */
    long linkHash()
    {
        return linkHash;
    }

    /** Whether a message to several seats is for one that is present through a link. Spectators get no events. */
    boolean isReceiving(final int position, final int outputClass, final int audience, final long selector)
    {
        return Outputs.MASK == audience ? isAnyOnLink(selector, links[position]) :
            Outputs.EVENT != outputClass || 0 != playingByLink[position];
    }

    private boolean isAnyOnLink(final long mask, final int link)
    {
        for (long rest = mask; 0 != rest; rest &= rest - 1)
        {
            final SeatState seat = at(Long.numberOfTrailingZeros(rest));
            if (seat.isPresent() && seat.link() == link)
            {
                return true;
            }
        }
        return false;
    }

    void addPresent(final SeatState seat, final int link)
    {
        final int playing = seat.isSpectator() ? 0 : 1;
        int i = 0;
        while (i < linkCount && links[i] < link)
        {
            i++;
        }
        if (i < linkCount && links[i] == link)
        {
            presentByLink[i]++;
            playingByLink[i] += playing;
            return;
        }

        if (linkCount == links.length)
        {
            links = Arrays.copyOf(links, linkCount * 2);
            presentByLink = Arrays.copyOf(presentByLink, linkCount * 2);
            playingByLink = Arrays.copyOf(playingByLink, linkCount * 2);
        }
        System.arraycopy(links, i, links, i + 1, linkCount - i);
        System.arraycopy(presentByLink, i, presentByLink, i + 1, linkCount - i);
        System.arraycopy(playingByLink, i, playingByLink, i + 1, linkCount - i);
        links[i] = link;
        presentByLink[i] = 1;
        playingByLink[i] = playing;
        linkCount++;
        hashLinks();
    }

    /** A seat that was present through its link is not any more. */
    void removePresent(final SeatState seat)
    {
        int i = 0;
        while (links[i] != seat.link())
        {
            i++;
        }
        playingByLink[i] -= seat.isSpectator() ? 0 : 1;
        if (--presentByLink[i] == 0)
        {
            linkCount--;
            System.arraycopy(links, i + 1, links, i, linkCount - i);
            System.arraycopy(presentByLink, i + 1, presentByLink, i, linkCount - i);
            System.arraycopy(playingByLink, i + 1, playingByLink, i, linkCount - i);
            hashLinks();
        }
    }

    private void hashLinks()
    {
        linkHash = linkCount;
        for (int i = 0; i < linkCount; i++)
        {
            linkHash = LINK_FACTOR * linkHash + links[i];
        }
    }

    void write(final StateWriter writer, final TimerWheel wheel, final boolean isSnapshot)
    {
        for (final SeatState seat : seats)
        {
            seat.write(writer, wheel, isSnapshot);
        }
        if (isSnapshot)
        {
            writer.putInt(dataLength);
        }
        for (int i = 0; i < data.length; i++)
        {
            if (!seats[i].isFree())
            {
                writer.putBytes(data[i], 0, dataLength);
            }
        }
        free.write(writer);
        // Otherwise it is no part of the hash, as in logs of rooms without spectators.
        if (0 != room.limits().spectators())
        {
            freeToWatch.write(writer);
        }
    }

    void read(final StateReader reader, final NodeState.Restorer nodes)
    {
        for (final SeatState seat : seats)
        {
            seat.read(reader, nodes);
            if (!seat.isFree())
            {
                Restored.check(
                    NONE == indexByPlayerMap.put(seat.playerId(), seat.index()), seat + " has another seat too");
                spectatorsInMap += seat.isSpectator() ? 1 : 0;
                Restored.check(!seat.isKept() || !seat.isSpectator(), seat + " is a spectator's, and reserved");
                if (seat.isTaken())
                {
                    seated(seat);
                }
                if (seat.isPresent())
                {
                    addPresent(seat, seat.link());
                }
            }
        }
        readData(reader);
        free.read(reader, seats);
        if (0 != room.limits().spectators())
        {
            freeToWatch.read(reader, seats);
        }
    }

    private void readData(final StateReader reader)
    {
        Restored.inRange(reader.getInt(), dataLength, dataLength, "bytes of data of a seat");
        for (int i = 0; i < data.length; i++)
        {
            if (!seats[i].isFree())
            {
                Restored.inRange(reader.getBytes(data[i], 0), dataLength, dataLength, "the data of a seat");
            }
        }
    }
}
