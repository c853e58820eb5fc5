package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.FeedOfferedDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.CloseHelper;

/**
 * The loop streams of a trunk. Each is opened when a seat on its loop is first requested. A standby client opens all of
 * them, so that they exist when it gets its trunk there.
 */
final class LoopStreams implements AutoCloseable
{
    private final TrunkContext context;
    private final EgressAdapter egress;
    private final long timeoutNs;
    private final int member;
    private LoopStream[] streams = {};
    /** By loop. Null where no feed was offered. */
    private LoopFeed[] feeds = {};
    private boolean isUp;
    private long trunkId = TrunkMessages.NO_TRUNK;
    private long attachToken;
    private int maxBatchEntries;

    LoopStreams(final TrunkContext context, final int member, final EgressAdapter egress)
    {
        this.context = context;
        this.member = member;
        this.egress = egress;
        timeoutNs = context.connectTimeoutNs();
    }

    /** The trunk is up. A resumed one opens every stream, because its seats may be on any loop. */
    void onUp(final Welcome welcome)
    {
        isUp = true;
        trunkId = welcome.trunkId();
        attachToken = welcome.attachToken();
        maxBatchEntries = welcome.maxBatchEntries();
        if (streams.length != welcome.loops())
        {
            streams = new LoopStream[welcome.loops()];
        }
        for (int i = 0; i < streams.length; i++)
        {
            if (null != streams[i])
            {
                streams[i].attachAgain(context.clock().nanoTime());
            }
            else if (welcome.isResumed())
            {
                streams[i] = open(i);
            }
        }
    }

    /** The client is on standby. */
    void onStandby(final Standby standby)
    {
        attachToken = standby.attachToken();
        maxBatchEntries = standby.maxBatchEntries();
        streams = new LoopStream[standby.loops()];
        for (int i = 0; i < streams.length; i++)
        {
            streams[i] = open(i);
        }
    }

    int poll()
    {
        int work = 0;
        for (final LoopStream stream : streams)
        {
            if (null != stream)
            {
                work += stream.poll();
            }
        }
        for (final LoopFeed feed : feeds)
        {
            if (null != feed)
            {
                work += feed.poll();
            }
        }
        return work;
    }

    void advance(final long nowNs)
    {
        for (int i = 0; i < streams.length; i++)
        {
            if (null == streams[i])
            {
                continue;
            }
            if (streams[i].isLost(nowNs, timeoutNs))
            {
                // The trunk outlives any of its streams. The engine returns the seats of the loop when it is attached.
                streams[i].close();
                streams[i] = open(i);
                closeFeed(i);
                if (isUp)
                {
                    egress.onLoopLost(i);
                }
            }
            streams[i].advance(nowNs, trunkId, attachToken);
            if (i < feeds.length && null != feeds[i])
            {
                feeds[i].advance(nowNs);
            }
        }
    }

    /** Whether the engine has that loop. */
    boolean has(final int loop)
    {
        return loop < streams.length;
    }

    /** The stream of a loop if it is attached, otherwise null. A stream that does not exist yet is opened. */
    LoopStream attached(final int loop)
    {
        if (loop >= streams.length)
        {
            return null;
        }
        final LoopStream stream = streams[loop];
        if (null == stream)
        {
            streams[loop] = open(loop);
            return null;
        }
        return stream.isAttached() ? stream : null;
    }

    private LoopStream open(final int loop)
    {
        final TrunkStream stream = context.streams().open(member, TrunkMessages.loopStreamId(loop),
            (buffer, offset, length, header) -> egress.onBatch(loop, buffer, offset, length));
        return new LoopStream(
            stream, maxBatchEntries, egress.isAcceptedWanted(), context.clock().nanoTime());
    }

    /** The engine offers the feed of a loop. An earlier feed is over. */
    void onFeedOffered(final FeedOfferedDecoder offer, final TrunkProxy proxy)
    {
        final int loop = offer.loop();
        final byte[] bytes = new byte[offer.groupLength()];
        offer.getGroup(bytes, 0, bytes.length);
        final String group = new String(bytes, StandardCharsets.US_ASCII);
        if (!group.isEmpty() && !TrunkContext.isEndpoint(group))
        {
            // It would be part of a channel.
            egress.onMalformed();
        }
        else if (context.isFed() && loop < streams.length)
        {
            closeFeed(loop);
            feeds = feeds.length < streams.length ? Arrays.copyOf(feeds, streams.length) : feeds;
            feeds[loop] = new LoopFeed(context, egress, proxy, offer, group);
            egress.feed(loop, feeds[loop]);
        }
    }

    private void closeFeed(final int loop)
    {
        if (loop < feeds.length && null != feeds[loop])
        {
            feeds[loop].close();
            feeds[loop] = null;
            egress.feed(loop, null);
        }
    }

    /** Return whether that stream exists. */
    boolean onAttached(final int loop)
    {
        if (loop >= streams.length || null == streams[loop])
        {
            return false;
        }
        streams[loop].onAttached();
        return true;
    }

    /** Offer every batch. Returns whether no message is left that could be sent. */
    boolean flush()
    {
        boolean isAll = true;
        for (final LoopStream stream : streams)
        {
            isAll &= null == stream || stream.flush();
        }
        return isAll;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(streams);
        for (int i = 0; i < feeds.length; i++)
        {
            closeFeed(i);
        }
    }
}
