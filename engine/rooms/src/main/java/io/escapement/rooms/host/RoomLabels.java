package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The labels of a room, kept so that a restored host can publish them again. Most rooms have none. */
final class RoomLabels
{
    private static final int[] NO_LENGTHS = new int[Room.MAX_LABELS];

    private int[] lengths = NO_LENGTHS;
    private UnsafeBuffer values;

    void set(final int key, final DirectBuffer source, final int offset, final int length)
    {
        allocate();
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

    void read(final StateReader reader)
    {
        for (int key = 0; key < lengths.length; key++)
        {
            final int length = Restored.inRange(reader.getInt(), 0, Room.MAX_LABEL_LENGTH, "the length of a label");
            if (0 != length)
            {
                allocate();
                lengths[key] = length;
                final int read = reader.getBytes(values, key * Room.MAX_LABEL_LENGTH);
                Restored.inRange(read, length, length, "the bytes of a label");
            }
        }
    }

    private void allocate()
    {
        if (null == values)
        {
            lengths = new int[Room.MAX_LABELS];
            values = new UnsafeBuffer(new byte[Room.MAX_LABELS * Room.MAX_LABEL_LENGTH]);
        }
    }
}
