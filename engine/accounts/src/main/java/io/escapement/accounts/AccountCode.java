package io.escapement.accounts;

/** Status of a reply of the log-in or the account service, besides 0 and the engine's codes below 1024. */
public enum AccountCode
{
    /** The credentials are malformed. */
    BAD_CREDENTIALS_FORM(1100),

    /** A name is too short, too long or contains invalid characters. */
    BAD_NAME(1101),

    /** A new password is too short or too long. */
    BAD_PASSWORD(1102),

    /** The name is in use. Names are case insensitive. */
    NAME_TAKEN(1103),

    /** Unknown account or wrong password. */
    WRONG_CREDENTIALS(1104),

    /** Too many attempts for the account or from the address. Retry later. */
    TOO_MANY_ATTEMPTS(1105),

    /** The server does not allow demo accounts. */
    DEMO_ACCOUNT_REFUSED(1106),

    /** Logged out. Not 0, because 0 grants a token. */
    LOGGED_OUT(1107),

    /** The account was not logged in. */
    NOT_LOGGED_IN(1108),

    /** The log-in queue is full, and the player's network has most places in it. Retry later. */
    LOG_IN_QUEUE_FULL(1109),

    /** The server is stopping. */
    STOPPING(1110),

    /** The password was changed. Not 0, because 0 grants a token. */
    PASSWORD_CHANGED(1111),

    /** The account and its characters were deleted, and its name is free. */
    ACCOUNT_DELETED(1112),

    /** The account is banned. */
    BANNED(1113),

    /** The session token is not valid any more. Log in with the password. */
    SESSION_ENDED(1114),

    /** The database did not answer in time. A retry with the same key has at most one effect. */
    DATABASE_DOWN(1120),

    /** The save is buffered in memory until the database is back, and lost if the server crashes before. */
    SAVE_HELD(1121),

    /** Unknown account. */
    UNKNOWN_ACCOUNT(1122),

    /** The account has no such character. */
    UNKNOWN_CHARACTER(1123),

    /** The account has the maximum number of characters. */
    CHARACTER_LIMIT(1124),

    /** The idempotency key was used for another request. */
    KEY_IN_USE(1125);

    private final int value;

    AccountCode(final int value)
    {
        this.value = value;
    }

    /** The wire value. */
    public int value()
    {
        return value;
    }

    /** The code of a wire value, or null if the value is unknown. */
    public static AccountCode of(final int value)
    {
        for (final AccountCode code : values())
        {
            if (code.value == value)
            {
                return code;
            }
        }
        return null;
    }
}
