package io.escapement.accounts;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Encoding and decoding of credentials. */
class CredentialsTest
{
    private static final byte[] PASSWORD = World.bytes("s3cret-pass");

    @Test
    void shouldDecodeEncodedCredentials()
    {
        final Credentials read = Credentials.parse(Credentials.logOut("Ann", PASSWORD, "10.0.0.1"));
        assertEquals(Credentials.LOG_OUT, read.kind());
        assertEquals("Ann", read.name());
        assertEquals("10.0.0.1", read.address());
        assertArrayEquals(PASSWORD, read.password());
        assertFalse(read.toString().contains("s3cret"));
        read.clear();
        assertArrayEquals(new byte[PASSWORD.length], read.password());
    }

    @Test
    void shouldReplaceTheAddressThatAPlayerClaims()
    {
        final byte[] claimed = Credentials.changePassword("Ann", PASSWORD, "new secret".getBytes(), "10.9.9.9");
        final Credentials read = Credentials.parse(Credentials.withAddress(claimed, "2001:db8::1"));
        assertEquals("2001:db8::1", read.address());
        assertEquals("Ann", read.name());
        assertArrayEquals(PASSWORD, read.password());
        assertArrayEquals("new secret".getBytes(), read.newPassword());
        final Credentials none = Credentials.parse(
            Credentials.withAddress(Credentials.logIn("Ann", PASSWORD, ""), "a".repeat(100)));
        assertEquals("a".repeat(Credentials.MAX_ADDRESS_LENGTH), none.address());
        assertNull(Credentials.withAddress(new byte[]{1, 2, 3}, "10.0.0.1"));
    }

    @Test
    void shouldRefuseMalformedBytes()
    {
        final byte[] good = Credentials.logIn("Ann", PASSWORD, "10.0.0.1");
        assertNotNull(Credentials.parse(good));
        for (int i = 0; i < good.length; i++)
        {
            assertNull(Credentials.parse(Arrays.copyOf(good, i)), "cut at " + i);
        }
        assertNull(Credentials.parse(Arrays.copyOf(good, good.length + 1)), "trailing byte");
        final Random random = new Random(3);
        for (int i = 0; i < 100_000; i++)
        {
            final byte[] bytes = good.clone();
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt();
            bytes[random.nextInt(5)] = (byte)random.nextInt();
            final Credentials read = Credentials.parse(bytes);
            assertTrue(null == read || read.password().length <= Credentials.MAX_PASSWORD_LENGTH);
        }
    }

    @Test
    void shouldRefuseLongFields()
    {
        assertThrows(IllegalArgumentException.class, () -> Credentials.logIn("a".repeat(25), PASSWORD, ""));
        assertThrows(IllegalArgumentException.class, () -> Credentials.logIn("Ann", new byte[129], ""));
        assertThrows(IllegalArgumentException.class, () -> Credentials.logIn("Ann", PASSWORD, "a".repeat(65)));
        final byte[] longest = Credentials.signUp("a".repeat(24), new byte[128], "a".repeat(64));
        assertEquals(0, Credentials.parse(longest).code());
    }

    @Test
    void shouldValidateNames()
    {
        for (final String good : new String[]{"Ann", "a-b", "x.y_z-9", "a".repeat(24)})
        {
            assertTrue(Names.isValid(good), good);
        }
        for (final String bad : new String[]{
            "", "ab", "a".repeat(25), "1ab", "_ab", "a b", "ann\u00e9", "ann\n", "a\0b"})
        {
            assertFalse(Names.isValid(bad), bad);
        }
    }
}
