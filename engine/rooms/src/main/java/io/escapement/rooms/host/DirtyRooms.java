package io.escapement.rooms.host;

import java.util.Arrays;

/** The rooms with output for the next flush of the host, each once, in the order in which they sent. */
final class DirtyRooms
{
    private RoomInstance[] rooms;
    private int size;

    DirtyRooms(final int capacity)
    {
        rooms = new RoomInstance[capacity];
    }

    int size()
    {
        return size;
    }

    void add(final RoomInstance room)
    {
        if (size == rooms.length)
        {
            rooms = Arrays.copyOf(rooms, size * 2);
        }
        rooms[size++] = room;
    }

    void flush()
    {
        for (int i = 0; i < size; i++)
        {
            final RoomInstance room = rooms[i];
            rooms[i] = null;
            if (room.isOpen())
            {
                room.flushFromList();
            }
        }
        size = 0;
    }
}
