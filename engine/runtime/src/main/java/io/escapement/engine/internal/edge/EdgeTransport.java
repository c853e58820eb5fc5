package io.escapement.engine.internal.edge;

/**
 * The part of Aeron that the edge uses. Tests replace it to step the edge in memory. {@link AeronTransport} is the only
 * implementation in production, which keeps calls on the ingress path monomorphic.
 */
interface EdgeTransport extends AutoCloseable
{
    /** Notified in the edge's thread, during {@link #invoke()}. */
    interface ImageListener
    {
        void onImage(EdgeImage image);

        void onImageGone(EdgeImage image);
    }

    /** Subscribe to a stream on every channel on which trunks connect. */
    void subscribe(int streamId, ImageListener listener);

    /** Start to make the publication of a feed. Does not block. */
    FeedPublication addFeed(boolean isShared, int streamId, int sessionId);

    /** Process events of the driver: images, publications. Returns the work count. */
    int invoke();

    /** The driver is gone. No more data arrives. */
    boolean isClosed();

    @Override
    void close();
}
