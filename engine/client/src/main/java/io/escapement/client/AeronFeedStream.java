package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import io.aeron.logbuffer.FragmentHandler;
import java.util.List;
import org.agrona.CloseHelper;

/** A subscription that does not have lost packets repeated. Its channel names the session, so no other is received. */
final class AeronFeedStream implements FeedStream
{
    private static final long NONE = -1;
    private static final int FRAGMENT_LIMIT = 64;
    private static final System.Logger LOGGER = System.getLogger("io.escapement.client");

    private final Aeron aeron;
    private final FragmentHandler handler;
    private long subscriptionId;
    private Subscription subscription;
    private Image image;

    AeronFeedStream(final Aeron aeron, final String channel, final int streamId, final FragmentHandler handler)
    {
        this.aeron = aeron;
        this.handler = handler;
        subscriptionId = aeron.asyncAddSubscription(channel, streamId);
    }

    @Override
    public boolean isOpen()
    {
        if (NONE != subscriptionId)
        {
            try
            {
                subscription = aeron.getSubscription(subscriptionId);
            }
            catch (final RegistrationException ex)
            {
                LOGGER.log(System.Logger.Level.WARNING, "the media driver refused the feed, so states come on the " +
                    "trunk: " + ex.getMessage());
                subscriptionId = NONE;
            }
            if (null == subscription)
            {
                return false;
            }
            subscriptionId = NONE;
        }
        return null != subscription && (isShared() || null != subscription.resolvedEndpoint());
    }

    private boolean isShared()
    {
        return subscription.channel().startsWith("aeron:ipc");
    }

    @Override
    public int port()
    {
        if (isShared())
        {
            return 0;
        }
        final String endpoint = subscription.resolvedEndpoint();
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    @Override
    public boolean hasImage()
    {
        if (null == image && null != subscription)
        {
            final List<Image> images = subscription.images();
            image = images.isEmpty() ? null : images.get(0);
        }
        return null != image && !image.isClosed();
    }

    @Override
    public int poll()
    {
        return hasImage() ? image.poll(handler, FRAGMENT_LIMIT) : 0;
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
        CloseHelper.quietClose(subscription);
    }
}
