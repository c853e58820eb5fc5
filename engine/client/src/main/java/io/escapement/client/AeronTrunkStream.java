package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.util.List;
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
    private final ImageFragmentAssembler assembler;
    private long subscriptionId;
    private long publicationId = NONE;
    private Subscription subscription;
    private Image image;
    private ExclusivePublication publication;

    AeronTrunkStream(
        final TrunkContext context, final int member, final int streamId, final FragmentHandler handler)
    {
        this.context = context;
        this.member = member;
        this.streamId = streamId;
        aeron = context.aeron();
        assembler = new ImageFragmentAssembler(handler);
        subscriptionId =
            aeron.asyncAddSubscription(context.responseChannel(member), context.responseStreamId(streamId));
    }

    @Override
    public boolean isOpen()
    {
        return null != publication;
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
        if (null == image && null != subscription && 0 != subscription.imageCount())
        {
            // Taken once, in one read: the client's conductor changes the images, and only the first is the engine's.
            final List<Image> images = subscription.images();
            image = images.isEmpty() ? null : images.get(0);
        }
        return null != image && !image.isClosed();
    }

    @Override
    public int poll()
    {
        return hasImage() ? image.poll(assembler, FRAGMENT_LIMIT) : 0;
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
