package io.escapement.rooms.internal;

import io.escapement.rooms.StateHash;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;

/**
 * Passes all output on and keeps a running hash of it. The turn log holds the hash after every turn, so that a replay
 * names the first turn that differs. Flushes are not hashed, because they depend on no room.
 */
final class HashingOutputs implements Outputs
{
    private static final int MESSAGE = 1;
    private static final int LINK = 2;
    private static final int ROOM = 3;
    private static final int EDGE = 4;
    private static final int SERVICE = 5;
    private static final int AGAIN = 6;

    private static final int CLASS_SHIFT = 8;
    private static final int AUDIENCE_SHIFT = 16;

    private final Outputs outputs;
    private final StateHash hash = new StateHash();

    HashingOutputs(final Outputs outputs)
    {
        this.outputs = outputs;
    }

    long value()
    {
        return hash.value();
    }

    void value(final long value)
    {
        hash.value(value);
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
        hash.putLong(MESSAGE | outputClass << CLASS_SHIFT | audience << AUDIENCE_SHIFT | (long)link << Integer.SIZE);
        hash.putLong(roomId);
        hash.putLong(selector);
        hash.putBytes(buffer, offset, length);
        outputs.message(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    /** The bytes are in the hash already. */
    @Override
    public void again(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        hash.putLong(AGAIN | (long)link << Integer.SIZE);
        outputs.again(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        hash.putLong(LINK);
        hash.putLong(link);
        hash.putBytes(buffer, offset, length);
        outputs.toLink(link, buffer, offset, length);
    }

    @Override
    public void toRoom(final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        hash.putLong(ROOM);
        hash.putLong(roomId);
        hash.putBytes(buffer, offset, length);
        outputs.toRoom(roomId, buffer, offset, length);
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        hash.putLong(EDGE);
        hash.putBytes(buffer, offset, length);
        outputs.toEdge(buffer, offset, length);
    }

    @Override
    public void toService(
        final int serviceId, final long orderKey, final DirectBuffer buffer, final int offset, final int length)
    {
        hash.putLong(SERVICE);
        hash.putLong(serviceId);
        hash.putLong(orderKey);
        hash.putBytes(buffer, offset, length);
        outputs.toService(serviceId, orderKey, buffer, offset, length);
    }

    @Override
    public void flush()
    {
        outputs.flush();
    }
}
