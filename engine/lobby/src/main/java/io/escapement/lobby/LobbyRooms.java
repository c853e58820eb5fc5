package io.escapement.lobby;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.sync.SyncedState;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/** The open rooms of the lobby's types, as the directory reports them: rows of the state that pages have, and more. */
final class LobbyRooms
{
    static final int LIMIT = 512;
    static final int NONE = SyncedState.NO_ROW;

    /** After a reset the directory reports all rooms again. A room that it has not reported by then has closed. */
    static final long RESET_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long NEVER = -1;
    private static final UnsafeBuffer NO_VALUE = new UnsafeBuffer(new byte[0]);

    private final SyncedState state;
    private final Lobby.Context context;
    /** The players who asked for the rooms, 0 for an application's. */
    private final long[] owners = new long[LIMIT];
    /** Seats that are being reserved. */
    private final int[] pending = new int[LIMIT];
    /** Whether the room has refused a seat since its last change: it is full, locked or closing. */
    private final boolean[] isRefusing = new boolean[LIMIT];
    /** Whether the room was not reported since the reset. */
    private final boolean[] isUnconfirmed = new boolean[LIMIT];
    private long resetNs = NEVER;
    private int count;

    LobbyRooms(final SyncedState state, final Lobby.Context context)
    {
        this.state = state;
        this.context = context;
    }

    boolean isFull(final int openings)
    {
        return count + openings >= LIMIT;
    }

    long roomId(final int row)
    {
        return state.longValue(Lobby.ROOM_ID, row);
    }

    /** Number of rooms of a type. */
    int ofType(final int typeId)
    {
        int rooms = 0;
        for (int row = state.next(Lobby.ROOMS, 0); NONE != row; row = state.next(Lobby.ROOMS, row + 1))
        {
            rooms += typeId == state.longValue(Lobby.TYPE, row) ? 1 : 0;
        }
        return rooms;
    }

    /** Number of rooms asked for by players. */
    int ofPlayer(final long playerId)
    {
        int rooms = 0;
        for (int row = state.next(Lobby.ROOMS, 0); NONE != row; row = state.next(Lobby.ROOMS, row + 1))
        {
            rooms += playerId == owners[row] ? 1 : 0;
        }
        return rooms;
    }

    /** The row of the room that has the labels, a free seat, and most of its seats taken. Or {@link #NONE}. */
    int find(final int typeId, final LobbyLabels wanted)
    {
        int best = NONE;
        long mostTaken = -1;
        for (int row = state.next(Lobby.ROOMS, 0); NONE != row; row = state.next(Lobby.ROOMS, row + 1))
        {
            final long taken = state.longValue(Lobby.SEATS_TAKEN, row) + pending[row];
            if (taken > mostTaken && taken < state.longValue(Lobby.SEATS, row) && !isRefusing[row] &&
                typeId == state.longValue(Lobby.TYPE, row) && wanted.areIn(state, row))
            {
                best = row;
                mostTaken = taken;
            }
        }
        return best;
    }

    /** A room asked for by a player is open. The directory may have reported it before. */
    void opened(final long roomId, final int typeId, final int seats, final LobbyLabels labels, final long playerId)
    {
        final int known = rowOf(roomId);
        final int row = NONE == known ? add(roomId, typeId, seats) : known;
        if (NONE != row)
        {
            owners[row] = playerId;
            if (NONE == known)
            {
                labels.copyTo(state, row);
            }
        }
    }

    /** Count seats that are being reserved, or no more if negative. The room may have closed. */
    void addPending(final long roomId, final int seats)
    {
        final int row = rowOf(roomId);
        if (NONE != row)
        {
            pending[row] += seats;
        }
    }

    /** The room has refused a seat: look elsewhere until the room changes. */
    void refused(final long roomId)
    {
        final int row = rowOf(roomId);
        if (NONE != row)
        {
            isRefusing[row] = true;
        }
    }

