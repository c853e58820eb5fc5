package io.escapement.tokens;

import com.nimbusds.jose.JWSAlgorithm;

/** An algorithm of signatures. Each key has one algorithm. */
enum TokenAlgorithm
{
    HS256(JWSAlgorithm.HS256),
    RS256(JWSAlgorithm.RS256),
    ES256(JWSAlgorithm.ES256),
    EDDSA(JWSAlgorithm.EdDSA);

    private final JWSAlgorithm name;

    TokenAlgorithm(final JWSAlgorithm name)
    {
        this.name = name;
    }

    JWSAlgorithm jws()
    {
        return name;
    }

    /** The algorithm of this name, or null. */
    static TokenAlgorithm of(final String name)
    {
        for (final TokenAlgorithm algorithm : values())
        {
            if (algorithm.name.getName().equals(name))
            {
                return algorithm;
            }
        }
        return null;
    }
}
