package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** A stream over Aeron: the response subscription is added first, because the publication's channel names its id. */
final class AeronTrunkStream implements TrunkStream
{
    private static final long NONE = -1;
    private static final int FRAGMENT_LIMIT = 16;

    private final Aeron aeron;
    private final TrunkContext context;
    private final int member;
    private final int streamId;
    private final AeronImage image;
    private long publicationId = NONE;
    private ExclusivePublication publication;

    AeronTrunkStream(
        final TrunkContext context, final int member, final int streamId, final FragmentHandler handler)
    {
        this.context = context;
        this.member = member;
        this.streamId = streamId;
        aeron = context.aeron();
        image = new AeronImage(aeron, context.responseChannel(member), context.responseStreamId(streamId),
            new ImageFragmentAssembler(handler), FRAGMENT_LIMIT);
    }

    @Override
    public boolean isOpen()
    {
        return null != publication;
    }

    @Override
    public boolean isConnected()
    {
        if (null == publication && NONE == publicationId)
        {
            final Subscription subscription = image.subscription();
            if (null == subscription)
            {
                return false;
            }
            publicationId = aeron.asyncAddExclusivePublication(
                context.ingressChannel(member, subscription.registrationId()), streamId);
        }
        if (NONE != publicationId)
        {
            publication = aeron.getExclusivePublication(publicationId);
            if (null == publication)
            {
                return false;
            }
            publicationId = NONE;
        }
        return publication.isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return aeron.isClosed();
    }

    @Override
    public boolean hasImage()
    {
        return image.isPresent();
    }

    @Override
    public int poll()
    {
        return image.poll();
    }

    @Override
    public int maxPayloadLength()
    {
        return publication.maxPayloadLength();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return publication.offer(buffer, offset, length);
    }

    @Override
    public void close()
    {
        if (aeron.isClosed())
        {
            return;
        }
        if (NONE != publicationId)
        {
            aeron.asyncRemovePublication(publicationId);
        }
        CloseHelper.quietClose(publication);
        image.close();
    }
}
