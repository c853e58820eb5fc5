package io.escapement.accounts;

/** The status of an answer of the log-in or of the account service, when it is neither 0 nor a code of the engine. */
public enum AccountCode
{
    /** The credentials are not in the form they must have. */
    BAD_CREDENTIALS_FORM(1100),

    /** A name is too short, too long or has characters that it may not. */
    BAD_NAME(1101),

    /** A new password is too short or too long. */
    BAD_PASSWORD(1102),

    /** The name is in use, perhaps in other case. */
    NAME_TAKEN(1103),

    /** No such account, or not its password. */
    WRONG_CREDENTIALS(1104),

    /** Too many attempts for the account or from the address; later. */
    TOO_MANY_ATTEMPTS(1105),

    /** The account was made for demonstrations and may not log in here. */
    DEMO_ACCOUNT_REFUSED(1106),

    /** The log-out was done. Not 0, since no token belongs to it. */
    LOGGED_OUT(1107),

    /** The account was logged out before. */
    NOT_LOGGED_IN(1108),

    /** Too many log-ins wait; later. */
    LOG_IN_QUEUE_FULL(1109),

    /** The server is stopping. */
    STOPPING(1110),

    /** The database did not answer in time. Asked again with the same key, it is done once at most. */
    DATABASE_DOWN(1120),

    /** The save waits in memory for the database and will be written. Until then it is lost if the server dies. */
    SAVE_HELD(1121),

    /** No such account. */
    UNKNOWN_ACCOUNT(1122),

    /** The account has no such character. */
    UNKNOWN_CHARACTER(1123),

    /** The account has as many characters as it may. */
    CHARACTER_LIMIT(1124),

    /** The key was used for something else. */
    KEY_IN_USE(1125);

    private final int value;

    AccountCode(final int value)
    {
        this.value = value;
    }

    /**
     * The number that stands for it in an answer.
     *
     * @return from 1100 upwards.
     */
    public int value()
    {
        return value;
    }

    /**
     * The code of a number.
     *
     * @param value from an answer.
     * @return the code, or null when it is none of these.
     */
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
