package io.escapement.tokens;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Set;

/** Verifies signatures of Ed25519 with the JDK: Nimbus' verifier needs another library. Any thread. */
final class Ed25519Verifier implements JWSVerifier
{
    static final int KEY_LENGTH = 32;

    private static final String ALGORITHM = "Ed25519";

    private final PublicKey key;
    private final JCAContext context = new JCAContext();

    /** Of a key as RFC 8032 encodes it. */
    Ed25519Verifier(final byte[] encoded) throws GeneralSecurityException
    {
        final byte[] bigEndian = new byte[KEY_LENGTH];
        for (int i = 0; i < KEY_LENGTH; i++)
        {
            bigEndian[i] = encoded[KEY_LENGTH - 1 - i];
        }
        final boolean isXOdd = bigEndian[0] < 0;
        bigEndian[0] &= 0x7F;
        key = KeyFactory.getInstance(ALGORITHM).generatePublic(new EdECPublicKeySpec(
            NamedParameterSpec.ED25519, new EdECPoint(isXOdd, new BigInteger(1, bigEndian))));
    }

    @Override
    public boolean verify(final JWSHeader header, final byte[] input, final Base64URL signature) throws JOSEException
    {
        try
        {
            final Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            verifier.update(input);
            return verifier.verify(signature.decode());
        }
        catch (final SignatureException ex)
        {
            // Its numbers are out of range.
            return false;
        }
        catch (final GeneralSecurityException ex)
        {
            throw new JOSEException(ex.getMessage(), ex);
        }
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms()
    {
        return Set.of(JWSAlgorithm.EdDSA);
    }

    @Override
    public JCAContext getJCAContext()
    {
        return context;
    }
}
