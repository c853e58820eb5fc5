package io.escapement.rooms.output;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Writes all output of a host into one buffer, in order, and hands it on later. Equal output gives equal bytes: two
 * runs are compared by their bytes. Flushes are left out.
 */
public final class CapturedOutputs implements Outputs
{
    private static final int MESSAGE = 1;
    private static final int LINK = 2;
    private static final int COMMAND = 3;
    private static final int EDGE = 4;
    private static final int APPLICATION = 5;

    private final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer(64 * 1024);
    private int position;

    /** The captured bytes, from index 0 to {@link #length()}. */
    public DirectBuffer buffer()
    {
        return bytes;
    }

    /** Length of the captured bytes. */
    public int length()
    {
        return position;
    }

    /** Discard all captured output. The buffer keeps its capacity. */
    public void reset()
    {
        position = 0;
    }

    /**
     * Grow the buffer now, so that capturing does not allocate later.
     *
     * @param length in bytes.
     */
    public void ensureCapacity(final int length)
    {
        bytes.checkLimit(length);
    }

    /**
     * Repeat the captured calls in order.
     *
     * @param outputs to call.
     */
    public void forEach(final Outputs outputs)
    {
        int at = 0;
        while (at < position)
        {
            at = handOver(at, outputs);
        }
    }

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        put(MESSAGE);
        put(link);
        put(roomId);
        put(outputClass);
        put(audience);
        put(selector);
        put(buffer, offset, length);
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        put(LINK);
        put(link);
        put(buffer, offset, length);
    }

    @Override
    public void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        put(COMMAND);
        put(buffer, offset, length);
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        put(EDGE);
        put(buffer, offset, length);
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
        put(APPLICATION);
        put(buffer, offset, length);
    }

    @Override
    public void flush()
    {
    }

    private int handOver(final int at, final Outputs outputs)
    {
        switch (number(at, 0))
        {
            case MESSAGE:
                outputs.message(
                    number(at, 1), value(at, 2), number(at, 3),
                    number(at, 4), value(at, 5), bytes, body(at, 6), number(at, 6));
                return afterBody(at, 6);
            case LINK:
                outputs.toLink(number(at, 1), bytes, body(at, 2), number(at, 2));
                return afterBody(at, 2);
            case COMMAND:
                outputs.onCommand(bytes, body(at, 1), number(at, 1));
                return afterBody(at, 1);
            case EDGE:
                outputs.toEdge(bytes, body(at, 1), number(at, 1));
                return afterBody(at, 1);
            case APPLICATION:
                outputs.toApplication(bytes, body(at, 1), number(at, 1));
                return afterBody(at, 1);
            default:
                throw new IllegalStateException("no such output: " + number(at, 0));
        }
    }

    private void put(final long value)
    {
        bytes.putLong(position, value);
        position += Long.BYTES;
    }

    private void put(final DirectBuffer source, final int offset, final int length)
    {
        put(length);
        final int padded = BitUtil.align(length, Long.BYTES);
        if (padded != length)
        {
            bytes.putLong(position + padded - Long.BYTES, 0);
        }
        bytes.putBytes(position, source, offset, length);
        position += padded;
    }

    private long value(final int at, final int index)
    {
        return bytes.getLong(at + index * Long.BYTES);
    }

    private int number(final int at, final int index)
    {
        return (int)value(at, index);
    }

    private static int body(final int at, final int index)
    {
        return at + (index + 1) * Long.BYTES;
    }

    private int afterBody(final int at, final int index)
    {
        return body(at, index) + BitUtil.align(number(at, index), Long.BYTES);
    }
}
