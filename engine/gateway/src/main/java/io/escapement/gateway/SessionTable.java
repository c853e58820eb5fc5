package io.escapement.gateway;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashSet;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The sessions of a worker by their tokens. A token names its worker, so that another worker finds it. Sessions without
 * a connection are kept in the order in which they lost it, and in a limited number.
 */
final class SessionTable
{
    /** There are at most 64 workers. The other 122 bits of a token are random. */
    private static final int WORKER_BITS = 6;
    private static final int RANDOM_BITS = Long.SIZE - WORKER_BITS;

    private final Long2ObjectHashMap<PlayerSession> sessionByTokenMap = new Long2ObjectHashMap<>();
    private final LinkedHashSet<PlayerSession> detached = new LinkedHashSet<>();
    private final SecureRandom random;
    private final ResumeTokens tokens;
    private final int worker;
    private final int detachedLimit;

    SessionTable(final SecureRandom random, final ResumeTokens tokens, final int worker, final int detachedLimit)
    {
        this.random = random;
        this.tokens = tokens;
        this.worker = worker;
        this.detachedLimit = detachedLimit;
    }

    /** The worker that gave a token. */
    static int workerOf(final long tokenHigh)
    {
        return (int)(tokenHigh >>> RANDOM_BITS);
    }

    int size()
    {
        return sessionByTokenMap.size();
    }

    int detached()
    {
        return detached.size();
    }

    /** The sessions, with and without a connection. */
    Collection<PlayerSession> all()
    {
        return sessionByTokenMap.values();
    }

    /** The session that has this token, or null. */
    PlayerSession find(final long tokenHigh, final long tokenLow)
    {
        final PlayerSession session = sessionByTokenMap.get(tokenHigh);
        return null != session && 0 == (session.tokenLow ^ tokenLow) ? session : null;
    }

    /** Give a session a token that replaces its current token. */
    void putWithNewToken(final PlayerSession session)
    {
        forgetToken(session);
        do
        {
            session.tokenHigh = (long)worker << RANDOM_BITS | random.nextLong() >>> WORKER_BITS;
        }
        while (0 == session.tokenHigh || sessionByTokenMap.containsKey(session.tokenHigh));
        session.tokenLow = random.nextLong();
        sessionByTokenMap.put(session.tokenHigh, session);
        tokens.put(session);
    }

    private void forgetToken(final PlayerSession session)
    {
        sessionByTokenMap.remove(session.tokenHigh);
        tokens.remove(session);
    }

    /** A session has lost its connection. */
    void detach(final PlayerSession session, final long nowNs)
    {
        session.detachedNs = nowNs;
        detached.add(session);
    }

    void attach(final PlayerSession session)
    {
        detached.remove(session);
    }

    /** A session that has been detached for this long, or the oldest of too many, or null. */
    PlayerSession over(final long nowNs, final long graceNs)
    {
        if (detached.isEmpty())
        {
            return null;
        }
        final PlayerSession oldest = detached.iterator().next();
        return nowNs - oldest.detachedNs >= graceNs || detached.size() > detachedLimit ? oldest : null;
    }

    void remove(final PlayerSession session)
    {
        forgetToken(session);
        detached.remove(session);
    }
}
