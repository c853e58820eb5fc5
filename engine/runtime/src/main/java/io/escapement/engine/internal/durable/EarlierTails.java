package io.escapement.engine.internal.durable;

import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The tails of the last engine, and of the engine before it. If the last engine was killed while it started, after it
 * had recovered only other loops, a loop's tail is in the second place.
 */
final class EarlierTails implements TailStore
{
    private final TailStore last;
    private final TailStore before;

    EarlierTails(final TailStore last, final TailStore before)
    {
        this.last = last;
        this.before = before;
    }

    @Override
    public UnsafeBuffer create(final String name, final int length)
    {
        throw new IllegalStateException("no tail begins in the place of earlier ones");
    }

    @Override
    public UnsafeBuffer open(final String name) throws IOException
    {
        final UnsafeBuffer memory = last.open(name);
        return null == memory ? before.open(name) : memory;
    }

    @Override
    public void delete(final String name) throws IOException
    {
        last.delete(name);
        before.delete(name);
    }

    @Override
    public String path(final String name)
    {
        return last.path(name);
    }

    @Override
    public void close()
    {
        last.close();
        before.close();
    }
}
