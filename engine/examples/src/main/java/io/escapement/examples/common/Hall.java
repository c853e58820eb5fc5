package io.escapement.examples.common;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.engine.Engine;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;

/**
 * The room that players enter first: it shows the rooms of one type, and opens another for whoever sends a name.
 *
 * <pre>
 *   to the page   room  {id} {seats taken} {seats} {name}     a room is open, or has changed
 *                 closed {id}
 *                 reset                                       forget all rooms
 *                 complete                                    all rooms were shown
 *   from it       {name}                                      open a room
 * </pre>
 */
public final class Hall implements RoomLogic
{
    /** Id of the type. */
    public static final int TYPE_ID = 1;
    /** The hall is the first room of the first loop, so pages know its id. */
    public static final long ROOM_ID = 1;
    /** The directory's label with the name of a room, which the room publishes. */
    public static final int NAME_LABEL = 0;
    /** Longest name of a room, in bytes. */
    public static final int MAX_NAME_LENGTH = 32;
    /** Most rooms that the hall shows, and opens. */
    public static final int MAX_ROOMS = 64;
    /** Refusal of a name that is empty, too long or does not show. */
    public static final int BAD_NAME = FIRST_APPLICATION_CODE;
    /** Refusal of a name that an open room has. */
    public static final int NAME_TAKEN = FIRST_APPLICATION_CODE + 1;
    /** Refusal while another room opens, or when enough are open. */
    public static final int NO_MORE_ROOMS = FIRST_APPLICATION_CODE + 2;

    private static final int SEATS = 1_024;
    private static final int OUTPUT_LIMIT = 1_024 * 1_024;

    private final int shownTypeId;
    private final boolean isOpening;
    private final long[] roomIds = new long[MAX_ROOMS];
    private final int[] seatsTaken = new int[MAX_ROOMS];
    private final int[] seatLimits = new int[MAX_ROOMS];
    private final TextTable names = new TextTable(MAX_ROOMS, Room.MAX_LABEL_LENGTH);
    private final Line line = new Line();
    private Room room;
    private long requestId = Room.NO_REQUEST;

    private Hall(final int shownTypeId, final boolean isOpening)
    {
        this.shownTypeId = shownTypeId;
        this.isOpening = isOpening;
    }

    /**
     * The type of the hall.
     *
     * @param shownTypeId the rooms that it shows.
     * @param isOpening   whether players may open others.
     */
    public static RoomType type(final int shownTypeId, final boolean isOpening)
    {
        return RoomType.of(TYPE_ID, "hall", 1, () -> new Hall(shownTypeId, isOpening)).seats(SEATS)
            .outputLimit(OUTPUT_LIMIT);
    }

    /** Open the hall, which has to be the first room. */
    static void open(final Engine engine)
    {
        final long roomId = engine.openRoomOnce(TYPE_ID).roomId();
        if (ROOM_ID != roomId)
        {
            throw new IllegalStateException("the hall is room " + roomId + ", but has to be the first");
        }
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        room.subscribeToDirectory();
    }

    @Override
    public void onJoin(final Seat seat)
    {
        showAll(seat);
    }

    @Override
    public void onBack(final Seat seat)
    {
        showAll(seat);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer name, final int offset, final int length)
    {
        if (!Line.isName(name, offset, length, MAX_NAME_LENGTH))
        {
            room.refuse(from, BAD_NAME);
        }
        else if (names.rowOf(name, offset, length) >= 0)
        {
            room.refuse(from, NAME_TAKEN);
        }
        else if (!isOpening || Room.NO_REQUEST != requestId || rowOf(0) < 0)
        {
            room.refuse(from, NO_MORE_ROOMS);
        }
        else
        {
            requestId = room.openRoom(shownTypeId, name, offset, length);
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        // The directory shows the room.
        requestId = Room.NO_REQUEST;
    }

    @Override
    public void onDirectory(final DirectoryEntry entry)
    {
        if (DirectoryChange.RESET == entry.change())
        {
            for (int row = 0; row < MAX_ROOMS; row++)
            {
                free(row);
            }
            line.start("reset").send(room, room.everyone());
            return;
        }
        final boolean isNew = DirectoryChange.OPENED == entry.change();
        final int row = shownTypeId == entry.typeId() ? rowOf(isNew ? 0 : entry.roomId()) : -1;
        if (row < 0)
        {
            return;
        }
        if (DirectoryChange.CLOSED == entry.change())
        {
            free(row);
            line.start("closed").add(entry.roomId()).send(room, room.everyone());
            return;
        }
        roomIds[row] = entry.roomId();
        seatsTaken[row] = entry.seatsTaken();
        seatLimits[row] = entry.seatLimit();
        if (DirectoryChange.LABEL == entry.change() && NAME_LABEL == entry.labelKey())
        {
            names.put(row, entry.valueBuffer(), entry.valueOffset(), entry.valueLength());
        }
        if (names.length(row) > 0)
        {
            describe(row).send(room, room.everyone());
        }
    }

    private void showAll(final Seat seat)
    {
        line.start("reset").send(room, seat);
        for (int row = 0; row < MAX_ROOMS; row++)
        {
            if (names.length(row) > 0)
            {
                describe(row).send(room, seat);
            }
        }
        line.start("complete").send(room, seat);
    }

    private Line describe(final int row)
    {
        return line.start("room").add(roomIds[row]).add(seatsTaken[row]).add(seatLimits[row]).add(names, row);
    }

    /** The row of a room; of 0, the first that is free; or -1. */
    private int rowOf(final long roomId)
    {
        for (int row = 0; row < MAX_ROOMS; row++)
        {
            if (roomId == roomIds[row])
            {
                return row;
            }
        }
        return -1;
    }

    private void free(final int row)
    {
        roomIds[row] = 0;
        names.clear(row);
    }

    @Override
    public void onSnapshot(final StateWriter state)
    {
        state.putLong(requestId);
        for (int row = 0; row < MAX_ROOMS; row++)
        {
            state.putLong(roomIds[row]);
            state.putInt(seatsTaken[row]);
            state.putInt(seatLimits[row]);
        }
        names.write(state);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader state)
    {
        room = restored;
        requestId = state.getLong();
        for (int row = 0; row < MAX_ROOMS; row++)
        {
            roomIds[row] = state.getLong();
            seatsTaken[row] = state.getInt();
            seatLimits[row] = state.getInt();
        }
        names.read(state);
    }
}
