package io.escapement.cluster;

import io.aeron.security.Authenticator;
import io.aeron.security.CredentialsSupplier;
import io.aeron.security.SessionProxy;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Admits two kinds of clients. Parts of this process know random bytes that never leave it. Other members answer a
 * challenge. Other clients are rejected. Called by the thread of the archive or of the consensus module. Any thread may
 * call the credentials.
 */
final class NodeGuard implements Authenticator, CredentialsSupplier
{
    /** A part of this process. */
    static final byte[] LOCAL = {1};
    /** Another member. */
    static final byte[] MEMBER = {2};

    private static final int RANDOM_LENGTH = 32;
    /** Members that have not answered, or had closed their session before. */
    private static final int MAX_SESSIONS = 1_024;
    private static final byte[] NOTHING = {};

    /** The knowledge of a session that is not authenticated yet. */
    private static final class Visitor
    {
        /** Null for a stranger. */
        byte[] principal;
        /** Null for a part of this process. */
        byte[] challenge;
        boolean hasAnswered;
    }

    private final MemberKey key;
    private final LongPredicate isForMembers;
    private final byte[] secret = random();
    private final Map<Long, Visitor> visitors = new LinkedHashMap<>()
    {
        @Override
        protected boolean removeEldestEntry(final Map.Entry<Long, Visitor> eldest)
        {
            return size() > MAX_SESSIONS;
        }
    };

    /**
     * A guard without visitors.
     *
     * @param key          of the members.
     * @param isForMembers says of a session's number whether a member may be the visitor.
     */
    NodeGuard(final MemberKey key, final LongPredicate isForMembers)
    {
        this.key = key;
        this.isForMembers = isForMembers;
    }

    @Override
    public byte[] encodedCredentials()
    {
        return secret.clone();
    }

    @Override
    public byte[] onChallenge(final byte[] challenge)
    {
        return NOTHING;
    }

    @Override
    public void onConnectRequest(final long sessionId, final byte[] credentials, final long nowMs)
    {
        final Visitor visitor = new Visitor();
        if (MessageDigest.isEqual(secret, credentials))
        {
            visitor.principal = LOCAL;
        }
        else if (isForMembers.test(sessionId) && key.isHello(credentials))
        {
            visitor.challenge = random();
        }
        visitors.put(sessionId, visitor);
    }

    @Override
    public void onConnectedSession(final SessionProxy session, final long nowMs)
    {
        final Visitor visitor = visitors.get(session.sessionId());
        if (null != visitor && null != visitor.challenge)
        {
            // Repeated by the caller where there is no room for it.
            session.challenge(visitor.challenge);
        }
        else
        {
            decide(session, visitor);
        }
    }

    @Override
    public void onChallengeResponse(final long sessionId, final byte[] credentials, final long nowMs)
    {
        final Visitor visitor = visitors.get(sessionId);
        if (null != visitor && null != visitor.challenge && !visitor.hasAnswered)
        {
            visitor.hasAnswered = true;
            visitor.principal = key.isAnswer(visitor.challenge, credentials) ? MEMBER : null;
        }
    }

    @Override
    public void onChallengedSession(final SessionProxy session, final long nowMs)
    {
        final Visitor visitor = visitors.get(session.sessionId());
        if (null == visitor || visitor.hasAnswered)
        {
            decide(session, visitor);
        }
    }

    private void decide(final SessionProxy session, final Visitor visitor)
    {
        if (null == visitor || null == visitor.principal)
        {
            visitors.remove(session.sessionId());
            session.reject();
        }
        else if (session.authenticate(visitor.principal))
        {
            visitors.remove(session.sessionId());
        }
    }

    private static byte[] random()
    {
        final byte[] bytes = new byte[RANDOM_LENGTH];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
