package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;

/** Streams over Aeron. */
record AeronStreams(TrunkContext context) implements TrunkStream.Factory
{
    @Override
    public TrunkStream open(final int member, final int streamId, final FragmentHandler handler)
    {
        return new AeronTrunkStream(context, member, streamId, handler);
    }

    @Override
    public FeedStream openFeed(
        final String group, final int sessionId, final int streamId, final FragmentHandler handler)
    {
        return new AeronFeedStream(context.aeron(), context.feedChannel(group, sessionId), streamId,
            !context.isIpc() && group.isEmpty(), handler);
    }
}
