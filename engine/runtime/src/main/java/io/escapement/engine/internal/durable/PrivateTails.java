package io.escapement.engine.internal.durable;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Tails in memory of the process, for loops that write to the file themselves. */
final class PrivateTails implements TailStore
{
    private static final int CACHE_LINE_LENGTH = 64;

    @Override
    public UnsafeBuffer create(final String name, final int length)
    {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, CACHE_LINE_LENGTH));
    }

    @Override
    public UnsafeBuffer open(final String name)
    {
        return null;
    }

    @Override
    public void delete(final String name)
    {
    }

    @Override
    public String path(final String name)
    {
        return name;
    }

    @Override
    public void close()
    {
    }
}
