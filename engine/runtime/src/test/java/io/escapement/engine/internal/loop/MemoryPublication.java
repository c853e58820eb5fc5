package io.escapement.engine.internal.loop;

import io.escapement.codecs.trunk.RoomMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** A publication in memory. Offers succeed unless the test has queued other results. */
final class MemoryPublication implements LinkPublication
{
    static final int PACKET_LENGTH = 200;

    /** Results of the next offers, first in first out. */
    final ArrayDeque<Long> results = new ArrayDeque<>();
    /** Result of each offer once {@link #results} is empty; 1 accepts. */
    long result = 1;
    int offers;
    boolean isConnected = true;
    boolean isClosed;
    long window = Integer.MAX_VALUE;
    final List<Integer> packetLengths = new ArrayList<>();
    /** Each with its length before it. */
    final List<byte[]> messages = new ArrayList<>();

    @Override
    public int maxPayloadLength()
    {
        return PACKET_LENGTH;
    }

    @Override
    public boolean isConnected()
    {
        return isConnected;
    }

    @Override
    public boolean isClosed()
    {
        return isClosed;
    }

    @Override
    public long availableWindow()
    {
        return window;
    }

    @Override
    public long position()
    {
        return packetLengths.stream().mapToLong(Integer::longValue).sum();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return offer(buffer, offset, length, 0);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final int padding)
    {
        offers++;
        final long status = results.isEmpty() ? result : results.remove();
        if (status > 0)
        {
            packetLengths.add(length + padding);
            for (int at = offset; at < offset + length; )
            {
                final byte[] message = new byte[RoomMessage.entrySize(buffer, at)];
                buffer.getBytes(at, message);
                at += message.length;
                messages.add(message);
            }
        }
        return status;
    }
}
