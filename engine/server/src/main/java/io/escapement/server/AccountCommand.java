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

/** Bans or deletes an account, or replaces its password, in the database. */
@Command(
    name = "account",
    sortOptions = false,
    description = "Ban or delete an account, or replace its password.",
    footer = {"",
        "A player who is logged in plays on until the trunk ends or the token expires, after an hour at most. A file " +
            "of H2 is open to one process: stop the server first, or give both ;AUTO_SERVER=TRUE in the URL. " +
            "The password of the database is in ESCAPEMENT_DATABASE_PASSWORD, a new one of the account in " +
            "ESCAPEMENT_NEW_PASSWORD."})
final class AccountCommand implements Callable<Integer>
{
    private enum Action
    {
        BAN, UNBAN, DELETE, PASSWORD
    }

    private static final String NEW_PASSWORD_VARIABLE = "ESCAPEMENT_NEW_PASSWORD";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ACTION", description = "${COMPLETION-CANDIDATES}.")
    private Action action;

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the account, in any case.")
    private String name;

    @Option(names = "--days", paramLabel = "N", description = "Length of a ban (default: for ever).")
    private Integer days;

    @Option(names = "--database", paramLabel = "URL", defaultValue = "jdbc:h2:file:./escapement-accounts",
        description = "JDBC URL of H2 or PostgreSQL (default: ${DEFAULT-VALUE}).")
    private String database;

    @Option(names = "--database-user", paramLabel = "NAME", description = "User of the database.")
    private String databaseUser;

    @Override
    public Integer call()
    {
        ConfigException.check(null == days || Action.BAN == action && days >= 1, "--days", days,
            "1 or more, and only for ban");
        ConfigException.check(DatabaseAccounts.isOnClassPath(), "--database", database, DatabaseAccounts.MISSING);
        final byte[] password = Action.PASSWORD == action ? newPassword() : null;
        Quiet.libraries();
        final PrintWriter out = spec.commandLine().getOut();
        try (Accounts accounts = Accounts.launch(DatabaseAccounts.context(database, databaseUser)))
        {
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
