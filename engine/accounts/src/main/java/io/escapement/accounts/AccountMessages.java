package io.escapement.accounts;


/** Limits and validation rules of requests to the account service. */
public final class AccountMessages
{
    /** Characters per account. A list of them fits a reply. */
    public static final int CHARACTER_LIMIT = 8;

    /** Maximum length of the name of an account. */
    public static final int MAX_NAME_LENGTH = Names.MAX_LENGTH;

    /** Minimum length of the name of an account. */
    public static final int MIN_NAME_LENGTH = Names.MIN_LENGTH;

    private AccountMessages()
    {
    }
}
