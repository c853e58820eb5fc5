package io.escapement.engine.internal.loop;

import io.aeron.Publication;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.FeedPacket;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.TrunkEncoder;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.internal.queue.ChunkPool;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The states for all seats of rooms, encoded once for all trunks that receive a feed. A dropped state has a number.
 * After a dropped state a packet number is skipped. Receivers then notice the gap even if the room sends no more.
 */
final class FeedEgress
{
    /** A receiver without a packet for some of these intervals knows that the feed has failed. */
    private static final long ALIVE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TURN_LENGTH = TrunkMessages.ENTRY_HEADER_LENGTH + TrunkEncoder.turnLength();
    private static final int QUEUE_LENGTH = 64 * 1_024;
    private static final int TURN_NUMBER = TURN_LENGTH - Long.BYTES;
    private static final int NONE = -1;

    /** A room is worth the feed if it has at least one link for this number of receivers. */
    private final int receiversPerLink;
    private final LoopCounters counters;
    private final ByteFifo queue = new ByteFifo(QUEUE_LENGTH);
    private final TrunkEncoder messages = new TrunkEncoder();
    private UnsafeBuffer packet = new UnsafeBuffer(0, 0);
    private LinkFeed feed;
    private int receivers;
    private int number;
    /** Turns of the first and the last queued state. */
    private long headTurn;
    private long lastTurn;
    private long sentNs;
    /** Time of the flush of the first queued state. The flush is still due if the state is fresh. */
    private long queuedNs;
    private boolean isFresh;
    /** Bytes that were queued at {@link #oldSinceNs}, when the driver last took no bytes. */
    private int oldLength;
    private long oldSinceNs;
    /** Queued bytes after which a state had no space, or {@link #NONE}. */
    private int lostAfter = NONE;
    private boolean isDue;

    FeedEgress(final LoopCounters counters, final ChunkPool pool, final int queueLength, final int receiversPerLink)
    {
        this.counters = counters;
        this.receiversPerLink = receiversPerLink;
        queue.pool(pool, queueLength);
    }

    /** A trunk receives the feed from now on. */
    void addReceiver(final LinkFeed newFeed, final long nowNs)
    {
        if (newFeed != feed)
        {
            feed = newFeed;
            packet = new UnsafeBuffer(new byte[newFeed.publication().maxPayloadLength()]);
            clear();
            number = 0;
            sentNs = nowNs;
        }
        receivers++;
        counters.feedReceivers(1);
    }

    /** A trunk receives the feed no more. */
    void removeReceiver()
    {
        receivers--;
        counters.feedReceivers(-1);
        if (0 == receivers)
        {
            clear();
        }
    }

    private void clear()
    {
        queue.clear();
        oldLength = 0;
        lostAfter = NONE;
    }

    /** Whether the states of a room that has a number of links are cheaper here than on the trunks. */
    boolean isWorth(final int links)
    {
        return (long)links * receiversPerLink >= receivers;
    }

    /** Whether a state fits a packet. */
    boolean fits(final int length)
    {
        return length <= packet.capacity() - FeedPacket.HEADER_LENGTH - FeedPacket.NUMBER_LENGTH - TURN_LENGTH -
            RoomMessage.MAX_HEADER_LENGTH;
    }

    /** Note that the state of this call is for a trunk of this feed. */
    void due()
    {
        isDue = true;
    }

    /** Whether the state of this call is for a trunk of this feed. False from now on. */
    boolean takeDue()
    {
        final boolean wasDue = isDue;
        isDue = false;
        return wasDue;
    }

    /** Queue a state. If it does not fit, it is dropped. */
    void state(
        final long turn,
        final int roomNumber,
        final long roomId,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (queue.isEmpty())
        {
            isFresh = true;
            headTurn = turn;
            lastTurn = turn;
        }
        final boolean isNewTurn = turn != lastTurn;
        final int headerLength = RoomMessage.headerLength(audience) + FeedPacket.NUMBER_LENGTH;
        int at = queue.claim((isNewTurn ? TURN_LENGTH : 0) + headerLength + length);
        if (ByteFifo.NO_ROOM == at)
        {
            counters.statesDropped(1);
            lostAfter = queue.size();
            return;
        }
        final UnsafeBuffer to = queue.buffer();
        if (isNewTurn)
        {
            lastTurn = turn;
            putTurn(to, at, turn);
            at += TURN_LENGTH;
        }
        RoomMessage.putHeader(to, at, true, roomId, audience, selector, length + FeedPacket.NUMBER_LENGTH);
        to.putShort(at + headerLength - FeedPacket.NUMBER_LENGTH, (short)roomNumber, LITTLE_ENDIAN);
        to.putBytes(at + headerLength, buffer, offset, length);
    }

