package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkProof;
import io.escapement.engine.spi.Authenticator;

/** Gives a trunk to everyone who knows the secret. */
public final class HmacAuthenticator implements Authenticator
{
    private final TrunkProof proof;
    private final Verdict verdict;

    /**
     * Keep the secret.
     *
     * @param secret    at least 16 bytes.
     * @param isTrusted whether those who know it may name their players.
     */
    public HmacAuthenticator(final byte[] secret, final boolean isTrusted)
    {
        proof = new TrunkProof(secret);
        verdict = isTrusted ? Verdict.TRUSTED : Verdict.ACCEPTED;
    }

    @Override
    public Verdict authenticate(final Challenge challenge, final byte[] credentials)
    {
        final byte[] wanted = proof.of(challenge.clientHigh(), challenge.clientLow(),
            challenge.serverHigh(), challenge.serverLow(), challenge.identity());
        return TrunkProof.isEqual(wanted, credentials) ? verdict : Verdict.REFUSED;
    }
}
