package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.FeedEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.LinkFeed;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The feeds of the loops, one over UDP and one over shared memory, made when the first entitled trunk arrives. A trunk
 * is offered the feed when a loop has attached it, and names the port of its subscription unless the feed is sent to a
 * multicast group. After it reports that the feed arrives, its loop no longer sends it states that are in the feed. If
 * the driver refuses a feed, the trunks that wait for it make the engine retry.
 */
final class Feeds
{
    /** The delay after a refusal, which each further refusal doubles. */
    static final long MIN_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    static final long MAX_RETRY_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long NO_DESTINATION = -1;
    private static final byte[] NO_GROUP = {};

    private final EdgeTransport transport;
    private final EdgeCounters counters;
    private final ControlProxy proxy;
    private final SecureRandom random;
    private final NanoClock clock;
    private final Consumer<String> warnings;
    private final CommandQueue[] inboxes;
    /** Of the feeds over UDP. */
    private final byte[] group;
    /** By loop, over UDP and over shared memory. */
    private final Feed[][] feeds;
    private final ArrayList<IngressStream> unanswered = new ArrayList<>();
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final UnsafeBuffer nothing = new UnsafeBuffer(0, 0);

    Feeds(final EdgeContext context, final EdgeTransport transport, final ControlProxy proxy, final NanoClock clock)
    {
        this.transport = transport;
        this.proxy = proxy;
        this.clock = clock;
        warnings = context.warnings();
        counters = context.counters();
        random = context.random();
        inboxes = context.queues().inboxes();
        final String feedGroup = context.trunks().feedGroup();
        group = null == feedGroup ? NO_GROUP : feedGroup.getBytes(StandardCharsets.US_ASCII);
        feeds = new Feed[inboxes.length][2];
    }

    /** A feed, from its registration on. */
    private static final class Feed
    {
        final int id;
        final int sessionId;
        final FeedPublication publication;
        final long retryDelayNs;
        long refusedNs;
        boolean isRefused;
        /** Null until the driver has made the publication. */
        LinkFeed linkFeed;

        Feed(final int id, final int sessionId, final FeedPublication publication, final long retryDelayNs)
        {
            this.id = id;
            this.sessionId = sessionId;
            this.publication = publication;
            this.retryDelayNs = retryDelayNs;
        }
    }

    /** A trunk that was offered the feed of a loop. */
    static final class Member
    {
        private final Feed feed;
        private long destinationId = NO_DESTINATION;
        private boolean isReceiving;

        private Member(final Feed feed)
        {
            this.feed = feed;
        }
    }

    private record Pending(IngressStream stream, LinkFeed.Change change)
    {
    }

    /** A loop has attached a trunk. */
    void onAttached(final IngressStream stream)
    {
        if (stream.trunk().isFed() && !hasOffered(stream))
        {
            unanswered.add(stream);
        }
    }

    /** Offer the feed of the stream's loop once it exists. Returns whether the offer is complete. */
    private boolean hasOffered(final IngressStream stream)
    {
        final int loop = stream.loop();
        final Feed feed = feed(loop, stream.image().isShared());
        final StreamPublication.State state = feed.publication.poll();
        if (StreamPublication.State.READY != state)
        {
            if (StreamPublication.State.CLOSED == state && !feed.isRefused)
            {
                onRefused(feed, loop);
            }
            return false;
        }
        if (null == feed.linkFeed)
        {
            feed.linkFeed = new LinkFeed(feed.id, stream.image().isShared(), feed.publication.handOver());
        }
        stream.member(new Member(feed));
        counters.countIfDropped(proxy.feedOffered(
            stream.trunk().control(), feed.id, feed.sessionId, TrunkMessages.FEED_STREAM_ID + loop, loop,
            stream.image().isShared() ? NO_GROUP : group));
        return true;
    }

