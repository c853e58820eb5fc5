package io.escapement.driver.guard;

import io.aeron.protocol.SetupFlyweight;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The sessions of a receive endpoint and their places. A session keeps its place until its image is gone: there are
 * never more images than places. Hosts with lasting trunks are established. Every other host is a stranger.
 *
 * <p>A quarter of the places is only for established hosts. A stranger gets in while its host has less than twice as
 * many places as are free for strangers: one host gets two thirds of them at most, which is half of all, and the next
 * host two thirds of the rest. Confined to the receiver thread.
 */
final class GuardedSessions
{
    private static final int SHARE_OF_ESTABLISHED = 4;
    private static final int STRANGER_PER_FREE = 2;
    /** A search reads the counters of all streams of the driver. */
    private static final long SEARCH_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Long2ObjectHashMap<GuardedSession> sessionByKeyMap = new Long2ObjectHashMap<>();
    /** An entry for each host of a session that counts as a stranger's: at most as many as places. */
    private final Map<InetAddress, Integer> strangersByHostMap = new HashMap<>();
    private final int limit;
    private final int strangerLimit;
    private final long inactivityTimeoutNs;
    private final ResponsePins responsePins;
    private final LiveImages images;
    private int strangers;
    private int searches;
    private long searchedNs;

    GuardedSessions(
        final int limit,
        final long inactivityTimeoutNs,
        final ResponsePins responsePins,
        final LiveImages images,
        final long nowNs)
    {
        this.limit = limit;
        strangerLimit = limit - limit / SHARE_OF_ESTABLISHED;
        this.inactivityTimeoutNs = inactivityTimeoutNs;
        this.responsePins = responsePins;
        this.images = images;
        searchedNs = nowNs - SEARCH_INTERVAL_NS;
    }

    GuardedSession get(final long key)
    {
        return sessionByKeyMap.get(key);
    }

    boolean isInactive(final GuardedSession session, final long nowNs)
    {
        return session.isInactive(nowNs, inactivityTimeoutNs);
    }

    /** Release the place of an inactive session if its image is gone. False when it must wait. */
    boolean tryRelease(final long key, final long nowNs)
    {
        releaseInactive(nowNs);
        return !sessionByKeyMap.containsKey(key);
    }

    /** The reason why a session from this address has no place, or null. */
    GuardCounter refusal(final InetSocketAddress source, final long nowNs)
    {
        final GuardCounter refusal = refusalNow(source.getAddress(), nowNs);
        return null != refusal && releaseInactive(nowNs) ? refusalNow(source.getAddress(), nowNs) : refusal;
    }

    /** Take a place, after {@link #refusal} found one. */
    void add(final long key, final InetSocketAddress source, final SetupFlyweight setup, final long nowNs)
    {
        final boolean isStranger = !responsePins.isEstablished(source.getAddress(), nowNs);
        if (isStranger)
        {
            strangers++;
            strangersByHostMap.merge(source.getAddress(), 1, Integer::sum);
        }
        sessionByKeyMap.put(key, new GuardedSession(source, setup, nowNs, isStranger));
    }

    void pinResponse(final GuardedSession session, final int responseSessionId, final long nowNs)
    {
        if (!session.hasResponse() || session.responseSessionId() != responseSessionId)
        {
            unpinResponse(session, nowNs);
            session.responseSessionId(responseSessionId);
            responsePins.pin(responseSessionId, session.source(), nowNs);
        }
    }

    void close(final long nowNs)
    {
        sessionByKeyMap.values().forEach((session) -> unpinResponse(session, nowNs));
    }

    private GuardCounter refusalNow(final InetAddress host, final long nowNs)
    {
        if (sessionByKeyMap.size() >= limit)
        {
            return GuardCounter.SESSION_LIMIT;
        }
        final boolean isWithinShare =
            strangersByHostMap.getOrDefault(host, 0) < STRANGER_PER_FREE * (strangerLimit - strangers);
        return isWithinShare || responsePins.isEstablished(host, nowNs) ? null : GuardCounter.SOURCE_LIMIT;
    }

    /** Release the places of sessions without an image, and of hosts that are no longer strangers. */
    private boolean releaseInactive(final long nowNs)
    {
        if (nowNs - searchedNs < SEARCH_INTERVAL_NS)
        {
            return false;
        }
        searchedNs = nowNs;
        searches++;
        images.forEach((key) ->
        {
            final GuardedSession session = sessionByKeyMap.get(key);
            if (null != session)
            {
                session.foundInSearch(searches);
            }
        });
        final Long2ObjectHashMap<GuardedSession>.ValueIterator sessions = sessionByKeyMap.values().iterator();
        while (sessions.hasNext())
        {
            final GuardedSession session = sessions.next();
            final InetAddress host = session.source().getAddress();
            final boolean isGone = isInactive(session, nowNs) && !session.isFoundInSearch(searches);
            if (session.isStranger() && (isGone || responsePins.isEstablished(host, nowNs)))
            {
                session.onEstablished();
                strangers--;
                strangersByHostMap.computeIfPresent(host, (name, count) -> 1 == count ? null : count - 1);
            }
            if (isGone)
            {
                unpinResponse(session, nowNs);
                sessions.remove();
            }
        }
        return true;
    }

    private void unpinResponse(final GuardedSession session, final long nowNs)
    {
        if (session.hasResponse())
        {
            responsePins.unpin(session.responseSessionId(), nowNs);
        }
    }
}
