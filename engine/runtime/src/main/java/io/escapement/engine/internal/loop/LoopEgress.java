package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkEncoder;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.internal.queue.ChunkPool;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.output.RoomLinks;
import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;

/**
 * The messages of a loop to its links. Never blocks: messages that a link does not accept stay in its queues, and the
 * loop retries them at the end of each turn.
 */
final class LoopEgress
{
    private static final int FEEDS = 2;

    private final TrunkServerContext trunks;
    private final LoopCounters counters;
    private final LinkListener listener;
    private final EgressEncoder encoder = new EgressEncoder();
    private final ChunkPool pool;
    private final LinkEgress[] egressByLink;
    /** Null for a link without a feed. Apart from its queues, which a state on a feed does not touch. */
    private final FeedEgress[] feedByLink;
    private final LinkEgress[] dirty;
    /** Over UDP, and over shared memory. */
    private final FeedEgress[] feeds = new FeedEgress[FEEDS];
    private final TrunkEncoder messages = new TrunkEncoder();
    private LongSupplier turn = () -> 0;
    private int dirtyCount;
    private long turnNs;
    private int datagrams;

    LoopEgress(final LoopContext context, final LinkListener listener)
    {
        this.listener = listener;
        counters = context.counters();
        trunks = context.trunks();
        pool = new ChunkPool(trunks.queueMemory());
        egressByLink = new LinkEgress[context.trunks().limit()];
        feedByLink = new FeedEgress[context.trunks().limit()];
        dirty = new LinkEgress[context.trunks().limit()];
        for (int i = 0; i < FEEDS; i++)
        {
            feeds[i] = new FeedEgress(counters, pool, trunks.queueLength(), trunks.feedReceiversPerLink());
        }
    }

    /** Receives changes of links. */
    interface LinkListener
    {
        /** The link is a slow consumer: blocked for too long, or its event queue is full. It should be closed. */
        void onSlow(int link);

        /** The link takes messages again, after states to it were dropped, or has left the feed. */
        void onStatesLost(int link);
    }

    /** Source of the current or last turn's number. */
    void turn(final LongSupplier value)
    {
        turn = value;
    }

    void attach(final LinkAttachment attachment)
    {
        final LinkEgress egress = attachment.egress();
        egress.pool(pool, trunks.queueLength());
        egressByLink[egress.link] = egress;
    }

    /** Whether the link was attached. Its queues are no longer referenced afterwards. */
    boolean detach(final int link)
    {
        final LinkEgress egress = egressByLink[link];
        egressByLink[link] = null;
        if (null == egress)
        {
            return false;
        }
        egress.clear();
        leaveFeed(egress);
        if (egress.isDirty())
        {
            forget(egress);
        }
        return true;
    }

    /**
     * A trunk receives a feed, or no feed, from the next turn on. Between turns.
     *
     * @return false if it still has states of earlier turns, because they must precede states of the feed. Then retry.
     */
    boolean tryChangeFeed(final LinkFeed.Change change)
    {
        final LinkEgress egress = egressByLink[change.link()];
        if (null == egress)
        {
            return true;
        }
        if (null == change.feed())
        {
            if (leaveFeed(egress))
            {
                listener.onStatesLost(egress.link);
            }
            return true;
        }
        if (!hasSentStates(egress))
        {
            return false;
        }
        leaveFeed(egress);
        final FeedEgress feed = feeds[change.feed().isShared() ? 1 : 0];
        feed.addReceiver(change.feed(), turnNs);
        feedByLink[egress.link] = feed;
        final long first = turn.getAsLong() + 1;
        egress.turn(first);
        sent(egress, feed.putBegin(egress.events, first) || makeRoom(egress) && feed.putBegin(egress.events, first));
        return true;
    }

    /** A loaded loop may hold back less than a packet. */
    private boolean hasSentStates(final LinkEgress egress)
    {
        if (!egress.states.isEmpty() && send(egress))
        {
            forget(egress);
        }
        return egress.states.isEmpty();
    }

    private boolean leaveFeed(final LinkEgress egress)
    {
        final boolean hadFeed = null != feedByLink[egress.link];
        if (hadFeed)
        {
            feedByLink[egress.link].removeReceiver();
            feedByLink[egress.link] = null;
        }
        return hadFeed;
    }

    /** Time at which {@link #showAlive} has work. */
    long aliveDueNs()
    {
        return Math.min(feeds[0].aliveDueNs(), feeds[1].aliveDueNs());
    }

