package io.escapement.codecs;

import io.escapement.config.ConfigException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The default credentials of a trunk: HMAC-SHA256, under a secret shared with the engine, of a fixed text, the client's
 * nonce, the engine's nonce and the identity. Not thread safe.
 */
public final class TrunkProof
{
    /** Length of a proof in bytes. */
    public static final int LENGTH = 32;

    /** The shortest secret: 128 bits. */
    public static final int MIN_SECRET_LENGTH = 16;

    private static final byte[] CONTEXT = "escapement trunk 1".getBytes(StandardCharsets.US_ASCII);
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;
    private final ByteBuffer nonces = ByteBuffer.allocate(4 * Long.BYTES);

    /**
     * Create a proof from the shared secret.
     *
     * @param secret at least {@link #MIN_SECRET_LENGTH} bytes.
     */
    public TrunkProof(final byte[] secret)
    {
        ConfigException.check(secret.length >= MIN_SECRET_LENGTH, "secret", secret.length + " bytes",
            "use at least " + MIN_SECRET_LENGTH + " random bytes");
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
     * Compute the proof of an identity for one handshake.
     *
     * @param clientHigh first half of the client's nonce.
     * @param clientLow  second half of the client's nonce.
     * @param serverHigh first half of the engine's nonce.
     * @param serverLow  second half of the engine's nonce.
     * @param identity   as in Hello.
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
     * Compare two proofs in constant time. The time must not reveal anything about the expected proof.
     *
     * @param expected the right one.
     * @param actual   the received one.
     * @return whether they are the same.
     */
    public static boolean isEqual(final byte[] expected, final byte[] actual)
    {
        return MessageDigest.isEqual(expected, actual);
    }
}
