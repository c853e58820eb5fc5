package io.escapement.codecs;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrunkProofTest
{
    private static final byte[] SECRET = text("a secret of 16 b");
    private static final byte[] IDENTITY = text("gateway-7");
    private static final long CLIENT_HIGH = 0x0102030405060708L;
    private static final long CLIENT_LOW = 0x1112131415161718L;
    private static final long SERVER_HIGH = 0x2122232425262728L;
    private static final long SERVER_LOW = 0xF1F2F3F4F5F6F7F8L;

    private final TrunkProof proof = new TrunkProof(SECRET);

    @Test
    void shouldComputeTheHmacOfTextNoncesAndIdentity() throws GeneralSecurityException
    {
        final byte[] input = HexFormat.of().parseHex(
            // "escapement trunk 1"
            "657363617065" + "6d656e74" + "20" + "7472756e6b" + "20" + "31" +
            "0102030405060708" + "1112131415161718" + "2122232425262728" + "f1f2f3f4f5f6f7f8" +
            "676174657761792d37");
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        final byte[] expected = mac.doFinal(input);
        assertArrayEquals(expected, proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, IDENTITY));
        assertArrayEquals(expected, proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, IDENTITY), "used again");
        assertEquals(TrunkProof.LENGTH, expected.length);
    }

    @Test
    void shouldDifferWithEachInput()
    {
        final Set<String> proofs = new HashSet<>();
        final TrunkProof other = new TrunkProof(text("A secret of 16 b"));
        final byte[][] all = {
            proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, IDENTITY),
            other.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, IDENTITY),
            proof.of(CLIENT_HIGH + 1, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, IDENTITY),
            proof.of(CLIENT_HIGH, CLIENT_LOW + 1, SERVER_HIGH, SERVER_LOW, IDENTITY),
            proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH + 1, SERVER_LOW, IDENTITY),
            proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW + 1, IDENTITY),
            proof.of(SERVER_HIGH, SERVER_LOW, CLIENT_HIGH, CLIENT_LOW, IDENTITY),
            proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, text("gateway-8")),
            proof.of(CLIENT_HIGH, CLIENT_LOW, SERVER_HIGH, SERVER_LOW, text(""))};
        for (final byte[] one : all)
        {
            proofs.add(HexFormat.of().formatHex(one));
            assertEquals(one == all[0], TrunkProof.isEqual(all[0], one));
        }
        assertEquals(all.length, proofs.size());
    }

    @Test
    void shouldNotAcceptAPartialProof()
    {
        final byte[] whole = proof.of(1, 2, 3, 4, IDENTITY);
        assertTrue(TrunkProof.isEqual(whole, whole.clone()));
        assertFalse(TrunkProof.isEqual(whole, new byte[0]));
        assertFalse(TrunkProof.isEqual(whole, Arrays.copyOf(whole, 31)));
        assertFalse(TrunkProof.isEqual(whole, Arrays.copyOf(whole, 33)));
    }

    @Test
    void shouldRefuseAShortSecret()
    {
        assertThrows(IllegalArgumentException.class, () -> new TrunkProof(new byte[15]));
        assertEquals(TrunkProof.LENGTH, new TrunkProof(new byte[16]).of(0, 0, 0, 0, IDENTITY).length);
    }

    private static byte[] text(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
