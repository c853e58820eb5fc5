package io.escapement.client;

import io.escapement.codecs.trunk.FeedOfferedDecoder;
import io.escapement.codecs.trunk.FeedPacket;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The feed of a loop. The client subscribes, names its port to the engine, and reports when the feed arrives. From a
 * turn that the engine names on the trunk, states for all seats arrive on the feed. When the feed is silent, they
 * arrive on the trunk, and the client resubscribes.
 *
 * <p>A packet that is missing makes all rooms of the loop suspect. The next state of a room clears it if it has the
 * room's next number. For the other rooms the client reports lost states: at the next but one inspection at the latest.
 */
final class LoopFeed implements AutoCloseable
{
    /** The engine shows every 100 ms that a feed is alive. */
    private static final long SILENCE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(5);
    /** Two of them are less than the 500 ms in which a lost state is reported, and 4 per second are accepted. */
    private static final long INSPECTION_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long NO_TURN = -1;

    private final TrunkStream.Factory streams;
    private final EgressAdapter egress;
    private final TrunkProxy proxy;
    private final NanoClock clock;
    private final int loop;
    private final int id;
    private final int sessionId;
    private final int streamId;
    private final String group;
    /** Null while the client waits to subscribe again. */
    private FeedStream stream;
    private boolean hasNamedPort;
    private boolean isOn;
    private final Backoff retries;
    private long openedNs;
    private long packetNs;
    /** The first turn with states that the trunk does not have. */
    private long firstTurn = NO_TURN;
    /** Of the latest states. */
    private long lastTurn = NO_TURN;
    /** Of the last packet, from that turn on. */
    private int number;
    private int gaps;
    private int gapsInspected;
    /** Of the inspection before. */
    private int gapsReported;
    /** Whether a room may miss a state that was not reported. */
    private boolean isSuspected;
    private long inspectedNs;

    LoopFeed(
        final TrunkContext context,
        final EgressAdapter egress,
        final TrunkProxy proxy,
        final FeedOfferedDecoder offer,
        final String group)
    {
        streams = context.streams();
        clock = context.clock();
        this.egress = egress;
        this.proxy = proxy;
        loop = offer.loop();
        id = offer.feedId();
        sessionId = offer.sessionId();
        streamId = offer.streamId();
        this.group = group;
        retries = context.newFeedBackoff();
        inspectedNs = clock.nanoTime();
        open(inspectedNs);
    }

    /** Packets wait until the trunk has named the first turn, so that no state before it is delivered after them. */
    int poll()
    {
        return null == stream || NO_TURN == firstTurn ? 0 : stream.poll();
    }

    void advance(final long nowNs)
    {
        if (null == stream)
        {
            if (retries.isDue(nowNs))
            {
                open(nowNs);
            }
            return;
        }
        if (!hasNamedPort)
        {
            hasNamedPort = stream.isOpen() && proxy.feed(id, loop, stream.port(), false);
        }
        if (hasNamedPort && !isOn && stream.hasImage())
        {
            isOn = proxy.feed(id, loop, 0, true);
            packetNs = nowNs;
        }
        if (isOn ? nowNs - packetNs > SILENCE_NS || !stream.hasImage() : nowNs - openedNs > CONNECT_NS)
        {
            leave(nowNs);
        }
        if (isSuspected && nowNs - inspectedNs >= INSPECTION_NS)
        {
            inspectedNs = nowNs;
            inspect();
        }
    }

    private void open(final long nowNs)
    {
        openedNs = nowNs;
        hasNamedPort = false;
        firstTurn = NO_TURN;
        lastTurn = NO_TURN;
        stream = streams.openFeed(group, sessionId, streamId,
            (buffer, offset, length, header) -> onPacket(buffer, offset, length));
    }

    /** Ask for states on the trunk. The engine has the rooms send whole states. */
    private void leave(final long nowNs)
    {
        if (proxy.feed(id, loop, 0, false))
        {
            egress.onFeedLeft(loop, isOn);
            isOn = false;
            gaps = 0;
            gapsInspected = 0;
            gapsReported = 0;
            if (nowNs - openedNs > TrunkContext.MAX_FEED_RETRY_NS)
            {
                retries.onSuccess();
            }
            retries.onFailure(nowNs);
            close();
        }
    }

    /** The trunk gets no states of this turn and later that are on the feed, in this packet and later. */
    void onBegin(final long turn, final int packet)
    {
        if (isOn && NO_TURN == firstTurn)
        {
            firstTurn = turn;
            number = packet - 1;
            packetNs = clock.nanoTime();
        }
    }

    private void onPacket(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < FeedPacket.HEADER_LENGTH || FeedPacket.feedId(buffer, offset) != id)
        {
            egress.onMalformed();
            return;
        }
        packetNs = clock.nanoTime();
        final int ahead = FeedPacket.number(buffer, offset) - number;
        if (ahead <= 0)
        {
            // Before the start of the feed.
            return;
        }
        if (ahead > 1)
        {
            onGap();
        }
        number += ahead;
        if (length > FeedPacket.HEADER_LENGTH)
        {
            egress.onFeed(this, loop, FeedPacket.turn(buffer, offset), buffer, offset + FeedPacket.HEADER_LENGTH,
                offset + length);
        }
    }

    private void onGap()
    {
        gaps++;
        egress.onFeedGap();
        isSuspected = true;
    }

    /** Whether the states of a turn are not on the trunk. */
    boolean has(final long turn)
    {
        lastTurn = turn;
        return turn >= firstTurn;
    }

    /** Note a state of a room with its number. */
    void onState(final RoomSeats room, final short roomNumber)
    {
        isSuspected |= !room.onFeedState(roomNumber, gaps);
    }

    /** A seat has become present in a turn. States of that turn may have arrived before, and not for the seat. */
    void onPresent(final RoomSeats room, final long turn)
    {
        room.onPresent(gapsReported);
        if (lastTurn >= turn)
        {
            room.onStateLost();
            isSuspected = true;
        }
    }

    /** A state of a room arrived on the trunk. */
    void onTrunkState(final RoomSeats room)
    {
        room.onTrunkState(gaps);
    }

    /** The engine takes few reports at once, and a trunk that lost packets delivers several at once. */
    void onReportRefused(final RoomSeats room)
    {
        room.onStateLost();
        isSuspected = true;
    }

    /**
     * Report the rooms that were suspected at the last inspection and have received no state since that clears them.
     */
    private void inspect()
    {
        gapsReported = gapsInspected;
        gapsInspected = gaps;
        isSuspected = egress.reportLost(loop, gapsReported, gaps);
    }

    @Override
    public void close()
    {
        if (null != stream)
        {
            stream.close();
            stream = null;
        }
    }
}
