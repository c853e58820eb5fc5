package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.security.Authenticator;
import io.aeron.security.CredentialsSupplier;
import io.aeron.security.SessionProxy;
import java.security.MessageDigest;
import java.security.SecureRandom;
import org.agrona.collections.LongHashSet;

/**
 * Lets only the loops of this process propose: they know random bytes, which never leave it. A node that asks for the
 * snapshots has no session and can propose nothing; members do not authenticate each other, and their archives are open
 * on the same network. Called by the consensus module's thread, the credentials by any.
 */
final class SessionGuard implements Authenticator, CredentialsSupplier
{
    private static final int SECRET_LENGTH = 32;
    private static final byte[] NO_PRINCIPAL = {};

    private final byte[] secret = new byte[SECRET_LENGTH];
    private final LongHashSet accepted = new LongHashSet();

    SessionGuard()
    {
        new SecureRandom().nextBytes(secret);
    }

    @Override
    public byte[] encodedCredentials()
    {
        return secret.clone();
    }

    @Override
    public byte[] onChallenge(final byte[] encodedChallenge)
    {
        return NO_PRINCIPAL;
    }

    @Override
    public void onConnectRequest(final long sessionId, final byte[] encodedCredentials, final long nowMs)
    {
        if (MessageDigest.isEqual(secret, encodedCredentials))
        {
            accepted.add(sessionId);
        }
    }

    @Override
    public void onChallengeResponse(final long sessionId, final byte[] encodedCredentials, final long nowMs)
    {
        // Nobody is challenged.
    }

    @Override
    public void onConnectedSession(final SessionProxy sessionProxy, final long nowMs)
    {
        if (Aeron.NULL_VALUE == sessionProxy.sessionId() || accepted.remove(sessionProxy.sessionId()))
        {
            sessionProxy.authenticate(NO_PRINCIPAL);
        }
        else
        {
            sessionProxy.reject();
        }
    }

    @Override
    public void onChallengedSession(final SessionProxy sessionProxy, final long nowMs)
    {
        sessionProxy.reject();
    }
}
