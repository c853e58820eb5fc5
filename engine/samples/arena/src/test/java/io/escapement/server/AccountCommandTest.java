package io.escapement.server;

import io.escapement.accounts.AccountCode;
import io.escapement.accounts.Accounts;
import io.escapement.accounts.AccountsContext;
import io.escapement.accounts.Credentials;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An operator's commands on the database of a server that is stopped. */
class AccountCommandTest
{
    private static final String PASSWORD = "s3cret-of-all";

    @TempDir
    private Path directory;

    @Test
    void shouldBanUnbanAndDelete() throws InterruptedException
    {
        final String database = "jdbc:h2:memFS:/AccountCommandTest/accounts";
        assertEquals(0, logIn(database, Credentials.signUp("Ann", bytes(), "")));
        run("ban", "ann", "--days", "3", "--database", database);
        assertEquals(AccountCode.BANNED.value(), logIn(database, Credentials.logIn("Ann", bytes(), "")));
        run("unban", "ANN", "--database", database);
        assertEquals(0, logIn(database, Credentials.logIn("Ann", bytes(), "")));
        run("delete", "Ann", "--database", database);
        assertEquals(AccountCode.WRONG_CREDENTIALS.value(), logIn(database, Credentials.logIn("Ann", bytes(), "")));
        assertEquals("escapement: NAME: Ann: no account has this name",
            Program.complaint(1, "account", "delete", "Ann", "--database", database).strip());
        assertTrue(
            Program.complaint(2, "account", "unban", "Ann", "--days", "1").startsWith("escapement: --days: 1: "));
        assertTrue(Program.complaint(2, "account", "password", "Ann", "--database", database)
            .contains("ESCAPEMENT_NEW_PASSWORD: set it"));
    }

    @Test
    void shouldListAccountsInPages() throws InterruptedException
    {
        final String database = "jdbc:h2:memFS:/AccountCommandTest/listed";
        for (final String name : new String[]{"Ann", "annabel", "Ben"})
        {
            assertEquals(0, logIn(database, Credentials.signUp(name, bytes(), "")));
        }
        run("ban", "annabel", "--database", database);
        run("ban", "ben", "--days", "3", "--database", database);
        final List<String> all = listed("--database", database);
        assertEquals("id\tname\tcreated\tbanned", all.get(0));
        assertTrue(all.get(1).matches("1\tAnn\t20\\S+Z\tno"), all::toString);
        assertTrue(all.get(2).matches("2\tannabel\t20\\S+Z\tfor ever"), all::toString);
        assertTrue(all.get(3).matches("3\tBen\t20\\S+Z\tuntil 20\\S+Z"), all::toString);
        assertEquals(4, all.size());
        final List<String> first = listed("ANN", "--limit", "1", "--database", database);
        assertEquals(List.of(all.get(0), all.get(1), "next page: --after Ann"), first);
        assertEquals(List.of(all.get(0), all.get(2)), listed("ANN", "--after", "Ann", "--database", database));
        assertEquals("escapement: --limit: 0: 1 to 10000, and only for list",
            Program.complaint(2, "account", "list", "--limit", "0", "--database", database).strip());
        assertEquals("escapement: NAME: none: name the account",
            Program.complaint(2, "account", "ban", "--database", database).strip());
    }

    private static List<String> listed(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("account", "list"));
        all.addAll(List.of(arguments));
        final StringWriter out = new StringWriter();
        assertEquals(0, Escapement.commandLine().setOut(new PrintWriter(out)).execute(all.toArray(String[]::new)));
        return out.toString().lines().toList();
    }

    private static void run(final String... arguments)
    {
        final String[] all = new String[arguments.length + 1];
        all[0] = "account";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        assertEquals("", Program.complaint(0, all));
    }

    private static int logIn(final String database, final byte[] credentials) throws InterruptedException
    {
        final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
        try (Accounts accounts = Accounts.launch(
            new AccountsContext().databaseUrl(database).errorHandler((ex) -> statuses.add(-1))))
        {
            accounts.logIn().logIn(1, credentials, (status, playerId) -> statuses.add(status));
            return statuses.take();
        }
    }

    private static byte[] bytes()
    {
        return PASSWORD.getBytes(StandardCharsets.UTF_8);
    }
}
