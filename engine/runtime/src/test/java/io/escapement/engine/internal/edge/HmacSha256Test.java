package io.escapement.engine.internal.edge;

import io.escapement.testsupport.Allocations;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Signing without allocation, against the HMAC of the JDK. Budget: 1 s. */
class HmacSha256Test
{
    private static final long SEED = 21;

    @Test
    void shouldSignAsTheJdkDoes() throws GeneralSecurityException
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 500; i++)
        {
            final byte[] key = new byte[1 + random.nextInt(150)];
            random.nextBytes(key);
            final HmacSha256 hmac = new HmacSha256(key);
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (int j = 0; j < 3; j++)
            {
                final byte[] data = new byte[200];
                random.nextBytes(data);
                final int length = random.nextInt(data.length);
                final byte[] result = new byte[HmacSha256.LENGTH];
                hmac.sign(data, length, result);
                assertArrayEquals(mac.doFinal(Arrays.copyOf(data, length)), result, "seed " + SEED + ", key " + i);
            }
        }
    }

    @Test
    void shouldCheckPlayerTokensWithoutAllocation()
    {
        final PlayerTokens tokens = new PlayerTokens(TokenKeys.of(List.of(new byte[32], new byte[33]), 1));
        final byte[] token = tokens.issue(3, 77, 0, 1_000);
        System.arraycopy(token, 0, tokens.tokenBuffer(), 0, token.length);
        final int[] refused = {0};
        assertEquals(0, Allocations.least(50, () ->
        {
            for (int i = 0; i < 200; i++)
            {
                refused[0] += tokens.check(3, 77, token.length, i);
            }
        }));
        assertEquals(0, refused[0]);
    }

    /** The log-ins of players whose tokens have expired are forgotten on the way. */
    @Test
    void shouldVoidTheTokensOfOtherTrunksHoweverManyPlayersLogIn()
    {
        final PlayerTokens tokens = new PlayerTokens(TokenKeys.of(List.of(new byte[32]), 1));
        final int players = 20_000;
        final int validFor = 3_000;
        final byte[][] first = new byte[players][];
        for (int i = 0; i < players; i++)
        {
            first[i] = tokens.issue(3, i, i, i + validFor);
            tokens.issue(0 == i % 2 ? 3 : 4, i, i, i + validFor);
        }
        for (int i = players - validFor; i < players; i++)
        {
            System.arraycopy(first[i], 0, tokens.tokenBuffer(), 0, first[i].length);
            assertEquals(0 == i % 2 ? 0 : 138, tokens.check(3, i, first[i].length, players), "player " + i);
        }
    }

    @Test
    void shouldRefuseAPlayerTokenThatDiffersInAnyBit()
    {
        final PlayerTokens tokens = new PlayerTokens(TokenKeys.of(List.of(new byte[32]), 1));
        final byte[] token = tokens.issue(3, 77, 0, 1_000);
        for (int bit = 0; bit < token.length * Byte.SIZE; bit++)
        {
            System.arraycopy(token, 0, tokens.tokenBuffer(), 0, token.length);
            tokens.tokenBuffer()[bit / 8] ^= (byte)(1 << bit % 8);
            assertEquals(138, tokens.check(3, 77, token.length, 1), "bit " + bit);
        }
        System.arraycopy(token, 0, tokens.tokenBuffer(), 0, token.length);
        assertEquals(138, tokens.check(4, 77, token.length, 1), "another trunk");
        assertEquals(138, tokens.check(3, 78, token.length, 1), "another player");
        assertEquals(138, tokens.check(3, 77, token.length - 1, 1), "another length");
        assertEquals(0, tokens.check(3, 77, token.length, 1));
        assertEquals(139, tokens.check(3, 77, token.length, 1_001), "expired");
    }
}
