package io.escapement.rooms.host;

import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/** A group as a bit set over seat indexes. */
final class GroupState implements SeatGroup
{
    private final RoomIdentity room;
    private final ThreadGuard guard;
    private final long[] bits;

    GroupState(final RoomIdentity room, final ThreadGuard guard, final int seatLimit)
    {
        this.room = room;
        this.guard = guard;
        bits = new long[(seatLimit + Long.SIZE - 1) / Long.SIZE];
    }

    @Override
    public void add(final Seat seat)
    {
        guard.checkActing(room);
        final SeatState state = own(seat);
        if (state.isTaken())
        {
            bits[state.index() >>> 6] |= 1L << state.index();
        }
    }

    @Override
    public void remove(final Seat seat)
    {
        guard.checkActing(room);
        final SeatState state = own(seat);
        if (!state.isFree())
        {
            drop(state.index());
        }
    }

    @Override
    public boolean contains(final Seat seat)
    {
        final SeatState state = own(seat);
        return !state.isFree() && has(state.index());
    }

    @Override
    public boolean isEmpty()
    {
        guard.check(room);
        for (final long word : bits)
        {
            if (0 != word)
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public void clear()
    {
        guard.checkActing(room);
        Arrays.fill(bits, 0);
    }

    boolean belongsTo(final RoomIdentity owner)
    {
        return room == owner;
    }

    boolean has(final int index)
    {
        return 0 != (bits[index >>> 6] & (1L << index));
    }

    void drop(final int index)
    {
        bits[index >>> 6] &= ~(1L << index);
    }

    /** The whole group, in a room of up to 64 seats. */
    long mask()
    {
        return bits[0];
    }

    void write(final StateWriter writer)
    {
        for (final long word : bits)
        {
            writer.putLong(word);
        }
    }

    void read(final StateReader reader, final SeatTable seats)
    {
        for (int i = 0; i < bits.length; i++)
        {
            bits[i] = reader.getLong();
            for (long rest = bits[i]; 0 != rest; rest &= rest - 1)
            {
                final SeatState seat = seats.at(i * Long.SIZE + Long.numberOfTrailingZeros(rest));
                Restored.check(null != seat && seat.isTaken(), "a group has a seat that is not taken");
            }
        }
    }

    private SeatState own(final Seat seat)
    {
        guard.check(room);
        final SeatState state = (SeatState)seat;
        if (room != state.room())
        {
            throw new IllegalArgumentException(seat + " belongs to another room");
        }
        return state;
    }
}
