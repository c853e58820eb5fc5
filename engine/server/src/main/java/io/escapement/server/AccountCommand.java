package io.escapement.server;

import io.escapement.accounts.Accounts;
import io.escapement.config.ConfigException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists accounts, bans or deletes an account, or replaces its password, in the database. */
@Command(
    name = "account",
    sortOptions = false,
    description = "List accounts, ban or delete an account, or replace its password.",
    footer = {"",
        "Servers with this database remove a banned or deleted player from all rooms within two seconds. Only one " +
            "process can open an H2 file. Stop the server first, or add ;AUTO_SERVER=TRUE to the URL of both. The " +
            "database password is in ESCAPEMENT_DATABASE_PASSWORD, and the account's new password in " +
            "ESCAPEMENT_NEW_PASSWORD.",
        "", "Examples:",
        "  escapement account list a --limit 20",
        "  escapement account ban ann --days 7"})
final class AccountCommand implements Callable<Integer>
{
    private enum Action
    {
        LIST, BAN, UNBAN, DELETE, PASSWORD
    }

    private static final int LIMIT = 100;
    private static final int MAX_LIMIT = 10_000;
    private static final String NEW_PASSWORD_VARIABLE = "ESCAPEMENT_NEW_PASSWORD";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ACTION", description = "${COMPLETION-CANDIDATES}.")
    private Action action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "Account name, in any case. With " +
        "list, the start of names. Without it list prints all accounts.")
    private String name;

    @Option(names = "--days", paramLabel = "N", description = "Length of a ban in days (default: for ever).")
    private Integer days;

    @Option(names = "--after", paramLabel = "NAME", description = "List the accounts after this name (default: from " +
        "the first account).")
    private String after;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum accounts in the list, 1 to 10000 (default: " +
        "100).")
    private Integer limit;

    @Option(names = "--database", paramLabel = "URL", defaultValue = "jdbc:h2:file:./escapement-accounts",
        description = "JDBC URL of the accounts' database, H2 or PostgreSQL (default: ${DEFAULT-VALUE}).")
    private String database;

    @Option(names = "--database-user", paramLabel = "NAME", description = "Database user.")
    private String databaseUser;

    @Override
    public Integer call()
    {
        ConfigException.check(null == days || Action.BAN == action && days >= 1, "--days", days,
            "1 or more, and only for ban");
        ConfigException.check(Action.LIST == action || null != name, "NAME", "none", "name the account");
        ConfigException.check(null == after || Action.LIST == action, "--after", after, "only for list");
        ConfigException.check(null == limit || Action.LIST == action && limit >= 1 && limit <= MAX_LIMIT, "--limit",
            limit, "1 to " + MAX_LIMIT + ", and only for list");
        ConfigException.check(DatabaseAccounts.isOnClassPath(), "--database", database, DatabaseAccounts.MISSING);
        final byte[] password = Action.PASSWORD == action ? newPassword() : null;
        Quiet.libraries();
        final PrintWriter out = spec.commandLine().getOut();
        try (Accounts accounts = Accounts.launch(DatabaseAccounts.context(database, databaseUser)))
        {
            if (Action.LIST == action)
            {
                AccountList.print(accounts, name, after, null == limit ? LIMIT : limit, out);
                return 0;
            }
            final boolean isDone = switch (action)
            {
                case BAN -> accounts.ban(name,
                    null == days ? Long.MAX_VALUE : System.currentTimeMillis() + TimeUnit.DAYS.toMillis(days));
                case UNBAN -> accounts.ban(name, 0);
                case DELETE -> accounts.delete(name);
                default -> accounts.password(name, password);
            };
            if (!isDone)
            {
                throw new IllegalStateException("NAME: " + name + ": no account has this name");
            }
            ServeCommand.print(out, name + ": " + switch (action)
            {
                case BAN -> "banned " + (null == days ? "for ever" : "for " + days + " days");
                case UNBAN -> "not banned";
                case DELETE -> "deleted";
                default -> "has the new password";
            });
            return 0;
        }
    }

    private static byte[] newPassword()
    {
        final String password = System.getenv(NEW_PASSWORD_VARIABLE);
        ConfigException.check(null != password, "environment variable", NEW_PASSWORD_VARIABLE, "set it");
        return password.getBytes(StandardCharsets.UTF_8);
    }
}
