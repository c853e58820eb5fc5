package io.escapement.tokens;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.security.GeneralSecurityException;

/**
 * A key of a set. Its type fixes its algorithm, and a token cannot choose another algorithm.
 *
 * @param algorithm       or null if the key is for an algorithm that is not supported.
 * @param isForSignatures whether its use allows to verify.
 * @param signatureLength in bytes.
 * @param verifier        or null without an algorithm.
 */
record TokenKey(TokenAlgorithm algorithm, boolean isForSignatures, int signatureLength, JWSVerifier verifier)
{
    private static final int MIN_RSA_BITS = 2_048;
    /** A longer modulus takes milliseconds per log-in, and its signature hardly fits the credentials. */
    private static final int MAX_RSA_BITS = 4_096;
    private static final int MIN_SECRET_LENGTH = 32;
    private static final int MAC_LENGTH = 32;
    private static final int CURVE_SIGNATURE_LENGTH = 64;

    /** Null for a key that no supported algorithm uses. */
    static TokenKey of(final JWK jwk) throws JOSEException, GeneralSecurityException
    {
        final TokenKey key = ofType(jwk);
        if (null == key)
        {
            return null;
        }
        final boolean isForSignatures =
            (null == jwk.getKeyUse() || KeyUse.SIGNATURE.equals(jwk.getKeyUse())) &&
            (null == jwk.getKeyOperations() || jwk.getKeyOperations().contains(KeyOperation.VERIFY));
        final boolean isOfAlgorithm =
            null == jwk.getAlgorithm() || key.algorithm == TokenAlgorithm.of(jwk.getAlgorithm().getName());
        return new TokenKey(
            isOfAlgorithm ? key.algorithm : null, isForSignatures, key.signatureLength, key.verifier);
    }

    private static TokenKey ofType(final JWK jwk) throws JOSEException, GeneralSecurityException
    {
        if (jwk instanceof RSAKey rsa && rsa.size() >= MIN_RSA_BITS && rsa.size() <= MAX_RSA_BITS)
        {
            return new TokenKey(
                TokenAlgorithm.RS256, true, rsa.size() / Byte.SIZE, new RSASSAVerifier(rsa.toRSAPublicKey()));
        }
        if (jwk instanceof ECKey curve && Curve.P_256.equals(curve.getCurve()))
        {
            return new TokenKey(
                TokenAlgorithm.ES256, true, CURVE_SIGNATURE_LENGTH, new ECDSAVerifier(curve.toECPublicKey()));
        }
        if (jwk instanceof OctetKeyPair pair && Curve.Ed25519.equals(pair.getCurve()) &&
            Ed25519Verifier.KEY_LENGTH == pair.getDecodedX().length)
        {
            return new TokenKey(
                TokenAlgorithm.EDDSA, true, CURVE_SIGNATURE_LENGTH, new Ed25519Verifier(pair.getDecodedX()));
        }
        return jwk instanceof OctetSequenceKey secret && secret.toByteArray().length >= MIN_SECRET_LENGTH ?
            new TokenKey(TokenAlgorithm.HS256, true, MAC_LENGTH, new MACVerifier(secret.toByteArray())) : null;
    }
}
