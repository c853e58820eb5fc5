package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import java.util.concurrent.atomic.AtomicLongArray;

/** The counters and gauges of one worker, which is their only writer. Any thread may read them. */
final class GatewayCounters
{
    private static final GatewayCounter[] COUNTERS = GatewayCounter.values();

    private final AtomicLongArray values = new AtomicLongArray(COUNTERS.length);
    private volatile int connections;
    private volatile int sessions;
    private volatile int seats;
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
        increment(GatewayCounter.valueOf("CLOSED_" + code.name()));
    }

    long get(final GatewayCounter counter)
    {
        return values.getAcquire(counter.ordinal());
    }

    void gauges(final int openConnections, final int openSessions, final int takenSeats, final boolean isUp)
    {
        connections = openConnections;
        sessions = openSessions;
        seats = takenSeats;
        isTrunkUp = isUp;
    }

    int connections()
    {
        return connections;
    }

    int sessions()
    {
        return sessions;
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
