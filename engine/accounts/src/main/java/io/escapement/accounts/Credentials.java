package io.escapement.accounts;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Credentials to sign up, log in, log out, change the password or delete the account, as carried by a trunk's log-in
 * message.
 *
 * <pre>
 *   1 byte    format, 1
 *   1 byte    kind: 1 sign up, 2 log in, 3 log out, 4 change the password, 5 delete the account, 6 by session token
 *   1 + n     length and bytes of the name, ASCII
 *   1 + n     length and bytes of the password; for kind 6 of the token
 *   1 + n     length and bytes of the player's address as the gateway claims it, ASCII; may be empty
 *   1 + n     for kind 4 only, length and bytes of the new password
 * </pre>
 *
 * <p>No bytes may follow. A reply with status 0 logs the player in. It contains credentials of kind 6 for the next
 * time, valid until the account logs out, its password changes or they expire. The kinds 3 to 5 need the password to
 * prove its owner. They are answered with LOGGED_OUT, PASSWORD_CHANGED or ACCOUNT_DELETED, never 0, because 0 grants a
 * token. Trunk tokens granted before stay valid until they expire or their trunk closes.
 */
public final class Credentials
{
    /** Minimum length of a new password, in bytes. */
    public static final int MIN_PASSWORD_LENGTH = 8;

    /** Maximum length of a password, in bytes. */
    public static final int MAX_PASSWORD_LENGTH = 128;

    /** Maximum length of an address, such as an IPv6 address with a zone. */
    public static final int MAX_ADDRESS_LENGTH = 64;

    static final int SIGN_UP = 1;
    static final int LOG_IN = 2;
    static final int LOG_OUT = 3;
    static final int CHANGE_PASSWORD = 4;
    static final int DELETE_ACCOUNT = 5;
    static final int LOG_IN_BY_TOKEN = 6;
    private static final int FORMAT = 1;
    private static final int BEFORE_FIELDS = 2;

    private final int kind;
    private final String name;
    private final String address;
    private final byte[] password;
    private final byte[] newPassword;

    private Credentials(
        final int kind, final String name, final byte[] password, final String address, final byte[] newPassword)
    {
        this.newPassword = newPassword;
        this.kind = kind;
        this.name = name;
        this.password = password;
        this.address = address;
    }

    /**
     * Encode a sign-up.
     *
     * @param name     of the account.
     * @param password of the account, which the caller clears.
     * @param address  of the player, or an empty string.
     * @return the bytes, which the sender clears.
     */
    public static byte[] signUp(final String name, final byte[] password, final String address)
    {
        return encode(SIGN_UP, name, password, address);
    }

    /**
     * Encode a log-in.
     *
     * @param name     of the account, in any case.
     * @param password of the account, which the caller clears.
     * @param address  of the player, or an empty string.
     * @return the bytes, which the sender clears.
     */
    public static byte[] logIn(final String name, final byte[] password, final String address)
    {
        return encode(LOG_IN, name, password, address);
    }

    /**
     * Encode a log-out.
     *
     * @param name     of the account, in any case.
     * @param password of the account, which the caller clears.
     * @param address  of the player, or an empty string.
     * @return the bytes, which the sender clears.
     */
    public static byte[] logOut(final String name, final byte[] password, final String address)
    {
        return encode(LOG_OUT, name, password, address);
    }

    /**
     * Encode a change of the password.
     *
     * @param name        of the account, in any case.
     * @param password    of the account, which the caller clears.
     * @param newPassword to replace it, which the caller clears.
     * @param address     of the player, or an empty string.
     * @return the bytes, which the sender clears.
     */
    public static byte[] changePassword(
        final String name, final byte[] password, final byte[] newPassword, final String address)
    {
        if (newPassword.length > MAX_PASSWORD_LENGTH)
        {
            throw new IllegalArgumentException("the new password is too long");
        }
        final byte[] start = encode(CHANGE_PASSWORD, name, password, address);
        final byte[] bytes = Arrays.copyOf(start, start.length + 1 + newPassword.length);
        put(bytes, start.length, newPassword);
        Arrays.fill(start, (byte)0);
        return bytes;
    }

    /**
     * Encode the deletion of an account with its characters.
     *
     * @param name     of the account, in any case.
     * @param password of the account, which the caller clears.
     * @param address  of the player, or an empty string.
     * @return the bytes, which the sender clears.
     */
    public static byte[] deleteAccount(final String name, final byte[] password, final String address)
    {
        return encode(DELETE_ACCOUNT, name, password, address);
    }

