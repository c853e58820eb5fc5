package io.escapement.cluster;

import io.aeron.security.CredentialsSupplier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that the members of a cluster share. A member presents itself with a hello, and answers a challenge. The ids
 * of streams are also derived from the key. Aeron Archive 1.51 attributes a request of any sender to the session that
 * the request names, and session numbers can be counted. A sender that does not know the stream reaches no session.
 */
final class MemberKey implements CredentialsSupplier
{
    private static final String ALGORITHM = "HmacSHA256";
    /** Of members on the loopback interface without a secret. */
    private static final byte[] NO_KEY = "escapement cluster without a key".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec key;

    /**
     * A key.
     *
     * @param secret of the members, or null without a secret.
     */
    MemberKey(final byte[] secret)
    {
        key = new SecretKeySpec(null == secret ? NO_KEY : secret, ALGORITHM);
    }

    /** The id of a stream that only members know. */
    int streamId(final String name)
    {
        return ByteBuffer.wrap(sign("stream " + name, new byte[0])).getInt() & Integer.MAX_VALUE;
    }

    /** Whether somebody presents itself as a member. */
    boolean isHello(final byte[] credentials)
    {
        return MessageDigest.isEqual(encodedCredentials(), credentials);
    }

    /** Whether this answers a challenge. */
    boolean isAnswer(final byte[] challenge, final byte[] credentials)
    {
        return MessageDigest.isEqual(onChallenge(challenge), credentials);
    }

    @Override
    public byte[] encodedCredentials()
    {
        return sign("hello", new byte[0]);
    }

    @Override
    public byte[] onChallenge(final byte[] challenge)
    {
        return sign("answer", challenge);
    }

    private byte[] sign(final String purpose, final byte[] data)
    {
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(("escapement cluster " + purpose + "\n").getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(data);
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("every JDK has " + ALGORITHM, ex);
        }
    }
}
