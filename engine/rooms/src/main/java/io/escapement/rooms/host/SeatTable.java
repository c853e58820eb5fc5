package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.output.RoomLinks;
import java.util.Arrays;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The seats of a room: the seat of each player, the free seats, and the links that the room sends to. A link is in the
 * list while at least one present seat uses it. The seats of spectators follow the seats of players.
 */
final class SeatTable extends SeatMarks implements RoomLinks
{
    private static final int NONE = -1;
    private static final FreeSeats NO_SEATS = new FreeSeats(0, 0);
    private static final UnsafeBuffer[] NO_DATA = {};
    private static final EveryoneBut[] NO_AUDIENCES = {};
    private static final long LINK_FACTOR = 31;
    private static final int LINK = 0;
    private static final int PRESENT = 1;
    /** The players' seats among the present seats of a link. */
    private static final int PLAYING = 2;
    private static final int STRIDE = 3;

    final RoomIdentity room;
    final LinkTable linkTable;
    private final SeatState[] seats;
    /** Null in a room of few seats. */
    private final Long2LongHashMap indexByPlayerMap;
    private final FreeSeats free;
    private final FreeSeats freeToWatch;
    /** The data of each seat, in one array. Empty without any. */
    private final UnsafeBuffer[] data;
    private final int dataLength;
    private EveryoneBut[] everyoneBut = NO_AUDIENCES;
    private int taken;
    private int watching;
    /** Seats that are not free. */
    private int held;
    /** The spectators among these, including leaving spectators. */
    private int heldByWatchers;
    /** A link, its present seats, and its players' seats, {@link #STRIDE} numbers for each. */
    private int[] links = new int[STRIDE];
    private int linkCount;
    private long linkHash;
    /** Of the last state that left through a feed. It is no state of the room, as no log or replay has it. */
    private int feedNumber;

