package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The labels of a room, kept so that a restored host can publish them again. Most rooms have {@link #NONE}. */
final class RoomLabels
{
    static final RoomLabels NONE = new RoomLabels(new byte[0]);

    private final int[] lengths = new int[Room.MAX_LABELS];
    private final UnsafeBuffer values;

    RoomLabels()
    {
        this(new byte[Room.MAX_LABELS * Room.MAX_LABEL_LENGTH]);
    }

    private RoomLabels(final byte[] bytes)
    {
        values = new UnsafeBuffer(bytes);
    }

    void set(final int key, final DirectBuffer source, final int offset, final int length)
    {
        values.putBytes(key * Room.MAX_LABEL_LENGTH, source, offset, length);
        lengths[key] = length;
    }

    void publish(final long roomId, final OutputProxy outputs)
    {
        for (int key = 0; key < lengths.length; key++)
        {
            if (0 != lengths[key])
            {
                outputs.label(roomId, key, values, key * Room.MAX_LABEL_LENGTH, lengths[key]);
            }
        }
    }

    void write(final StateWriter writer)
    {
        for (int key = 0; key < lengths.length; key++)
        {
            writer.putInt(lengths[key]);
            if (0 != lengths[key])
            {
                writer.putBytes(values, key * Room.MAX_LABEL_LENGTH, lengths[key]);
            }
        }
    }

    static void read(final StateReader reader, final RoomInstance room)
    {
        for (int key = 0; key < Room.MAX_LABELS; key++)
        {
            final int length = Restored.inRange(reader.getInt(), 0, Room.MAX_LABEL_LENGTH, "the length of a label");
            if (0 != length)
            {
                final RoomLabels labels = room.newLabels();
                labels.lengths[key] = length;
                final int read = reader.getBytes(labels.values, key * Room.MAX_LABEL_LENGTH);
                Restored.inRange(read, length, length, "the bytes of a label");
            }
        }
    }
}
