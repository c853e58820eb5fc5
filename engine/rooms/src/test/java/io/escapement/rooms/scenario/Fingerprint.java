package io.escapement.rooms.scenario;

import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** SHA-256 of the hashes of all output that a log has, turn by turn, and the state hashes on the way. */
final class Fingerprint
{
    final List<String> stateHashes = new ArrayList<>();
    private final MessageDigest digest;

    Fingerprint()
    {
        try
        {
            digest = MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException(e);
        }
    }

    void output(final long turn, final long hash)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 * Long.BYTES]);
        bytes.putLong(0, turn, ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(Long.BYTES, hash, ByteOrder.LITTLE_ENDIAN);
        digest.update(bytes.byteArray());
    }

    void stateHash(final long turn, final long hash)
    {
        stateHashes.add(turn + ":" + Long.toHexString(hash));
    }

    String sha256()
    {
        try
        {
            return HexFormat.of().formatHex(((MessageDigest)digest.clone()).digest());
        }
        catch (final CloneNotSupportedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