    SeatTable(final RoomIdentity room, final LinkTable linkTable)
    {
        super(room.limits().allSeats());
        this.room = room;
        this.linkTable = linkTable;
        final int limit = room.limits().allSeats();
        seats = new SeatState[limit];
        for (int i = 0; i < limit; i++)
        {
            seats[i] = new SeatState(this, i, 1);
        }
        free = new FreeSeats(0, room.limits().seats());
        freeToWatch = 0 == room.limits().spectators() ? NO_SEATS :
            new FreeSeats(room.limits().seats(), room.limits().spectators());
        dataLength = room.type().seatData();
        data = 0 == dataLength ? NO_DATA : dataOf(limit, dataLength);
        // With twice the seats at this load factor the map never grows, and joining never allocates for it.
        indexByPlayerMap = limit <= WALKED ? null : new Long2LongHashMap(limit * 2, 0.6f, NONE);
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

    /** The data of a seat, or null if seats of the room have no data. */
    UnsafeBuffer data(final int index)
    {
        return 0 == dataLength ? null : data[index];
    }

    /** A copy of the data of all seats. Null if they have no data. */
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
        return held == heldByWatchers;
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

    /** The audience of all seats but one, the same for each call. */
    EveryoneBut everyoneBut(final SeatState seat)
    {
        if (0 == everyoneBut.length)
        {
            everyoneBut = new EveryoneBut[seats.length];
        }
        final EveryoneBut known = everyoneBut[seat.index()];
        if (null != known && seat == known.except())
        {
            return known;
        }
        final EveryoneBut made = new EveryoneBut(seat);
        everyoneBut[seat.index()] = made;
        return made;
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

    /** Seats that are not free: taken, reserved, about to be freed, or used up. */
    int occupied()
    {
        return free.taken();
    }

    /** Seats held by joins that wait for the decision of the logic. */
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
        return countMarked(RESERVED);
    }

    /** The seats themselves. */
    SeatState[] byIndex()
    {
        return seats;
    }

    SeatState at(final int index)
    {
        return at(seats, index);
    }

    static SeatState at(final SeatState[] seats, final int index)
    {
        return index >= 0 && index < seats.length ? seats[index] : null;
    }

    SeatState ofPlayer(final long playerId)
    {
        final int index = null == indexByPlayerMap ? indexOf(playerId) : (int)indexByPlayerMap.get(playerId);
        return NONE == index ? null : seats[index];
    }

    private int indexOf(final long playerId)
    {
        for (int i = 0; i < seats.length; i++)
        {
            if (playerId(i) == playerId && !seats[i].isFree())
            {
                return i;
            }
        }
        return NONE;
    }

    private void hold(final SeatState seat)
    {
        if (null == indexByPlayerMap)
        {
            playerId(seat.index(), seat.playerId());
        }
        else
        {
            indexByPlayerMap.put(seat.playerId(), seat.index());
        }
        held++;
        heldByWatchers += seat.isSpectator() ? 1 : 0;
    }

    SeatState take(final long playerId, final byte state)
    {
        return take(free.take(), playerId, state);
    }

    SeatState takeToWatch(final long playerId)
    {
        return take(freeToWatch.take(), playerId, SeatState.PRESENT);
    }

    private SeatState take(final int index, final long playerId, final byte state)
    {
        final SeatState seat = seats[index];
        seat.reserveFor(playerId, state);
        hold(seat);
        return seat;
    }

    void seated(final SeatState seat)
    {
        count(seat, 1);
    }

    /** A player or a spectator started to leave. */
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
        if (null != indexByPlayerMap)
        {
            indexByPlayerMap.remove(seat.playerId());
        }
        held--;
        heldByWatchers -= seat.isSpectator() ? 1 : 0;
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

    @Override
    public int linkCount()
    {
        return linkCount;
    }

    @Override
    public int linkAt(final int position)
    {
        return links[position * STRIDE + LINK];
    }

    /** The same for the same links. */
    long linkHash()
    {
        return linkHash;
    }

    /** Whether a message to several seats is for a seat that is present through a link. Spectators get no events. */
    @Override
    public boolean isReceiving(final int position, final int outputClass, final int audience, final long selector)
    {
        return Outputs.MASK == audience ? isAnyOnLink(selector, linkAt(position)) :
            Outputs.EVENT != outputClass || 0 != links[position * STRIDE + PLAYING];
    }

    /** Number of the links that a message to several seats is for. */
    int receivingLinks(final int outputClass, final int audience, final long selector)
    {
        if (Outputs.EVENT != outputClass && Outputs.MASK != audience)
        {
            return linkCount;
        }
        int count = 0;
        for (int i = 0; i < linkCount; i++)
        {
            count += isReceiving(i, outputClass, audience, selector) ? 1 : 0;
        }
        return count;
    }

    @Override
    public boolean isFeedAllowed()
    {
        return room.type().isFed();
    }

    @Override
    public int nextFeedNumber()
    {
        return ++feedNumber;
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
        int at = 0;
        final int end = linkCount * STRIDE;
        while (at < end && links[at + LINK] < link)
        {
            at += STRIDE;
        }
        if (at == end || links[at + LINK] != link)
        {
            if (end == links.length)
            {
                links = Arrays.copyOf(links, end * 2);
            }
            System.arraycopy(links, at, links, at + STRIDE, end - at);
            links[at + LINK] = link;
            links[at + PRESENT] = 0;
            links[at + PLAYING] = 0;
            linkCount++;
            hashLinks();
        }
        links[at + PRESENT]++;
        links[at + PLAYING] += seat.isSpectator() ? 0 : 1;
    }

    /** A seat that was present through its link is not any more. */
    void removePresent(final SeatState seat)
    {
        int at = 0;
        while (links[at + LINK] != seat.link())
        {
            at += STRIDE;
        }
        links[at + PLAYING] -= seat.isSpectator() ? 0 : 1;
        if (--links[at + PRESENT] == 0)
        {
            linkCount--;
            System.arraycopy(links, at + STRIDE, links, at, linkCount * STRIDE - at);
            hashLinks();
        }
    }

    private void hashLinks()
    {
        linkHash = linkCount;
        for (int i = 0; i < linkCount; i++)
        {
            linkHash = LINK_FACTOR * linkHash + linkAt(i);
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
                final SeatState other = ofPlayer(seat.playerId());
                Restored.check(null == other || other == seat, seat + " has another seat too");
                hold(seat);
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
                reader.getBytes(data[i], 0, dataLength);
            }
        }
    }
}
