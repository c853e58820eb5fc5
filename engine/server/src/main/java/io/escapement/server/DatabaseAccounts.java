package io.escapement.server;

import io.escapement.accounts.AccountsContext;
import io.escapement.engine.Secrets;
import java.nio.file.Path;

/**
 * The accounts library, which a server may do without. The command line reads the methods of each class with options.
 * Therefore no such method names a class of the library.
 */
final class DatabaseAccounts
{
    static final String MISSING = "escapement-accounts is not on the class path: add it";

    private static final System.Logger LOGGER = System.getLogger("io.escapement.server");

    private DatabaseAccounts()
    {
    }

    static boolean isOnClassPath()
    {
        return null != DatabaseAccounts.class.getResource("/io/escapement/accounts/Accounts.class");
    }

    /**
     * A database.
     *
     * @param url  or null for the default.
     * @param user or null without a user.
     */
    static AccountsContext context(final String url, final String user)
    {
        final AccountsContext accounts = new AccountsContext()
            .errorHandler((ex) -> LOGGER.log(System.Logger.Level.WARNING, "accounts", ex));
        final String password = System.getenv("ESCAPEMENT_DATABASE_PASSWORD");
        if (null != url)
        {
            accounts.databaseUrl(url);
        }
        if (null != user)
        {
            accounts.databaseUser(user);
        }
        if (null != password)
        {
            accounts.databasePassword(password);
        }
        return accounts;
    }

    /** As the other, with the keys of session tokens in a file, or null for keys that expire with the server. */
    static AccountsContext context(final String url, final String user, final Path keyFile)
    {
        final AccountsContext accounts = context(url, user);
        return null == keyFile ? accounts : accounts.sessionKeys(Secrets.keysOf("trunks.tokenKeyFile", keyFile));
    }
}
