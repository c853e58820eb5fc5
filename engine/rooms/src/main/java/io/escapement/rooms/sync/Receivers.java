package io.escapement.rooms.sync;

import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/** Which seats have the state of their view, and which wait for a full state of it. */
final class Receivers
{
    /** The view of a seat that has not joined. */
    static final int NO_VIEW = -1;

    private static final long NS_PER_MS = 1_000_000;

    private final Room room;
    private final SeatGroup group;
    private final int groupIndex;
    private final int[] viewOfSeat;
    /** Seats of a view that have its state, and seats that wait for a full state. */
    private final long[][] current;
    private final long[][] waiting;
    private final long[] dueNs;
    private final int[] waitingCount;
    private int waitingInAll;

    Receivers(final Room room, final int views, final SeatGroup group, final int groupIndex)
    {
        this.room = room;
        this.group = group;
        this.groupIndex = groupIndex;
        final int seats = room.seatLimit() + room.spectatorLimit();
        final int words = (seats + Long.SIZE - 1) / Long.SIZE;
        viewOfSeat = new int[seats];
        current = new long[views][words];
        waiting = new long[views][words];
        dueNs = new long[seats];
        waitingCount = new int[views];
        Arrays.fill(viewOfSeat, NO_VIEW);
    }

    static Receivers open(final Room room, final int views)
    {
        final SeatGroup group = room.newGroup();
        int index = 0;
        while (room.group(index) != group)
        {
            index++;
        }
        return new Receivers(room, views, group, index);
    }

    static Receivers restore(final Room room, final int views, final StateReader reader)
    {
        final int index = reader.getInt();
        final Receivers receivers = new Receivers(room, views, room.group(index), index);
        receivers.read(reader);
        return receivers;
    }

    boolean isWaiting()
    {
        return 0 != waitingInAll;
    }

    boolean isWaiting(final int view)
    {
        return 0 != waitingCount[view];
    }

    int viewOf(final Seat seat)
    {
        return viewOfSeat[seat.index()];
    }

    void leave(final Seat seat)
    {
        final int index = seat.index();
        final int view = viewOfSeat[index];
        if (NO_VIEW != view)
        {
            stopWaiting(view, index);
            StateRows.exclude(current[view], index);
            viewOfSeat[index] = NO_VIEW;
        }
    }

    /** The seat waits for a full state of a view, which is due now. */
    void await(final Seat seat, final int view)
    {
        leave(seat);
        viewOfSeat[seat.index()] = view;
        startWaiting(view, seat.index(), room.nowNs());
    }

    /** The seat lost a state of its view. */
    void onLost(final Seat seat)
    {
        final int index = seat.index();
        final int view = viewOfSeat[index];
        if (NO_VIEW != view && StateRows.contains(current[view], index))
        {
            StateRows.exclude(current[view], index);
            // Seats of a view that lost its states share a full state.
            long due = room.nowNs() + room.random().nextInt(SyncedState.FULL_STATE_SPREAD_MS) * NS_PER_MS;
            for (int i = 0; i < dueNs.length && 0 != waitingCount[view]; i++)
            {
                due = StateRows.contains(waiting[view], i) ? Math.min(due, dueNs[i]) : due;
            }
            startWaiting(view, index, due);
        }
    }

    /**
     * The present seats that have the state of a view, or null without any. Of a single view these are all seats: the
     * copy of a seat that waits for a full state applies no differences before the full state.
     */
    Audience current(final int view)
    {
        if (1 == current.length)
        {
            return hasPresent(current[view]) ? room.everyone() : null;
        }
        return audience(current[view], Long.MAX_VALUE);
    }

    /** The present seats of a view with a due full state. Null without any. */
    Audience due(final int view)
    {
        return audience(waiting[view], room.nowNs());
    }

    /** A full state of a view was sent to the seats that {@link #due} returned. */
    void sent(final int view)
    {
        for (int index = 0; index < dueNs.length && 0 != waitingCount[view]; index++)
        {
            if (StateRows.contains(waiting[view], index) && dueNs[index] <= room.nowNs() && isPresent(index))
            {
                stopWaiting(view, index);
                StateRows.include(current[view], index);
            }
        }
    }

    private boolean hasPresent(final long[] seats)
    {
        for (int word = 0; word < seats.length; word++)
        {
            long rest = seats[word];
            while (0 != rest)
            {
                if (isPresent(word * Long.SIZE + Long.numberOfTrailingZeros(rest)))
                {
                    return true;
                }
                rest &= rest - 1;
            }
        }
        return false;
    }

    private Audience audience(final long[] seats, final long latestNs)
    {
        Seat only = null;
        int count = 0;
        for (int word = 0; word < seats.length; word++)
        {
            long rest = seats[word];
            while (0 != rest)
            {
                final int index = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                final Seat seat = room.seat(index);
                if ((Long.MAX_VALUE == latestNs || dueNs[index] <= latestNs) && null != seat && seat.isPresent())
                {
                    if (1 == count)
                    {
                        group.clear();
                        group.add(only);
                    }
                    if (0 != count)
                    {
                        group.add(seat);
                    }
                    only = seat;
                    count++;
                }
                rest &= rest - 1;
            }
        }
        return count > 1 ? group : only;
    }

    private boolean isPresent(final int index)
    {
        final Seat seat = room.seat(index);
        return null != seat && seat.isPresent();
    }

    private void startWaiting(final int view, final int index, final long due)
    {
        StateRows.include(waiting[view], index);
        dueNs[index] = due;
        waitingCount[view]++;
        waitingInAll++;
    }

    private void stopWaiting(final int view, final int index)
    {
        if (StateRows.contains(waiting[view], index))
        {
            StateRows.exclude(waiting[view], index);
            waitingCount[view]--;
            waitingInAll--;
        }
    }

    void write(final StateWriter writer)
    {
        writer.putInt(groupIndex);
        for (int index = 0; index < viewOfSeat.length; index++)
        {
            final int view = viewOfSeat[index];
            writer.putInt(view);
            if (NO_VIEW != view)
            {
                final boolean isWaiting = StateRows.contains(waiting[view], index);
                writer.putBoolean(isWaiting);
                writer.putLong(isWaiting ? dueNs[index] : 0);
            }
        }
    }

    private void read(final StateReader reader)
    {
        for (int index = 0; index < viewOfSeat.length; index++)
        {
            final int view = reader.getInt();
            viewOfSeat[index] = view;
            if (NO_VIEW != view)
            {
                final boolean isWaiting = reader.getBoolean();
                final long due = reader.getLong();
                if (isWaiting)
                {
                    startWaiting(view, index, due);
                }
                else
                {
                    StateRows.include(current[view], index);
                }
            }
        }
    }
}