    /** Show the receivers of idle feeds that the feeds are alive. */
    int showAlive(final long nowNs)
    {
        int shown = 0;
        for (final FeedEgress feed : feeds)
        {
            if (nowNs >= feed.aliveDueNs())
            {
                feed.showAlive(nowNs);
                shown++;
            }
        }
        return shown;
    }

    private void forget(final LinkEgress egress)
    {
        int kept = 0;
        for (int i = 0; i < dirtyCount; i++)
        {
            if (dirty[i] != egress)
            {
                dirty[kept++] = dirty[i];
            }
        }
        dirty[--dirtyCount] = null;
    }

    /** Reports of all attached links. */
    void report(final RoomHost host, final List<LinkReport> reports)
    {
        for (final LinkEgress egress : egressByLink)
        {
            if (null != egress)
            {
                reports.add(new LinkReport(egress.link, host.seats(egress.link), egress.size(), egress.isBlocked(),
                    egress.publication.isClosed() ? 0 : egress.publication.position(), egress.statesDropped()));
            }
        }
    }

    boolean isWaiting()
    {
        return 0 != waiting();
    }

    /** Number of links and feeds with queued messages. */
    int waiting()
    {
        return dirtyCount + (feeds[0].isWaiting() ? 1 : 0) + (feeds[1].isWaiting() ? 1 : 0);
    }

    /** The largest number of datagrams, beyond the first, that one link was given since the last call. */
    int takeDatagrams()
    {
        final int taken = datagrams;
        datagrams = 0;
        return taken;
    }

    void turnTime(final long nowNs)
    {
        turnNs = nowNs;
    }

    /**
     * Send queued messages. A loaded loop holds back less than a packet for a moment. More messages follow soon, and
     * the cost of a packet hardly depends on its length.
     */
    void send(final boolean isLoaded)
    {
        int kept = 0;
        for (int i = 0; i < dirtyCount; i++)
        {
            final LinkEgress egress = dirty[i];
            final boolean isHeld = isLoaded && turnNs - egress.dirtySinceNs() < LoopContext.HOLD_NS &&
                egress.isLessThanPacket();
            if (isHeld || !send(egress))
            {
                dirty[kept++] = egress;
            }
        }
        for (int i = kept; i < dirtyCount; i++)
        {
            dirty[i] = null;
        }
        dirtyCount = kept;
        // After the trunks, because a seat must be known before the states that follow its Joined.
        for (final FeedEgress feed : feeds)
        {
            feed.send(isLoaded, turnNs, trunks.statePatienceNs());
        }
    }

    /** A state that feeds carry goes there once, and to trunks without a feed. */
    void toLinks(
        final RoomLinks links,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final boolean isForFeed = Outputs.STATE == outputClass && Outputs.MASK != audience && links.isFeedAllowed();
        final int count = links.linkCount();
        boolean isFed = false;
        for (int i = 0; i < count; i++)
        {
            if (links.isReceiving(i, outputClass, audience, selector))
            {
                final int link = links.linkAt(i);
                final FeedEgress feed = isForFeed ? feedByLink[link] : null;
                if (null != feed && feed.isWorth(count) && feed.fits(length))
                {
                    feed.due();
                    isFed = true;
                }
                else
                {
                    message(link, roomId, outputClass, audience, selector, buffer, offset, length);
                }
            }
        }
        if (isFed)
        {
            feed(links.nextFeedNumber(), roomId, audience, selector, buffer, offset, length);
        }
    }

    private void feed(
        final int number,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        for (final FeedEgress feed : feeds)
        {
            if (feed.takeDue())
            {
                feed.state(turn.getAsLong(), number, roomId, audience, selector, buffer, offset, length);
            }
        }
    }

