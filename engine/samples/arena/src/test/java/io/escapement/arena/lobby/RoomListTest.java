package io.escapement.arena.lobby;

import io.escapement.arena.room.ArenaRoom;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

class RoomListTest
{
    private static final int ARENA = arena();

    private final RoomList rooms = new RoomList();

    @Test
    void shouldForgetAllEntriesWhenTheDirectoryStartsOver()
    {
        rooms.onDirectory(new Entry(DirectoryChange.OPENED, 5, ARENA));
        rooms.onDirectory(new Entry(DirectoryChange.OPENED, 6, ARENA));
        rooms.onDirectory(new Entry(DirectoryChange.RESET, 0, 0));
        assertEquals(0, rooms.size());
        rooms.onDirectory(new Entry(DirectoryChange.OPENED, 6, ARENA));
        assertEquals(1, rooms.size());
        assertNull(rooms.byId(5));
        assertNotNull(rooms.byId(6));
    }

    private static int arena()
    {
        int typeId = 0;
        while (!ArenaRoom.isType(typeId))
        {
            typeId++;
        }
        return typeId;
    }

    private record Entry(DirectoryChange change, long roomId, int typeId) implements DirectoryEntry
    {
        @Override
        public int seatsTaken()
        {
            return 1;
        }

        @Override
        public int seatLimit()
        {
            return 2;
        }

        @Override
        public int labelKey()
        {
            return 0;
        }

        @Override
        public DirectBuffer valueBuffer()
        {
            return null;
        }

        @Override
        public int valueOffset()
        {
            return 0;
        }

        @Override
        public int valueLength()
        {
            return 0;
        }
    }
}
