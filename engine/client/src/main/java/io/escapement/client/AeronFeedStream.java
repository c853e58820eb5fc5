package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import io.aeron.logbuffer.FragmentHandler;

/** A subscription without retransmission of lost packets. Its channel names the session, and receives no other. */
final class AeronFeedStream implements FeedStream
{
    private static final int FRAGMENT_LIMIT = 64;
    private static final System.Logger LOGGER = System.getLogger("io.escapement.client");

    private final Aeron aeron;
    private final AeronImage image;
    private final boolean hasPort;

    AeronFeedStream(
        final Aeron aeron,
        final String channel,
        final int streamId,
        final boolean hasPort,
        final FragmentHandler handler)
    {
        this.aeron = aeron;
        this.hasPort = hasPort;
        image = new AeronImage(aeron, channel, streamId, handler, FRAGMENT_LIMIT);
    }

    @Override
    public boolean isOpen()
    {
        try
        {
            final Subscription subscription = image.subscription();
            return null != subscription && (!hasPort || null != subscription.resolvedEndpoint());
        }
        catch (final RegistrationException ex)
        {
            LOGGER.log(System.Logger.Level.WARNING,
                "the media driver refused the feed, so states come on the trunk: " + ex.getMessage());
            return false;
        }
    }

    @Override
    public int port()
    {
        if (!hasPort)
        {
            return 0;
        }
        final String endpoint = image.subscription().resolvedEndpoint();
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
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
    public void close()
    {
        if (!aeron.isClosed())
        {
            image.close();
        }
    }
}
