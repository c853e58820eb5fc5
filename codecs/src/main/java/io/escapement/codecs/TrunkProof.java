package io.escapement.codecs;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The proof by which both ends of a trunk show that they know a secret: HMAC-SHA256 of a fixed text, the client's
 * nonce, the engine's nonce and the identity. For one thread.
 */
public final class TrunkProof
{
    /** Length of a proof in bytes. */
    public static final int LENGTH = 32;

    private static final byte[] CONTEXT = "escapement trunk 1".getBytes(StandardCharsets.US_ASCII);
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;
    private final ByteBuffer nonces = ByteBuffer.allocate(4 * Long.BYTES);

    /**
     * Keep a secret.
     *
     * @param secret that both ends know, at least 16 bytes.
     */
    public TrunkProof(final byte[] secret)
    {
        if (secret.length < 16)
        {
            throw new IllegalArgumentException("a trunk's secret has at least 16 bytes, this has " + secret.length);
        }
        try
        {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("every JDK has " + ALGORITHM, ex);
        }
    }

    /**
     * The proof of an identity.
     *
     * @param clientHigh first half of the client's nonce.
     * @param clientLow  second half of the client's nonce.
     * @param serverHigh first half of the engine's nonce.
     * @param serverLow  second half of the engine's nonce.
     * @param identity   as in Hello.
     * @return the proof.
     */
    public byte[] of(
        final long clientHigh,
        final long clientLow,
        final long serverHigh,
        final long serverLow,
        final byte[] identity)
    {
        nonces.clear();
        nonces.putLong(clientHigh).putLong(clientLow).putLong(serverHigh).putLong(serverLow);
        mac.update(CONTEXT);
        mac.update(nonces.array());
        return mac.doFinal(identity);
    }

    /**
     * Compare two proofs in a time that tells nothing.
     *
     * @param wanted the right one.
     * @param given  the other.
     * @return whether they are the same.
     */
    public static boolean isEqual(final byte[] wanted, final byte[] given)
    {
        return MessageDigest.isEqual(wanted, given);
    }
}
