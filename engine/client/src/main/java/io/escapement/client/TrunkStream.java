package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;
import org.agrona.DirectBuffer;

/**
 * One Aeron stream of a trunk and its response channel back. Production has one implementation,
 * {@link AeronTrunkStream}, to keep calls monomorphic. Tests step a client through a stream in memory.
 */
interface TrunkStream extends AutoCloseable
{
    /** Opens streams. */
    @FunctionalInterface
    interface Factory
    {
        /**
         * Start to connect a stream to an engine. Received fragments, reassembled, go to the handler. The handler must
         * not use the header.
         */
        TrunkStream open(int member, int streamId, FragmentHandler handler);

        /** Start to subscribe to a feed. Received packets go to the handler. The handler must not use the header. */
        default FeedStream openFeed(
            final String group, final int sessionId, final int streamId, final FragmentHandler handler)
        {
            throw new UnsupportedOperationException("no feeds");
        }
    }

    /** Whether the media driver has made both sides. */
    boolean isOpen();

    /** Advance connecting, and return whether the engine has connected to the publication. */
    boolean isConnected();

    /** Whether the transport below the stream is gone, as when the media driver died. No stream returns from that. */
    boolean isClosed();

    /** Whether the engine's response image exists. It never returns once it was lost. */
    boolean hasImage();

    /** Hand received fragments to the handler. */
    int poll();

    /** Longest batch that fits a fragment. Valid once connected. */
    int maxPayloadLength();

    /** Send a batch. Below 0 when it was not accepted, as in Aeron. */
    long offer(DirectBuffer buffer, int offset, int length);

    @Override
    void close();
}