    /** Encode a log-in by a session token. The gateway adds the address. */
    static byte[] logInByToken(final String name, final byte[] token)
    {
        return encode(LOG_IN_BY_TOKEN, name, token, "");
    }

    /**
     * Replace the address in credentials from a player's client, which could claim any address. For gateways.
     *
     * @param credentials encoded by a player's client.
     * @param address     of the player's machine.
     * @return the credentials with that address, or null if they are malformed. The caller's array is not changed.
     */
    public static byte[] withAddress(final byte[] credentials, final String address)
    {
        final Credentials parsed = parse(credentials);
        if (null == parsed)
        {
            return null;
        }
        final byte[] known = address.getBytes(StandardCharsets.ISO_8859_1);
        final int length = Math.min(known.length, MAX_ADDRESS_LENGTH);
        final int addressAt = after(credentials, after(credentials, BEFORE_FIELDS));
        final int restAt = after(credentials, addressAt);
        final byte[] copy = new byte[addressAt + 1 + length + credentials.length - restAt];
        System.arraycopy(credentials, 0, copy, 0, addressAt);
        copy[addressAt] = (byte)length;
        System.arraycopy(known, 0, copy, addressAt + 1, length);
        System.arraycopy(credentials, restAt, copy, addressAt + 1 + length, credentials.length - restAt);
        parsed.clear();
        return copy;
    }

    /**
     * Whether credentials from a player's client log in by a session token, which costs no hash. For gateways.
     *
     * @param credentials encoded by a player's client.
     */
    public static boolean isByToken(final byte[] credentials)
    {
        return credentials.length >= BEFORE_FIELDS && FORMAT == credentials[0] && LOG_IN_BY_TOKEN == credentials[1];
    }

    /** Decode untrusted bytes. Returns null if they are malformed. The password is a copy that the caller clears. */
    static Credentials parse(final byte[] bytes)
    {
        if (bytes.length < BEFORE_FIELDS || FORMAT != bytes[0] || bytes[1] < SIGN_UP || bytes[1] > LOG_IN_BY_TOKEN)
        {
            return null;
        }
        final int nameAt = BEFORE_FIELDS;
        final int passwordAt = after(bytes, nameAt);
        final int addressAt = after(bytes, passwordAt);
        final int newPasswordAt = after(bytes, addressAt);
        final boolean isChange = CHANGE_PASSWORD == bytes[1];
        if (bytes.length != (isChange ? after(bytes, newPasswordAt) : newPasswordAt) ||
            isChange && length(bytes, newPasswordAt) > MAX_PASSWORD_LENGTH ||
            length(bytes, passwordAt) > MAX_PASSWORD_LENGTH ||
            length(bytes, addressAt) > MAX_ADDRESS_LENGTH)
        {
            return null;
        }
        return new Credentials(bytes[1], text(bytes, nameAt),
            Arrays.copyOfRange(bytes, passwordAt + 1, addressAt), text(bytes, addressAt),
            isChange ? Arrays.copyOfRange(bytes, newPasswordAt + 1, bytes.length) : new byte[0]);
    }

    int kind()
    {
        return kind;
    }

    /** Whether the password may be a guess. */
    boolean isGuess()
    {
        return SIGN_UP != kind && !isByToken();
    }

    boolean isByToken()
    {
        return LOG_IN_BY_TOKEN == kind;
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

    byte[] newPassword()
    {
        return newPassword;
    }

    void clear()
    {
        Arrays.fill(newPassword, (byte)0);
        Arrays.fill(password, (byte)0);
    }

    /** The status of credentials that are invalid for any database, or 0. */
    int code()
    {
        if (!Names.isValid(name))
        {
            return SIGN_UP == kind ? AccountCode.BAD_NAME.value() : AccountCode.WRONG_CREDENTIALS.value();
        }
        final boolean isTooShort = SIGN_UP == kind && password.length < MIN_PASSWORD_LENGTH ||
            CHANGE_PASSWORD == kind && newPassword.length < MIN_PASSWORD_LENGTH;
        return isTooShort ? AccountCode.BAD_PASSWORD.value() : 0;
    }

    /** Contains no secret. */
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
        bytes[0] = FORMAT;
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

    /** Offset of the next field, or an offset beyond the end. */
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
