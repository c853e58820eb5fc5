package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.TrunkMessages;
import java.nio.ByteOrder;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/** The connection to one stream of an engine and back: the way back is made first, the way there names it. */
final class LoopStream implements AutoCloseable
{
    private static final long NONE = -1;
    private static final int FRAGMENT_LIMIT = 16;

    final int loop;
    private final Aeron aeron;
    private final TrunkContext context;
    private final int streamId;
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[TrunkMessages.MAX_MESSAGE_LENGTH]);
    private final ImageFragmentAssembler assembler;
    private long subscriptionId;
    private long publicationId = NONE;
    private Subscription subscription;
    private ExclusivePublication publication;
    private int frameLength;
    private int frameEntries;
    boolean isAttached;
    long attachSentNs;

    LoopStream(
        final int loop, final int streamId, final TrunkContext context, final FragmentHandler handler)
    {
        this.loop = loop;
        this.streamId = streamId;
        this.context = context;
        aeron = context.aeron();
        assembler = new ImageFragmentAssembler(handler);
        subscriptionId = aeron.asyncAddSubscription(context.responseChannel(), streamId);
    }

    /** Make what is not made yet. */
    boolean isConnected()
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

    /** Whether the engine can be heard. */
    boolean isHeard()
    {
        return null != subscription && 0 != subscription.imageCount();
    }

    int poll()
    {
        return isHeard() ? subscription.imageAtIndex(0).poll(assembler, FRAGMENT_LIMIT) : 0;
    }

    /**
     * Room for a message in the frame that leaves next; what is there leaves when there is none.
     *
     * @return where the message's header goes in {@link #frame()}, or -1 when the engine does not take what is there.
     */
    int claim(final int length, final int maxEntries)
    {
        final int needed = TrunkMessages.ENTRY_HEADER_LENGTH + length;
        final int limit = publication.maxPayloadLength();
        if ((frameLength + needed > limit || frameEntries == maxEntries) && !flush())
        {
            return -1;
        }
        frame.putShort(frameLength, (short)length, ByteOrder.LITTLE_ENDIAN);
        final int offset = frameLength + TrunkMessages.ENTRY_HEADER_LENGTH;
        frameLength += needed;
        frameEntries++;
        return offset;
    }

    UnsafeBuffer frame()
    {
        return frame;
    }

    /** Whether nothing waits to be sent. */
    boolean isEmpty()
    {
        return 0 == frameLength;
    }

    /** Whether nothing waits any more. */
    boolean flush()
    {
        if (0 == frameLength)
        {
            return true;
        }
        if (publication.offer(frame, 0, frameLength) < 0)
        {
            return false;
        }
        frameLength = 0;
        frameEntries = 0;
        return true;
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
