package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import io.aeron.logbuffer.FragmentHandler;
import java.util.List;
import org.agrona.CloseHelper;

/** A subscription and its first image, which is the engine's. Later images are ignored. */
final class AeronImage
{
    private static final long NONE = -1;

    private final Aeron aeron;
    private final FragmentHandler handler;
    private final int fragmentLimit;
    private long subscriptionId;
    private Subscription subscription;
    private Image image;

    AeronImage(
        final Aeron aeron,
        final String channel,
        final int streamId,
        final FragmentHandler handler,
        final int fragmentLimit)
    {
        this.aeron = aeron;
        this.handler = handler;
        this.fragmentLimit = fragmentLimit;
        subscriptionId = aeron.asyncAddSubscription(channel, streamId);
    }

    /**
     * The subscription, or null if the driver has not made it.
     *
     * @throws RegistrationException once, when the driver refuses it.
     */
    Subscription subscription()
    {
        if (NONE != subscriptionId)
        {
            try
            {
                subscription = aeron.getSubscription(subscriptionId);
            }
            catch (final RegistrationException ex)
            {
                subscriptionId = NONE;
                throw ex;
            }
            if (null != subscription)
            {
                subscriptionId = NONE;
            }
        }
        return subscription;
    }

    boolean isPresent()
    {
        if (null == image && null != subscription && 0 != subscription.imageCount())
        {
            // Taken once, in one read, because the client's conductor changes the images.
            final List<Image> images = subscription.images();
            image = images.isEmpty() ? null : images.get(0);
        }
        return null != image && !image.isClosed();
    }

    int poll()
    {
        return isPresent() ? image.poll(handler, fragmentLimit) : 0;
    }

    /** Only while the Aeron client is open. */
    void close()
    {
        if (NONE != subscriptionId)
        {
            aeron.asyncRemoveSubscription(subscriptionId);
        }
        CloseHelper.quietClose(subscription);
    }
}