    private void putTurn(final UnsafeBuffer to, final int at, final long turn)
    {
        to.putShort(at, (short)(TURN_LENGTH - TrunkMessages.ENTRY_HEADER_LENGTH), LITTLE_ENDIAN);
        messages.turn(to, at + TrunkMessages.ENTRY_HEADER_LENGTH, turn);
    }

    /** Queue for a trunk the turn and the packet with which the feed starts. */
    boolean putBegin(final ByteFifo events, final long turn)
    {
        final int at = BatchSender.claim(
            events, TrunkMessages.ENTRY_HEADER_LENGTH + TrunkEncoder.feedBeginsLength());
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        messages.feedBegins(events.buffer(), at, turn, number);
        return true;
    }

    boolean isWaiting()
    {
        return !queue.isEmpty();
    }

    /**
     * Send the queued states, as far as the driver takes them. A loaded loop holds back less than a packet for a
     * moment. States that waited too long are dropped.
     */
    void send(final boolean isLoaded, final long nowNs, final long patienceNs)
    {
        queuedNs = isFresh ? nowNs : queuedNs;
        isFresh = false;
        if (queue.isEmpty() ||
            isLoaded && nowNs - queuedNs < LoopContext.HOLD_NS && queue.size() < packet.capacity())
        {
            return;
        }
        if (!sendPackets(nowNs))
        {
            dropOld(nowNs, patienceNs);
        }
    }

    private boolean sendPackets(final long nowNs)
    {
        final int longest = packet.capacity() - FeedPacket.HEADER_LENGTH;
        int packets = 0;
        while (!queue.isEmpty())
        {
            final int head = queue.head();
            final int length = BatchSender.packetLength(queue.headBuffer(), head, queue.headEnd(), longest);
            final int padding = length < queue.size() ? BatchSender.padding(longest, length) : 0;
            packet.putBytes(FeedPacket.HEADER_LENGTH, queue.headBuffer(), head, length);
            packet.setMemory(FeedPacket.HEADER_LENGTH + length, padding, (byte)0);
            final long position = offer(FeedPacket.HEADER_LENGTH + length + padding);
            if (position < 0 && Publication.NOT_CONNECTED != position)
            {
                break;
            }
            number++;
            packets++;
            sentNs = nowNs;
            drop(length);
            oldLength = Math.max(0, oldLength - length);
            leaveOutNumber(length);
        }
        counters.feedPackets(packets);
        return queue.isEmpty();
    }

    /** Some bytes have left the queue. If a state was dropped after them, receivers suspect all rooms. */
    private void leaveOutNumber(final int length)
    {
        if (NONE != lostAfter)
        {
            lostAfter = Math.max(0, lostAfter - length);
            if (0 == lostAfter)
            {
                lostAfter = NONE;
                number++;
            }
        }
    }

    private long offer(final int length)
    {
        FeedPacket.putHeader(packet, 0, feed.id(), number, headTurn);
        long position = feed.publication().offer(packet, 0, length);
        for (int i = 1; Publication.ADMIN_ACTION == position && i < BatchSender.ADMIN_ACTION_ATTEMPTS; i++)
        {
            position = feed.publication().offer(packet, 0, length);
        }
        return position;
    }

    private void dropOld(final long nowNs, final long patienceNs)
    {
        if (0 != oldLength && nowNs - oldSinceNs <= patienceNs)
        {
            return;
        }
        if (0 != oldLength)
        {
            lostAfter = NONE == lostAfter ? oldLength : Math.max(oldLength, lostAfter);
            counters.statesDropped(drop(oldLength));
            leaveOutNumber(oldLength);
        }
        oldLength = queue.size();
        oldSinceNs = nowNs;
    }

    /** Remove whole messages from the queue. Returns the number of states. */
    private int drop(final int length)
    {
        int states = 0;
        for (int left = length; left > 0;)
        {
            final UnsafeBuffer buffer = queue.headBuffer();
            final int head = queue.head();
            final int size = RoomMessage.entrySize(buffer, head);
            if (RoomMessage.isAt(buffer, head, queue.headEnd()))
            {
                states++;
            }
            else
            {
                headTurn = buffer.getLong(head + TURN_NUMBER, LITTLE_ENDIAN);
            }
            queue.drop(size);
            left -= size;
        }
        return states;
    }

    /** Deadline to show receivers that the feed is alive, unless data is sent before. */
    long aliveDueNs()
    {
        return 0 == receivers ? Long.MAX_VALUE : sentNs + ALIVE_NS;
    }

    /** Show receivers that the feed is alive, and whether they miss its last packet. */
    void showAlive(final long nowNs)
    {
        sentNs = nowNs;
        if (offer(FeedPacket.HEADER_LENGTH) > 0)
        {
            number++;
        }
    }
}
