package io.escapement.accounts;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a player gives to sign up, to log in and to log out: the bytes that a trunk's log-in carries.
 *
 * <pre>
 *   1 byte    form, 1
 *   1 byte    kind: 1 sign up, 2 log in, 3 log out
 *   1 + n     length and bytes of the name, ASCII
 *   1 + n     length and bytes of the password
 *   1 + n     length and bytes of the player's address as the gateway claims it, ASCII; may be empty
 * </pre>
 *
 * <p>Nothing may follow. An answer with status 0 logs the player in. A log-out names the password too, since nothing
 * else shows whose it is; it is answered with LOGGED_OUT, never 0, as no token belongs to it.
 */
public final class Credentials
{
    /** The shortest password of a new account, in bytes. */
    public static final int MIN_PASSWORD_LENGTH = 8;

    /** The longest password, in bytes. */
    public static final int MAX_PASSWORD_LENGTH = 128;

    /** The longest address: an IPv6 address with its zone, or the name that a gateway gives a player. */
    public static final int MAX_ADDRESS_LENGTH = 64;

    static final int SIGN_UP = 1;
    static final int LOG_IN = 2;
    static final int LOG_OUT = 3;
    private static final int FORM = 1;
    private static final int BEFORE_FIELDS = 2;

    private final int kind;
    private final String name;
    private final String address;
    private final byte[] password;

    private Credentials(final int kind, final String name, final byte[] password, final String address)
    {
        this.kind = kind;
        this.name = name;
        this.password = password;
        this.address = address;
    }

    /**
     * For a new account.
     *
     * @param name     of the account.
     * @param password of the account. The caller clears it.
     * @param address  of the player, or an empty text.
     * @return the bytes. Whoever sends them clears them.
     */
    public static byte[] signUp(final String name, final byte[] password, final String address)
    {
        return encode(SIGN_UP, name, password, address);
    }

    /**
     * For an account that there is.
     *
     * @param name     of the account, in any case.
     * @param password of the account. The caller clears it.
     * @param address  of the player, or an empty text.
     * @return the bytes. Whoever sends them clears them.
     */
    public static byte[] logIn(final String name, final byte[] password, final String address)
    {
        return encode(LOG_IN, name, password, address);
    }

    /**
     * For an account that is logged in.
     *
     * @param name     of the account, in any case.
     * @param password of the account. The caller clears it.
     * @param address  of the player, or an empty text.
     * @return the bytes. Whoever sends them clears them.
     */
    public static byte[] logOut(final String name, final byte[] password, final String address)
    {
        return encode(LOG_OUT, name, password, address);
    }

    /** Read what came from outside. Null when it is not in the form; the password is a copy, to be cleared. */
    static Credentials parse(final byte[] bytes)
    {
        if (bytes.length < BEFORE_FIELDS || FORM != bytes[0] || bytes[1] < SIGN_UP || bytes[1] > LOG_OUT)
        {
            return null;
        }
        final int nameAt = BEFORE_FIELDS;
        final int passwordAt = after(bytes, nameAt);
        final int addressAt = after(bytes, passwordAt);
        if (bytes.length != after(bytes, addressAt) || length(bytes, passwordAt) > MAX_PASSWORD_LENGTH ||
            length(bytes, addressAt) > MAX_ADDRESS_LENGTH)
        {
            return null;
        }
        return new Credentials(bytes[1], text(bytes, nameAt),
            Arrays.copyOfRange(bytes, passwordAt + 1, addressAt), text(bytes, addressAt));
    }

    int kind()
    {
        return kind;
    }

    String name()
    {
        return name;
    }

    String address()
    {
        return address;
    }

    byte[] password()
    {
        return password;
    }

    void clear()
    {
        Arrays.fill(password, (byte)0);
    }

    /** What is wrong with it before anybody is asked, or 0. */
    int code()
    {
        if (!Names.isGood(name))
        {
            return SIGN_UP == kind ? AccountCode.BAD_NAME.value() : AccountCode.WRONG_CREDENTIALS.value();
        }
        return SIGN_UP == kind && password.length < MIN_PASSWORD_LENGTH ? AccountCode.BAD_PASSWORD.value() : 0;
    }

    /** No secret in it. */
    @Override
    public String toString()
    {
        return "credentials of kind " + kind;
    }

    private static byte[] encode(final int kind, final String name, final byte[] password, final String address)
    {
        final byte[] nameBytes = name.getBytes(StandardCharsets.ISO_8859_1);
        final byte[] addressBytes = address.getBytes(StandardCharsets.ISO_8859_1);
        if (nameBytes.length > AccountMessages.MAX_NAME_LENGTH || password.length > MAX_PASSWORD_LENGTH ||
            addressBytes.length > MAX_ADDRESS_LENGTH)
        {
            throw new IllegalArgumentException("name, password or address is too long");
        }
        final byte[] bytes =
            new byte[BEFORE_FIELDS + 3 + nameBytes.length + password.length + addressBytes.length];
        bytes[0] = FORM;
        bytes[1] = (byte)kind;
        put(bytes, put(bytes, put(bytes, BEFORE_FIELDS, nameBytes), password), addressBytes);
        return bytes;
    }

    private static int put(final byte[] bytes, final int at, final byte[] field)
    {
        bytes[at] = (byte)field.length;
        System.arraycopy(field, 0, bytes, at + 1, field.length);
        return at + 1 + field.length;
    }

    /** Where the field after this one begins, or a place behind the end. */
    private static int after(final byte[] bytes, final int at)
    {
        return at < bytes.length ? at + 1 + length(bytes, at) : bytes.length + 1;
    }

    private static int length(final byte[] bytes, final int at)
    {
        return bytes[at] & 0xFF;
    }

    private static String text(final byte[] bytes, final int at)
    {
        return new String(bytes, at + 1, length(bytes, at), StandardCharsets.ISO_8859_1);
    }
}
