package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The publication of production. */
final class AeronLinkPublication implements LinkPublication
{
    private final ExclusivePublication publication;
    private final DirectBuffer zeros;

    AeronLinkPublication(final ExclusivePublication publication)
    {
        this.publication = publication;
        zeros = new UnsafeBuffer(new byte[publication.maxPayloadLength()]);
    }

    @Override
    public int maxPayloadLength()
    {
        return publication.maxPayloadLength();
    }

    @Override
    public boolean isConnected()
    {
        return publication.isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return publication.isClosed();
    }

    @Override
    public long availableWindow()
    {
        return publication.availableWindow();
    }

    @Override
    public long position()
    {
        return publication.position();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return publication.offer(buffer, offset, length);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final int padding)
    {
        return publication.offer(buffer, offset, length, zeros, 0, padding);
    }
}
