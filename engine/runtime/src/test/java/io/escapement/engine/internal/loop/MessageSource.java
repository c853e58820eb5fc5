package io.escapement.engine.internal.loop;

import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogSource;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Messages of a list, from an index to the end that it had when they were rewound. */
final class MessageSource implements LogSource
{
    private final List<byte[]> messages;
    private final int from;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int next;
    private int end;

    MessageSource(final List<byte[]> messages, final int from)
    {
        this.messages = messages;
        this.from = from;
        rewind();
    }

    @Override
    public HostConfig config()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public DirectBuffer snapshot()
    {
        return null;
    }

    @Override
    public void rewind()
    {
        next = from;
        end = messages.size();
    }

    @Override
    public void rewindToFailed()
    {
        rewind();
    }

    @Override
    public boolean next()
    {
        final boolean isNext = next < end;
        if (isNext)
        {
            buffer.wrap(messages.get(next++));
        }
        return isNext;
    }

    @Override
    public DirectBuffer buffer()
    {
        return buffer;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public int length()
    {
        return buffer.capacity();
    }

    @Override
    public boolean isFinished()
    {
        return false;
    }
}
