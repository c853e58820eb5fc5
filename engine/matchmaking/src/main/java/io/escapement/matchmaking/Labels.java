package io.escapement.matchmaking;

import io.escapement.matchmaking.codecs.FindDecoder;
import io.escapement.matchmaking.codecs.LabelDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The labels of a Find as bytes of one length: for each label its key, the length of its value and the value, and zeros
 * after it. A label that is not given has the key {@link #NO_KEY}.
 */
final class Labels
{
    /** Keys from 0 on that can be searched. */
    static final int KEYS = 8;

    /** Longest value that can be searched. */
    static final int MAX_VALUE_LENGTH = LabelDecoder.valueLength();

    /** Bytes of a label of a room: the length of its value and the value. */
    static final int PLACE_LENGTH = 1 + MAX_VALUE_LENGTH;

    /** Labels of a Find. */
    private static final int COUNT = 4;

    private static final int NO_KEY = LabelDecoder.keyNullValue();
    private static final int LABEL_LENGTH = LabelDecoder.ENCODED_LENGTH;
    private static final int VALUE = 2;

    /** Bytes of the labels. */
    static final int LENGTH = COUNT * LABEL_LENGTH;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);

    /** Take the labels of a message. False if any of them is malformed. */
    boolean set(final FindDecoder find)
    {
        bytes.setMemory(0, LENGTH, (byte)0);
        return set(0, find.label1()) && set(1, find.label2()) && set(2, find.label3()) && set(3, find.label4());
    }

    boolean isSame(final DirectBuffer others, final int offset)
    {
        for (int i = 0; i < LENGTH; i += Long.BYTES)
        {
            if (bytes.getLong(i) != others.getLong(offset + i))
            {
                return false;
            }
        }
        return true;
    }

    void copyTo(final MutableDirectBuffer destination, final int offset)
    {
        destination.putBytes(offset, bytes, 0, LENGTH);
    }

    /** Whether a room has all labels. The room's have a place for each key, with length and value. */
    static boolean match(
        final DirectBuffer labels, final int offset, final DirectBuffer ofRoom, final int roomOffset)
    {
        for (int at = offset; at < offset + LENGTH; at += LABEL_LENGTH)
        {
            final int key = labels.getByte(at) & 0xFF;
            if (NO_KEY != key)
            {
                final int place = roomOffset + key * PLACE_LENGTH;
                for (int i = 0; i <= (labels.getByte(at + 1) & 0xFF); i++)
                {
                    if (labels.getByte(at + 1 + i) != ofRoom.getByte(place + i))
                    {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean set(final int index, final LabelDecoder label)
    {
        final int at = index * LABEL_LENGTH;
        final int key = label.key();
        final int length = label.length();
        bytes.putByte(at, (byte)key);
        if (NO_KEY == key)
        {
            return true;
        }
        if (key >= KEYS || length < 1 || length > MAX_VALUE_LENGTH)
        {
            return false;
        }
        bytes.putByte(at + 1, (byte)length);
        for (int i = 0; i < length; i++)
        {
            bytes.putByte(at + VALUE + i, (byte)label.value(i));
        }
        return true;
    }
}