    private void onRefused(final Feed feed, final int loop)
    {
        feed.isRefused = true;
        feed.refusedNs = clock.nanoTime();
        warnings.accept("the media driver refused the feed of loop " + loop + ", so its states are sent on trunks " +
            "for " + TimeUnit.NANOSECONDS.toSeconds(feed.retryDelayNs) + " s: " + feed.publication.refusal());
    }

    private Feed feed(final int loop, final boolean isShared)
    {
        final int kind = isShared ? 1 : 0;
        final Feed last = feeds[loop][kind];
        if (null == last || last.isRefused && clock.nanoTime() - last.refusedNs >= last.retryDelayNs)
        {
            // The session is random, because an address shows by it that it was asked to receive the feed.
            final int sessionId = random.nextInt();
            feeds[loop][kind] = new Feed(random.nextInt(), sessionId,
                transport.addFeed(isShared, TrunkMessages.FEED_STREAM_ID + loop, sessionId),
                null == last ? MIN_RETRY_NS : Math.min(2 * last.retryDelayNs, MAX_RETRY_NS));
        }
        return feeds[loop][kind];
    }

    /** A client says how far its subscription is. */
    void onFeed(final Trunk trunk, final int loop, final int feedId, final int port, final boolean isOn)
    {
        final IngressStream stream = loop < trunk.loops() ? trunk.stream(loop) : null;
        final Member member = null == stream ? null : stream.member();
        if (null == member || member.feed.id != feedId)
        {
            trunk.onRefused(TrunkCode.NO_FEED.value());
            counters.refused(TrunkCode.NO_FEED.value());
            counters.countIfDropped(proxy.entryRefused(trunk.control(), FeedEncoder.TEMPLATE_ID, 0,
                TrunkMessages.NO_SEAT, feedId, TrunkCode.NO_FEED.value()));
            return;
        }
        if (!isOn)
        {
            removeDestination(member);
            if (0 != port && !stream.image().isShared() && NO_GROUP == group)
            {
                member.destinationId = member.feed.publication.addDestination(stream.image().source(), port);
            }
        }
        if (isOn != member.isReceiving)
        {
            member.isReceiving = isOn;
            if (!isOn)
            {
                counters.feedsLeft.incrementRelease();
            }
            final LinkFeed.Change change =
                new LinkFeed.Change(trunk.link(), isOn ? member.feed.linkFeed : null);
            pending.add(new Pending(stream, change));
            sendPending();
        }
    }

    /** A stream is detached: its loop forgets it. */
    void onDetached(final IngressStream stream)
    {
        unanswered.remove(stream);
        pending.removeIf((waiting) -> waiting.stream == stream);
        if (null != stream.member())
        {
            removeDestination(stream.member());
            stream.member(null);
        }
    }

    /** All trunks have closed. The trunks of the next incarnation have other feeds. */
    void close()
    {
        for (final Feed[] ofLoop : feeds)
        {
            for (int i = 0; i < ofLoop.length; i++)
            {
                if (null != ofLoop[i])
                {
                    ofLoop[i].publication.close();
                    ofLoop[i] = null;
                }
            }
        }
    }

    int housekeep()
    {
        if (!unanswered.isEmpty())
        {
            unanswered.removeIf(this::hasOffered);
        }
        return pending.isEmpty() ? 0 : sendPending();
    }

    /** In order, and not with one loop, which may hang, for another. */
    private int sendPending()
    {
        int sent = 0;
        final BitSet full = new BitSet(inboxes.length);
        for (final Iterator<Pending> waiting = pending.iterator(); waiting.hasNext();)
        {
            final Pending next = waiting.next();
            final int loop = next.stream.loop();
            if (full.get(loop) || !inboxes[loop].offer(ControlSignal.FEED, next.change, nothing, 0, 0))
            {
                full.set(loop);
            }
            else
            {
                waiting.remove();
                sent++;
            }
        }
        return sent;
    }

    private static void removeDestination(final Member member)
    {
        if (NO_DESTINATION != member.destinationId)
        {
            member.feed.publication.removeDestination(member.destinationId);
            member.destinationId = NO_DESTINATION;
        }
    }
}
