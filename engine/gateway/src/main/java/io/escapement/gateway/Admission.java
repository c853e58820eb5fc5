package io.escapement.gateway;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which connections a worker keeps. Connections with a Hello have a limit. Connections without a Hello are of strangers
 * or of players who return with a session's token. Each kind has separate places. Strangers, however many, cannot keep
 * a player out. The worker's thread calls everything here, except for the count of connections that other workers hand
 * over.
 */
final class Admission
{
    /**
     * Places of returning players, beyond both limits. As many strangers may be connected when the worker is full: each
     * is refused by an answer, over TLS if need be, or shows a token.
     */
    static final int RESERVE = 64;

    private final GatewayLimits limits;
    private final Ungreeted strangers = new Ungreeted();
    private final Ungreeted returning = new Ungreeted();
    /** At most one per session. Another connection would replace it at its Hello. */
    private final Map<PlayerSession, Newcomer> returningBySessionMap = new IdentityHashMap<>();
    /** All of the worker. Another worker counts the connections that it hands over. */
    private final AtomicInteger channels = new AtomicInteger();

    Admission(final GatewayLimits limits)
    {
        this.limits = limits;
    }

    /** A connection was accepted. If strangers have no place left, the first of them makes room. */
    Ungreeted.Place enter(final Newcomer newcomer, final long addressBits)
    {
        channels.incrementAndGet();
        final Ungreeted.Place place = strangers.add(newcomer, addressBits);
        final int limit = Math.min(limits.ungreetedLimit(), Math.max(RESERVE, limits.connectionLimit() - held()));
        while (strangers.size() > limit)
        {
            strangers.first().displace();
        }
        return place;
    }

    /** Connections that are not of strangers: with a Hello, or of players who return. */
    private int held()
    {
        return channels.get() - strangers.size();
    }

    /** Whether a connection with a Hello finds no place. It may already be among the held connections. */
    boolean isFull(final boolean isHeld, final boolean hasReserve)
    {
        return held() - (isHeld ? 1 : 0) >= limits.connectionLimit() + (hasReserve ? RESERVE : 0);
    }

    /** A stranger has shown the token of a session. */
    void welcomeBack(final Newcomer newcomer, final Ungreeted.Place place, final PlayerSession session)
    {
        strangers.remove(place);
        returning.add(place);
        final Newcomer other = returningBySessionMap.put(session, newcomer);
        if (null != other)
        {
            other.displace();
        }
        else if (returning.size() > RESERVE)
        {
            returning.first().displace();
        }
    }

    /** A proxy has named the address of a connection. */
    void rename(final Ungreeted.Place place, final boolean isReturning, final long addressBits)
    {
        final Ungreeted places = isReturning ? returning : strangers;
        places.remove(place);
        place.addressBits(addressBits);
        places.add(place);
    }

    /** A connection has sent its Hello, or is gone. */
    void leave(final Ungreeted.Place place, final PlayerSession session)
    {
        if (null == session)
        {
            strangers.remove(place);
        }
        else
        {
            returning.remove(place);
            returningBySessionMap.remove(session, place.newcomer());
        }
    }

    /** Another worker hands a connection over, which has a place if it shows a token or a place is free. */
    boolean arrive(final boolean isReturning)
    {
        final boolean isFull = isFull(false, isReturning);
        channels.incrementAndGet();
        return !isFull;
    }

    /** A connection is closed, or goes to another worker. */
    void depart()
    {
        channels.decrementAndGet();
    }
}
