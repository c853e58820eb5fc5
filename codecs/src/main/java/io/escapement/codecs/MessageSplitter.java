package io.escapement.codecs;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Splits a long message into parts. A {@link MessageJoiner} joins them. A part fits one payload. It is
 *
 * <pre>
 *   header of SBE {blockLength 8, templateId 1, schemaId 707, version 0}
 *   block {length of the message uint32, offset of the part in it uint32}
 *   bytes of the message, at least one, to the end of the part
 * </pre>
 *
 * <p>so that it cannot be taken for another message of SBE. Send the parts of a message in order, and no others between
 * them. A trunk takes entries at a limited rate. If a part was not taken, send it later. If the seat went away, call
 * {@link #restart()}, because the receiver then drops the parts that it has.
 *
 * <p>Not thread-safe. No allocation. It does not copy the message: the message must not change before its last part is
 * encoded.
 */
public final class MessageSplitter
{
    /** Bytes of a part before the bytes of the message. */
    public static final int HEADER_LENGTH = 16;

    /** Length of the longest message. It must fit a room's output and the queue of a trunk. */
    public static final int MAX_MESSAGE_LENGTH = 1024 * 1024;

    static final int BLOCK_LENGTH = 8;
    static final int TEMPLATE_ID = 1;
    static final int SCHEMA_ID = 707;
    static final int LENGTH_OFFSET = 8;
    static final int OFFSET_OFFSET = 12;

    private DirectBuffer source;
    private int sourceOffset;
    private int length;
    private int maxPartLength;
    private int at;

    /**
     * Begin with a message.
     *
     * @param buffer        with the message.
     * @param offset        of the message.
     * @param messageLength of the message in bytes, 1 to {@value #MAX_MESSAGE_LENGTH}.
     * @param maxPayload    the most bytes of a part, such as {@link TrunkMessages#MAX_PAYLOAD_LENGTH} for a player's.
     */
    public MessageSplitter wrap(
        final DirectBuffer buffer, final int offset, final int messageLength, final int maxPayload)
    {
        if (messageLength < 1 || messageLength > MAX_MESSAGE_LENGTH)
        {
            throw new IllegalArgumentException(
                "a message must have 1 to " + MAX_MESSAGE_LENGTH + " bytes: " + messageLength);
        }
        if (maxPayload <= HEADER_LENGTH)
        {
            throw new IllegalArgumentException("a part must have more than " + HEADER_LENGTH + " bytes: " + maxPayload);
        }
        buffer.boundsCheck(offset, messageLength);
        source = buffer;
        sourceOffset = offset;
        length = messageLength;
        maxPartLength = maxPayload;
        at = 0;
        return this;
    }

    /** Whether there is another part. */
    public boolean hasNext()
    {
        return at < length;
    }

    /** Length of the next part in bytes. 0 after the last. */
    public int nextLength()
    {
        return hasNext() ? Math.min(maxPartLength, HEADER_LENGTH + length - at) : 0;
    }

    /**
     * Encode the next part, which stays the next until {@link #advance()}.
     *
     * @param buffer to write to.
     * @param offset of the part in it.
     * @return length of the part in bytes.
     */
    public int encode(final MutableDirectBuffer buffer, final int offset)
    {
        if (!hasNext())
        {
            throw new IllegalStateException("the message has no more parts");
        }
        final int partLength = nextLength();
        buffer.putShort(offset, (short)BLOCK_LENGTH, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + 2, (short)TEMPLATE_ID, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + 4, (short)SCHEMA_ID, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + 6, (short)0, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(offset + LENGTH_OFFSET, length, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(offset + OFFSET_OFFSET, at, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(offset + HEADER_LENGTH, source, sourceOffset + at, partLength - HEADER_LENGTH);
        return partLength;
    }

    /** The next part was sent. */
    public void advance()
    {
        at = Math.min(length, at + maxPartLength - HEADER_LENGTH);
    }

    /** Begin again with the first part. */
    public void restart()
    {
        at = 0;
    }
}
