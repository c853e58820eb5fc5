package io.escapement.rooms.scenario;

import io.escapement.rooms.output.CapturedOutputs;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 of all output, and the state hashes on the way. */
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

    void update(final CapturedOutputs outputs)
    {
        digest.update(outputs.buffer().byteArray(), 0, outputs.length());
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
