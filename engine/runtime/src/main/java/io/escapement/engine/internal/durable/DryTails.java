package io.escapement.engine.internal.durable;

import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;

/** Tails that a dry run may read and leaves where they are. */
final class DryTails implements TailStore
{
    private final TailStore tails;

    DryTails(final TailStore tails)
    {
        this.tails = tails;
    }

    @Override
    public UnsafeBuffer create(final String name, final int length)
    {
        throw new IllegalStateException("a dry run begins no tail");
    }

    @Override
    public UnsafeBuffer open(final String name) throws IOException
    {
        return tails.open(name);
    }

    @Override
    public void delete(final String name)
    {
    }

    @Override
    public String path(final String name)
    {
        return tails.path(name);
    }

    @Override
    public void close()
    {
        tails.close();
    }
}
