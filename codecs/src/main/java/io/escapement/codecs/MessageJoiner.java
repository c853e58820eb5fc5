package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Joins the parts that a {@link MessageSplitter} made of one message after another. The parts arrive in order, as
 * events and the messages of a player do. Each must be the next part, and the first part of a message drops an
 * incomplete message. Call {@link #reset()} when the seat went away, because parts may have been lost.
 *
 * <p>Whatever bytes arrive, it uses no more memory than it was made with. Not thread-safe. No allocation.
 */
public final class MessageJoiner
{
    private static final int NONE = RefusalCode.NONE.value();
    private static final int TOO_LONG = RefusalCode.TOO_LONG.value();
    private static final int BAD_PART = RefusalCode.BAD_PART.value();

    private final UnsafeBuffer buffer;
    private int length;
    private int received;

    /**
     * Create a joiner with its memory.
     *
     * @param maxLength of a message in bytes, 1 to {@link MessageSplitter#MAX_MESSAGE_LENGTH}.
     */
    public MessageJoiner(final int maxLength)
    {
        if (maxLength < 1 || maxLength > MessageSplitter.MAX_MESSAGE_LENGTH)
        {
            throw new IllegalArgumentException(
                "a message must have 1 to " + MessageSplitter.MAX_MESSAGE_LENGTH + " bytes: " + maxLength);
        }
        buffer = new UnsafeBuffer(new byte[maxLength]);
    }

    /**
     * Whether a message is a part of a longer one.
     *
     * @param buffer with the message.
     * @param offset of the message.
     * @param length of the message in bytes.
     */
    public static boolean isPart(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= Long.BYTES &&
            MessageSplitter.SCHEMA_ID == buffer.getShort(offset + 4, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Take the next part.
     *
     * @param part       buffer with a message that {@link #isPart}.
     * @param offset     of the part.
     * @param partLength of the part in bytes.
     * @return 0, or the code of the refusal: {@code BAD_PART} for a part that is malformed or not the next,
     *         {@code TOO_LONG} for a part of a message over the limit. The incomplete message is then dropped.
     */
    public int onPart(final DirectBuffer part, final int offset, final int partLength)
    {
        final int code = check(part, offset, partLength);
        if (NONE != code)
        {
            reset();
            return code;
        }
        final int bytes = partLength - MessageSplitter.HEADER_LENGTH;
        length = part.getInt(offset + MessageSplitter.LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
        received = part.getInt(offset + MessageSplitter.OFFSET_OFFSET, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(received, part, offset + MessageSplitter.HEADER_LENGTH, bytes);
        received += bytes;
        return NONE;
    }

    private int check(final DirectBuffer part, final int offset, final int partLength)
    {
        if (partLength <= MessageSplitter.HEADER_LENGTH ||
            MessageSplitter.BLOCK_LENGTH != part.getShort(offset, ByteOrder.LITTLE_ENDIAN) ||
            MessageSplitter.TEMPLATE_ID != part.getShort(offset + 2, ByteOrder.LITTLE_ENDIAN) ||
            MessageSplitter.SCHEMA_ID != part.getShort(offset + 4, ByteOrder.LITTLE_ENDIAN) ||
            0 != part.getShort(offset + 6, ByteOrder.LITTLE_ENDIAN))
        {
            return BAD_PART;
        }
        final int ofMessage = part.getInt(offset + MessageSplitter.LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN);
        final int ofPart = part.getInt(offset + MessageSplitter.OFFSET_OFFSET, ByteOrder.LITTLE_ENDIAN);
        if (ofMessage < 0 || ofMessage > buffer.capacity())
        {
            return TOO_LONG;
        }
        final boolean isNext = 0 == ofPart || !isComplete() && ofPart == received && ofMessage == length;
        return isNext && partLength - MessageSplitter.HEADER_LENGTH <= ofMessage - ofPart ? NONE : BAD_PART;
    }

    /** Whether the last part completed its message. */
    public boolean isComplete()
    {
        return 0 != length && received == length;
    }

    /** Buffer with the joined bytes, from 0. The bytes of a complete message stay until the next part. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Bytes of the message that were joined so far. */
    public int received()
    {
        return received;
    }

    /** Length of the message in progress, 0 for no message. */
    public int length()
    {
        return length;
    }

    /** Drop the received parts of a message. */
    public void reset()
    {
        length = 0;
        received = 0;
    }

    /**
     * Continue a message that another joiner had started.
     *
     * @param ofMessage length of the message.
     * @param source    buffer with the joined bytes of the message.
     * @param offset    of these bytes.
     * @param count     of these bytes, 1 up to the length, exclusive.
     */
    public void restore(final int ofMessage, final DirectBuffer source, final int offset, final int count)
    {
        if (count < 1 || count >= ofMessage || ofMessage > buffer.capacity())
        {
            throw new IllegalStateException(
                count + " of " + ofMessage + " bytes of a message of at most " + buffer.capacity());
        }
        buffer.putBytes(0, source, offset, count);
        length = ofMessage;
        received = count;
    }
}
