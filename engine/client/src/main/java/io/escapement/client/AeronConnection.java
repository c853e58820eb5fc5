package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** A stream over Aeron: the response subscription is added first, because the publication's channel names its id. */
final class AeronConnection implements StreamConnection
{
    private static final long NONE = -1;
    private static final int FRAGMENT_LIMIT = 16;

    private final Aeron aeron;
    private final TrunkContext context;
    private final int streamId;
    private final ImageFragmentAssembler assembler;
    private long subscriptionId;
    private long publicationId = NONE;
    private Subscription subscription;
    private ExclusivePublication publication;

    AeronConnection(final TrunkContext context, final int streamId, final FragmentHandler handler)
    {
        this.context = context;
        this.streamId = streamId;
        aeron = context.aeron();
        assembler = new ImageFragmentAssembler(handler);
        subscriptionId = aeron.asyncAddSubscription(context.responseChannel(), streamId);
    }

    @Override
    public boolean isConnected()
    {
        if (NONE != subscriptionId)
        {
            subscription = aeron.getSubscription(subscriptionId);
            if (null == subscription)
            {
                return false;
            }
            subscriptionId = NONE;
            publicationId = aeron.asyncAddExclusivePublication(
                context.ingressChannel(subscription.registrationId()), streamId);
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
    public boolean hasImage()
    {
        return null != subscription && 0 != subscription.imageCount();
    }

    @Override
    public int poll()
    {
        return hasImage() ? subscription.imageAtIndex(0).poll(assembler, FRAGMENT_LIMIT) : 0;
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
        if (NONE != subscriptionId)
        {
            aeron.asyncRemoveSubscription(subscriptionId);
        }
        if (NONE != publicationId)
        {
            aeron.asyncRemovePublication(publicationId);
        }
        CloseHelper.quietCloseAll(publication, subscription);
    }
}
