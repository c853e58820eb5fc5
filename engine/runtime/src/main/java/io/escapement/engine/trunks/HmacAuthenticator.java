package io.escapement.engine.trunks;

import io.escapement.codecs.TrunkProof;
import io.escapement.engine.spi.Authenticator;

/** Accepts every client that proves knowledge of a shared secret. */
final class HmacAuthenticator implements Authenticator
{
    private final TrunkProof proof;
    private final Verdict verdict;

    HmacAuthenticator(final byte[] secret, final Verdict verdict)
    {
        proof = new TrunkProof(secret);
        this.verdict = verdict;
    }

    /** On clients that know the secret. */
    Verdict verdict()
    {
        return verdict;
    }

    @Override
    public Verdict authenticate(final Challenge challenge, final byte[] credentials)
    {
        final byte[] expected = proof.of(challenge.clientHigh(), challenge.clientLow(),
            challenge.serverHigh(), challenge.serverLow(), challenge.identity());
        return TrunkProof.isEqual(expected, credentials) ? verdict : Verdict.REFUSED;
    }
}
