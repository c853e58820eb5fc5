package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import java.util.EnumMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** The counters and gauges of one worker, which is their only writer. Any thread may read them. */
final class GatewayCounters
{
    private static final GatewayCounter[] COUNTERS = GatewayCounter.values();
    private static final EnumMap<CloseCode, GatewayCounter> CLOSED = new EnumMap<>(CloseCode.class);

    static
    {
        for (final CloseCode code : CloseCode.values())
        {
            if (CloseCode.NULL_VAL != code && CloseCode.SBE_UNKNOWN != code)
            {
                CLOSED.put(code, GatewayCounter.valueOf("CLOSED_" + code.name()));
            }
        }
    }

    private final AtomicLongArray values = new AtomicLongArray(COUNTERS.length);
    private final CodeCounts refusals = new CodeCounts();
    private final TurnTimes turns = new TurnTimes();
    private volatile int connections;
    private volatile int greeted;
    private volatile int sessions;
    private volatile int detached;
    private volatile int seats;
    private volatile long queuedBytes;
    private volatile long roundTripNs;
    private volatile boolean isTrunkUp;

    void increment(final GatewayCounter counter)
    {
        add(counter, 1);
    }

    void add(final GatewayCounter counter, final long amount)
    {
        values.setRelease(counter.ordinal(), values.getPlain(counter.ordinal()) + amount);
    }

    void closed(final CloseCode code)
    {
        increment(CLOSED.get(code));
    }

    /** Count a refusal, in total and per code. The code may be an application code. */
    void refused(final GatewayCounter counter, final int code)
    {
        increment(counter);
        refusals.increment(code);
    }

    TurnTimes turns()
    {
        return turns;
    }

    CodeCounts refusals()
    {
        return refusals;
    }

    long get(final GatewayCounter counter)
    {
        return values.getAcquire(counter.ordinal());
    }

    void gauges(
        final Connections allConnections, final SessionTable table, final Places places, final Upstream upstream)
    {
        connections = allConnections.size();
        greeted = allConnections.greeted();
        queuedBytes = allConnections.queuedBytes();
        sessions = table.size();
        detached = table.detached();
        seats = places.seats();
        roundTripNs = upstream.roundTripNs();
        isTrunkUp = upstream.isUp();
        values.setRelease(GatewayCounter.FEED_GAPS.ordinal(), upstream.feedGaps());
        values.setRelease(GatewayCounter.FEEDS_LEFT.ordinal(), upstream.feedsLeft());
    }

    /** Connections with an accepted Hello. */
    int greeted()
    {
        return greeted;
    }

    /** Sessions without a connection. */
    int detached()
    {
        return detached;
    }

    /** Of the trunk's last keepalive. */
    long roundTripNs()
    {
        return roundTripNs;
    }

    int connections()
    {
        return connections;
    }

    int sessions()
    {
        return sessions;
    }

    /** Of all connections. */
    long queuedBytes()
    {
        return queuedBytes;
    }

    int seats()
    {
        return seats;
    }

    boolean isTrunkUp()
    {
        return isTrunkUp;
    }
}
