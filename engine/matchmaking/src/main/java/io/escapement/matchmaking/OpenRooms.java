package io.escapement.matchmaking;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The open rooms of a type with their labels and free seats, as the directory reports them. A room has the lowest free
 * number. Therefore the first room that fits is mostly the oldest, which fills up before others.
 */
final class OpenRooms
{
    static final int NONE = -1;

    /** Most rooms. Further rooms cannot be found until others close. */
    static final int LIMIT = 4_096;

    private static final long NO_ROOM = 0;
    private static final int LABELS_LENGTH = Labels.KEYS * Labels.PLACE_LENGTH;

    private final long[] roomIds = new long[LIMIT];
    private final int[] seats = new int[LIMIT];
    private final int[] taken = new int[LIMIT];
    /** Seats that are being reserved. If a room closes, they count for the next with its number until their replies. */
    private final int[] pending = new int[LIMIT];
    private final UnsafeBuffer labels = new UnsafeBuffer(new byte[LIMIT * LABELS_LENGTH]);
    private final Long2LongHashMap numberByIdMap = new Long2LongHashMap(2 * LIMIT, 0.65f, NONE);
    /** Numbers from here on have no room. */
    private int end;
    private long comparisons;

    /** Rooms that all searches so far have looked at. */
    long comparisons()
    {
        return comparisons;
    }

    long roomId(final int number)
    {
        return roomIds[number];
    }

    /**
     * The first room from a number on that has all labels and as many free seats. {@link #NONE} without such a room.
     */
    int find(final DirectBuffer wanted, final int offset, final int freeSeats, final int from)
    {
        for (int number = from; number < end; number++)
        {
            comparisons++;
            if (NO_ROOM != roomIds[number] && seats[number] - taken[number] - pending[number] >= freeSeats &&
                Labels.match(wanted, offset, labels, number * LABELS_LENGTH))
            {
                return number;
            }
        }
        return NONE;
    }

    /**
     * Count seats that are being reserved. Other tickets then do not try the same seats. Negative to count them no
     * more.
     */
    void addPending(final int number, final int count)
    {
        pending[number] += count;
    }

    void onDirectory(final DirectoryEntry entry, final int typeId)
    {
        if (DirectoryChange.RESET == entry.change())
        {
            Arrays.fill(roomIds, NO_ROOM);
            numberByIdMap.clear();
            end = 0;
        }
        else if (DirectoryChange.CLOSED == entry.change())
        {
            remove((int)numberByIdMap.remove(entry.roomId()));
        }
        else if (entry.typeId() == typeId)
        {
            onChange(entry);
        }
    }

    private void onChange(final DirectoryEntry entry)
    {
        final long roomId = entry.roomId();
        int number = (int)numberByIdMap.get(roomId);
        if (NONE == number)
        {
            number = add(roomId);
        }
        if (NONE != number)
        {
            seats[number] = entry.seatLimit();
            taken[number] = entry.seatsTaken();
            if (DirectoryChange.LABEL == entry.change() && entry.labelKey() < Labels.KEYS)
            {
                label(number * LABELS_LENGTH + entry.labelKey() * Labels.PLACE_LENGTH, entry);
            }
        }
    }

    private int add(final long roomId)
    {
        int number = 0;
        while (number < LIMIT && NO_ROOM != roomIds[number])
        {
            number++;
        }
        if (LIMIT == number)
        {
            return NONE;
        }
        roomIds[number] = roomId;
        labels.setMemory(number * LABELS_LENGTH, LABELS_LENGTH, (byte)0);
        numberByIdMap.put(roomId, number);
        end = Math.max(end, number + 1);
        return number;
    }

    private void remove(final int number)
    {
        if (NONE != number)
        {
            roomIds[number] = NO_ROOM;
            while (end > 0 && NO_ROOM == roomIds[end - 1])
            {
                end--;
            }
        }
    }

    /** A value that is too long to be searched is no label. */
    private void label(final int place, final DirectoryEntry entry)
    {
        final int length = entry.valueLength() > Labels.MAX_VALUE_LENGTH ? 0 : entry.valueLength();
        labels.setMemory(place, Labels.PLACE_LENGTH, (byte)0);
        labels.putByte(place, (byte)length);
        labels.putBytes(place + 1, entry.valueBuffer(), entry.valueOffset(), length);
    }

    void write(final StateWriter writer)
    {
        for (int number = 0; number < end; number++)
        {
            if (NO_ROOM != roomIds[number])
            {
                writer.putInt(number);
                writer.putLong(roomIds[number]);
                writer.putInt(seats[number]);
                writer.putInt(taken[number]);
                writer.putBytes(labels, number * LABELS_LENGTH, LABELS_LENGTH);
            }
        }
        writer.putInt(NONE);
    }

    void read(final StateReader reader)
    {
        for (int number = reader.getInt(); NONE != number; number = reader.getInt())
        {
            roomIds[number] = reader.getLong();
            seats[number] = reader.getInt();
            taken[number] = reader.getInt();
            reader.getBytes(labels, number * LABELS_LENGTH);
            numberByIdMap.put(roomIds[number], number);
            end = number + 1;
        }
    }
}