    void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final LinkEgress egress = egressByLink[link];
        if (null == egress || egress.isSlow())
        {
            return;
        }
        if (Outputs.EVENT == outputClass)
        {
            sent(egress, hasQueuedEvent(egress, roomId, audience, selector, buffer, offset, length) ||
                makeRoom(egress) && hasQueuedEvent(egress, roomId, audience, selector, buffer, offset, length));
            return;
        }
        if (!encoder.message(egress, roomId, outputClass, audience, selector, buffer, offset, length))
        {
            egress.onStateDropped();
            counters.statesDropped(1 + egress.dropStates());
        }
        dirty(egress);
    }

    private boolean hasQueuedEvent(
        final LinkEgress egress,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        return hasBegunTurn(egress, turn.getAsLong()) &&
            encoder.message(egress, roomId, Outputs.EVENT, audience, selector, buffer, offset, length);
    }

    void control(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        final LinkEgress egress = Outputs.NO_LINK == link ? null : egressByLink[link];
        if (null != egress && !egress.isSlow())
        {
            sent(egress, hasQueuedControl(egress, buffer, offset, length) ||
                makeRoom(egress) && hasQueuedControl(egress, buffer, offset, length));
        }
    }

    private boolean hasQueuedControl(
        final LinkEgress egress, final DirectBuffer buffer, final int offset, final int length)
    {
        return hasBegunTurn(egress, turn.getAsLong()) && EgressEncoder.control(egress, buffer, offset, length);
    }

    /**
     * With a feed, states and events arrive in no order. A trunk with a feed therefore gets the numbers of turns. False
     * if there is no space for the number of this turn.
     */
    private boolean hasBegunTurn(final LinkEgress egress, final long number)
    {
        if (null == feedByLink[egress.link] || !egress.isNewTurn(number))
        {
            return true;
        }
        final int at = BatchSender.claim(
            egress.events, TrunkMessages.ENTRY_HEADER_LENGTH + TrunkEncoder.turnLength());
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        messages.turn(egress.events.buffer(), at, number);
        egress.turn(number);
        return true;
    }

    /** Note the newest accepted sequence of a seat, if the link's client asked for it. */
    void accepted(final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        final LinkEgress egress = Outputs.NO_LINK == link ? null : egressByLink[link];
        if (null != egress && null != egress.accepted && !egress.isSlow())
        {
            sent(egress, egress.accepted.put(roomId, seatIndex, generation, sequence));
        }
    }

    /** Whether the queues are empty or were discarded. */
    private boolean send(final LinkEgress egress)
    {
        if (egress.isSlow())
        {
            egress.clean();
            return true;
        }
        final int waiting = egress.size();
        final int status = egress.trySend();
        final int taken = waiting - egress.size();
        datagrams = Math.max(datagrams, taken / egress.publication.maxPayloadLength());
        egress.share(Math.min(trunks.queueLength(), egress.events.size() + pool.free()));
        if (BatchSender.SENT == status)
        {
            if (egress.sent())
            {
                listener.onStatesLost(egress.link);
            }
            return true;
        }
        if (BatchSender.CLOSED == status)
        {
            // The edge also sees this, and detaches the link.
            egress.clear();
            egress.clean();
            return true;
        }
        counters.blocked();
        egress.blocked(turnNs, taken > 0);
        final int dropped = egress.dropOldStates(turnNs, trunks.statePatienceNs());
        if (0 != dropped)
        {
            counters.statesDropped(dropped);
        }
        if (turnNs - egress.stuckSinceNs() > trunks.slowNs())
        {
            slow(egress);
        }
        return false;
    }

    private void sent(final LinkEgress egress, final boolean isQueued)
    {
        if (isQueued)
        {
            dirty(egress);
        }
        else
        {
            // A stream of events with a hole in it would be a lie. The trunk is closed, and its seats get a full state
            // when it is resumed.
            counters.eventLost();
            slow(egress);
        }
    }

    /**
     * Make room for an event that did not fit, and return whether to retry it. If the pool is empty, the states of
     * blocked links are dropped. If that does not free space, the trunk with the longest queue of events is closed. It
     * may be this trunk.
     */
    private boolean makeRoom(final LinkEgress egress)
    {
        if (0 != pool.free())
        {
            return false;
        }
        LinkEgress largest = egress;
        for (int i = 0; i < dirtyCount; i++)
        {
            final LinkEgress other = dirty[i];
            if (other.isBlocked())
            {
                counters.statesDropped(other.dropStates());
            }
            largest = other.events.size() > largest.events.size() ? other : largest;
        }
        if (0 == pool.free() && largest != egress)
        {
            slow(largest);
        }
        return 0 != pool.free();
    }

    /** Close the trunk of a link. */
    private void slow(final LinkEgress egress)
    {
        if (!egress.isSlow())
        {
            egress.close();
            listener.onSlow(egress.link);
        }
    }

    private void dirty(final LinkEgress egress)
    {
        if (!egress.isDirty())
        {
            egress.dirty(turnNs);
            dirty[dirtyCount++] = egress;
        }
    }
}
