package io.escapement.tokens;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;

/** The keys of an identity provider at one time. Immutable. */
final class KeySet
{
    /** A set has a few keys of up to 1 KiB each. */
    static final int MAX_LENGTH = 64 * 1_024;
    static final int MAX_KEYS = 32;

    private static final int DEPTH_LIMIT = 6;
    private static final String NO_ID = "";

    private final Map<String, TokenKey> keyByIdMap;
    private final boolean hasSecret;

    private KeySet(final Map<String, TokenKey> keyByIdMap, final boolean hasSecret)
    {
        this.keyByIdMap = keyByIdMap;
        this.hasSecret = hasSecret;
    }

    /**
     * Read a set. Keys of types that are not supported are left out.
     *
     * @param json       of the set.
     * @param maySecrets whether the set may have secrets of HS256. Everybody reads the set of a URL.
     * @throws KeyFailure if it has no usable key, or is no set.
     */
    static KeySet parse(final byte[] json, final boolean maySecrets) throws KeyFailure
    {
        try
        {
            TokenJson.parse(json, DEPTH_LIMIT);
            final JWKSet set = JWKSet.parse(new String(json, StandardCharsets.UTF_8));
            KeyFailure.check(set.size() <= MAX_KEYS, KeyFailure.Kind.MALFORMED, "has more than " + MAX_KEYS + " keys");
            final Map<String, TokenKey> keyByIdMap = new HashMap<>();
            boolean hasSecret = false;
            for (final JWK jwk : set.getKeys())
            {
                final boolean isSecret = jwk instanceof OctetSequenceKey;
                final TokenKey key = isSecret && !maySecrets ? null : TokenKey.of(jwk);
                if (null != key)
                {
                    final String id = null == jwk.getKeyID() ? NO_ID : jwk.getKeyID();
                    KeyFailure.check(null == keyByIdMap.put(id, key), KeyFailure.Kind.MALFORMED,
                        "has two keys with the kid '" + id + "'");
                    hasSecret |= isSecret;
                }
            }
            KeyFailure.check(!keyByIdMap.isEmpty(), KeyFailure.Kind.MALFORMED,
                "has no key for HS256 (only in a file), RS256, ES256 or EdDSA with Ed25519");
            return new KeySet(keyByIdMap, hasSecret);
        }
        catch (final TokenRefusal | ParseException | JOSEException | GeneralSecurityException |
            IllegalArgumentException ex)
        {
            throw new KeyFailure(KeyFailure.Kind.MALFORMED, "is no JSON Web Key Set");
        }
    }

    /** The key with this id, or null. Without an id the only key. */
    TokenKey find(final String id)
    {
        return null == id ? 1 == keyByIdMap.size() ? keyByIdMap.values().iterator().next() : null : keyByIdMap.get(id);
    }

    int size()
    {
        return keyByIdMap.size();
    }

    boolean hasSecret()
    {
        return hasSecret;
    }
}