    void onDirectory(final DirectoryEntry entry, final long nowNs)
    {
        if (DirectoryChange.RESET == entry.change())
        {
            Arrays.fill(isUnconfirmed, true);
            resetNs = nowNs;
        }
        else if (DirectoryChange.CLOSED == entry.change())
        {
            remove(rowOf(entry.roomId()));
        }
        else if (context.isShown(entry.typeId()))
        {
            onChange(entry);
        }
    }

    private void onChange(final DirectoryEntry entry)
    {
        final int known = rowOf(entry.roomId());
        final int row = NONE == known ? add(entry.roomId(), entry.typeId(), entry.seatLimit()) : known;
        if (NONE == row)
        {
            return;
        }
        if (isUnconfirmed[row])
        {
            isUnconfirmed[row] = false;
            for (int key = 0; key < LobbyLabels.KEYS; key++)
            {
                state.setText(Lobby.LABEL + key, row, NO_VALUE, 0, 0);
            }
        }
        isRefusing[row] = false;
        state.set(Lobby.SEATS, row, entry.seatLimit());
        state.set(Lobby.SEATS_TAKEN, row, entry.seatsTaken());
        if (DirectoryChange.LABEL == entry.change() && entry.labelKey() < LobbyLabels.KEYS)
        {
            // A longer value is not shown.
            state.setText(Lobby.LABEL + entry.labelKey(), row, entry.valueBuffer(), entry.valueOffset(),
                entry.valueLength() > LobbyLabels.MAX_LENGTH ? 0 : entry.valueLength());
        }
    }

    /** Remove the rooms that the directory has not reported since a reset. */
    void removeUnconfirmed(final long nowNs)
    {
        if (NEVER != resetNs && nowNs - resetNs >= RESET_NS)
        {
            resetNs = NEVER;
            for (int row = state.next(Lobby.ROOMS, 0); NONE != row; row = state.next(Lobby.ROOMS, row + 1))
            {
                if (isUnconfirmed[row])
                {
                    remove(row);
                }
            }
        }
    }

    private int rowOf(final long roomId)
    {
        int row = state.next(Lobby.ROOMS, 0);
        while (NONE != row && roomId != state.longValue(Lobby.ROOM_ID, row))
        {
            row = state.next(Lobby.ROOMS, row + 1);
        }
        return row;
    }

    /** A room that finds no place is not shown until it changes and there is one. */
    private int add(final long roomId, final int typeId, final int seats)
    {
        final int row = state.add(Lobby.ROOMS);
        if (NONE != row)
        {
            state.set(Lobby.ROOM_ID, row, roomId);
            state.set(Lobby.TYPE, row, typeId);
            state.set(Lobby.SEATS, row, seats);
            owners[row] = 0;
            pending[row] = 0;
            isRefusing[row] = false;
            isUnconfirmed[row] = false;
            count++;
        }
        return row;
    }

    private void remove(final int row)
    {
        if (NONE != row)
        {
            state.remove(Lobby.ROOMS, row);
            owners[row] = 0;
            count--;
        }
    }

    void write(final StateWriter writer)
    {
        writer.putLong(resetNs);
        for (int row = state.next(Lobby.ROOMS, 0); NONE != row; row = state.next(Lobby.ROOMS, row + 1))
        {
            writer.putLong(owners[row]);
            writer.putInt(pending[row]);
            writer.putBoolean(isRefusing[row]);
            writer.putBoolean(isUnconfirmed[row]);
        }
    }

    void read(final StateReader reader)
    {
        resetNs = reader.getLong();
        for (int row = state.next(Lobby.ROOMS, 0); NONE != row; row = state.next(Lobby.ROOMS, row + 1))
        {
            owners[row] = reader.getLong();
            pending[row] = reader.getInt();
            isRefusing[row] = reader.getBoolean();
            isUnconfirmed[row] = reader.getBoolean();
            count++;
        }
    }
}
