package io.escapement.matchmaking;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.matchmaking.codecs.FindDecoder;
import io.escapement.matchmaking.codecs.FindEncoder;
import io.escapement.matchmaking.codecs.LabelEncoder;
import io.escapement.rooms.DirectoryEntry;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the open rooms with a map of them, through random changes of the directory and random searches. */
class OpenRoomsTest
{
    private static final int TYPE = 4;
    private static final int SEEDS = 200;
    private static final int STEPS = 200;
    private static final int ROOMS = 12;

    private int found;
    private int notFound;

    @Test
    void shouldFindTheFirstRoomThatFits()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            run(seed);
        }
        // Without these the test would compare nothing.
        assertTrue(found > 10 * SEEDS, found + " found");
        assertTrue(notFound > 10 * SEEDS, notFound + " not found");
    }

    @Test
    void shouldNotFindRoomsBeyondTheLimit()
    {
        final OpenRooms rooms = new OpenRooms();
        for (int i = 0; i <= OpenRooms.LIMIT; i++)
        {
            rooms.onDirectory(new Change(DirectoryChange.OPENED, 1 + i, OpenRooms.LIMIT == i ? 9 : 1), TYPE);
        }
        final UnsafeBuffer wanted = labels(new String[0]);
        assertEquals(OpenRooms.NONE, rooms.find(wanted, 0, 2, 0));
        assertEquals(OpenRooms.LIMIT, rooms.comparisons());
        rooms.onDirectory(new Change(DirectoryChange.CLOSED, 7, 0), TYPE);
        rooms.onDirectory(new Change(DirectoryChange.OCCUPANCY, 1 + OpenRooms.LIMIT, 9), TYPE);
        assertEquals(6, rooms.find(wanted, 0, 2, 0));
        assertEquals(1 + OpenRooms.LIMIT, rooms.roomId(6));
    }

    private void run(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final OpenRooms rooms = new OpenRooms();
        final TreeMap<Integer, Change> modelMap = new TreeMap<>();
        for (int step = 0; step < STEPS; step++)
        {
            final String when = "seed " + seed + ", step " + step;
            final long roomId = 1 + random.nextInt(ROOMS);
            final Integer number = modelMap.keySet().stream()
                .filter((known) -> modelMap.get(known).roomId == roomId).findFirst().orElse(null);
            final int dice = random.nextInt(20);
            if (0 == dice)
            {
                rooms.onDirectory(new Change(DirectoryChange.RESET, 0, 0), TYPE);
                modelMap.clear();
            }
            else if (dice < 4)
            {
                rooms.onDirectory(new Change(DirectoryChange.CLOSED, roomId, 0), TYPE);
                modelMap.remove(null == number ? -1 : number);
            }
            else if (dice < 12)
            {
                change(rooms, modelMap, number, roomId, random);
            }
            else
            {
                find(rooms, modelMap, random, when);
            }
        }
    }

    private static void change(
        final OpenRooms rooms,
        final TreeMap<Integer, Change> modelMap,
        final Integer known,
        final long roomId,
        final SplittableRandom random)
    {
        int number = 0;
        while (null == known && modelMap.containsKey(number))
        {
            number++;
        }
        number = null == known ? number : known;
        final DirectoryChange kind = null == known ? DirectoryChange.OPENED :
            random.nextBoolean() ? DirectoryChange.OCCUPANCY : DirectoryChange.LABEL;
        final Change change = new Change(kind, roomId, random.nextInt(4));
        change.labels = null == known ? new String[Labels.KEYS] : modelMap.get(known).labels;
        if (DirectoryChange.LABEL == kind)
        {
            change.key = random.nextInt(3);
            change.value = "x".repeat(random.nextInt(3));
            change.labels[change.key] = change.value;
        }
        modelMap.put(number, change);
        rooms.onDirectory(change, TYPE);
        final Change foreign = new Change(DirectoryChange.OPENED, ROOMS + roomId, 10);
        foreign.typeId = TYPE + 1;
        rooms.onDirectory(foreign, TYPE);
    }

    private void find(
        final OpenRooms rooms,
        final TreeMap<Integer, Change> modelMap,
        final SplittableRandom random,
        final String when)
    {
        final String[] wanted = new String[Labels.KEYS];
        for (int i = random.nextInt(3); i > 0; i--)
        {
            wanted[random.nextInt(3)] = "x".repeat(1 + random.nextInt(2));
        }
        final int seats = 1 + random.nextInt(3);
        final int from = random.nextInt(3);
        final int expected = modelMap.keySet().stream()
            .filter((number) -> number >= from && modelMap.get(number).isFit(seats, wanted))
            .findFirst().orElse(OpenRooms.NONE);
        assertEquals(expected, rooms.find(labels(wanted), 0, seats, from), when);
        if (OpenRooms.NONE == expected)
        {
            notFound++;
        }
        else
        {
            assertEquals(modelMap.get(expected).roomId, rooms.roomId(expected), when);
            found++;
        }
    }

    private static UnsafeBuffer labels(final String[] values)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[FindEncoder.BLOCK_LENGTH]);
        final FindEncoder find = new FindEncoder().wrap(message, 0);
        final LabelEncoder[] encoders = {find.label1(), find.label2(), find.label3(), find.label4()};
        for (int key = 0; key < encoders.length; key++)
        {
            final String value = key < values.length ? values[key] : null;
            encoders[key].key((short)(null == value ? LabelEncoder.keyNullValue() : key));
            for (int i = 0; null != value && i < value.length(); i++)
            {
                encoders[key].length((short)value.length()).value(i, (short)value.charAt(i));
            }
        }
        final Labels labels = new Labels();
        assertTrue(labels.set(
            new FindDecoder().wrap(message, 0, FindDecoder.BLOCK_LENGTH, FindDecoder.SCHEMA_VERSION)));
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Labels.LENGTH]);
        labels.copyTo(bytes, 0);
        return bytes;
    }

    /** A change of a room, and the room as it is then. */
    private static final class Change implements DirectoryEntry
    {
        private final DirectoryChange change;
        private final long roomId;
        private final int free;
        private int typeId = TYPE;
        private int key;
        private String value = "";
        private String[] labels = {};

        Change(final DirectoryChange change, final long roomId, final int free)
        {
            this.change = change;
            this.roomId = roomId;
            this.free = free;
        }

        boolean isFit(final int seats, final String[] wanted)
        {
            for (int i = 0; i < wanted.length; i++)
            {
                if (null != wanted[i] && !wanted[i].equals(labels[i]))
                {
                    return false;
                }
            }
            return free >= seats;
        }

        @Override
        public DirectoryChange change()
        {
            return change;
        }

        @Override
        public long roomId()
        {
            return roomId;
        }

        @Override
        public int typeId()
        {
            return typeId;
        }

        @Override
        public int seatsTaken()
        {
            return 10 - free;
        }

        @Override
        public int seatLimit()
        {
            return 10;
        }

        @Override
        public int labelKey()
        {
            return key;
        }

        @Override
        public DirectBuffer valueBuffer()
        {
            return new UnsafeBuffer(value.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public int valueOffset()
        {
            return 0;
        }

        @Override
        public int valueLength()
        {
            return value.length();
        }
    }
}
