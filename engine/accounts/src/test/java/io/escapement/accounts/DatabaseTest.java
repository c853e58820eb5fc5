package io.escapement.accounts;

import io.escapement.config.ConfigException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Error messages about an unusable database, which must not contain secrets. */
class DatabaseTest
{
    private final AllLogs logs = new AllLogs();

    @AfterEach
    void shouldHaveLoggedNoSecret()
    {
        logs.close();
        assertEquals(List.of(), logs.secrets());
    }

    @Test
    void shouldNameOptionValueAndRemedy(@TempDir final Path folder)
    {
        assertEquals("databaseUrl: jdbc:oracle:thin:@host: must start with jdbc:h2: or jdbc:postgresql:",
            refusal("jdbc:oracle:thin:@host"));
        final String refused = assertThrows(DatabaseException.class, () -> Accounts.launch(context(
            "jdbc:postgresql://127.0.0.1:1/accounts?user=ann&password=s3cret%2Fword&ssl=false"))).getMessage();
        assertTrue(refused.startsWith("databaseUrl: jdbc:postgresql://127.0.0.1:1/accounts?ssl=false: " +
            "Connection to 127.0.0.1:1 refused"), refused);
        final String missing = refusal("jdbc:h2:file:" + folder.resolve("none") + ";IFEXISTS=TRUE;PASSWORD=s3cret-h2");
        assertTrue(missing.startsWith("databaseUrl: jdbc:h2:file:") && missing.contains("not found"), missing);
        final String before = refusal("jdbc:postgresql://ann:s3cret@host/accounts");
        assertEquals("databaseUrl: jdbc:postgresql://***@host/accounts: set user and password by databaseUser and " +
            "databasePassword, not before the host", before);
        refusal("postgres://ann:s3cret@host/accounts");
    }

    @Test
    void shouldNotRevealAWrongPassword(@TempDir final Path folder)
    {
        final String url = "jdbc:h2:file:" + folder.resolve("accounts");
        Accounts.launch(context(url).databaseUser("ann").databasePassword("s3cret-right")).close();
        final ConfigException wrong = assertThrows(ConfigException.class,
            () -> Accounts.launch(context(url).databaseUser("ann").databasePassword("s3cret-wrong")));
        assertOneSafeLine(wrong);
        assertTrue(wrong.getMessage().contains("Wrong user name or password"), wrong.getMessage());
        Accounts.launch(context(url + ";USER=ann;PASSWORD=s3cret-right")).close();
    }

    @Test
    void shouldRemoveUserAndPasswordFromTheUrl()
    {
        final DatabaseUrl postgres = DatabaseUrl.parse(
            "jdbc:postgresql://host/accounts?password=a%26b&ssl=true&user=ann", null, null);
        assertEquals("jdbc:postgresql://host/accounts?ssl=true", postgres.url());
        assertEquals("ann", postgres.user());
        assertEquals("a&b", postgres.password());
        final DatabaseUrl alone = DatabaseUrl.parse("jdbc:postgresql:accounts?user=ann", "ben", "pass");
        assertEquals("jdbc:postgresql:accounts", alone.url());
        assertEquals("ben", alone.user());
        final DatabaseUrl h2 = DatabaseUrl.parse("jdbc:h2:./accounts;USER=ann;WRITE_DELAY=5", null, null);
        assertEquals("jdbc:h2:./accounts;WRITE_DELAY=5;DB_CLOSE_ON_EXIT=FALSE;OPTIMIZE_REUSE_RESULTS=FALSE", h2.url());
        assertNull(h2.password());
        assertEquals("jdbc:h2:./accounts;AUTO_SERVER=TRUE;WRITE_DELAY=0;OPTIMIZE_REUSE_RESULTS=FALSE",
            DatabaseUrl.parse("jdbc:h2:./accounts;AUTO_SERVER=TRUE", null, null).url());
    }

    @Test
    void shouldRefuseWrongOptionsAndFreezeTheContext()
    {
        final ConfigException workers = assertThrows(ConfigException.class,
            () -> Accounts.launch(context("jdbc:h2:mem:").serviceWorkers(0)));
        assertEquals("serviceWorkers: 0: 1 to 64", workers.getMessage());
        final AccountsContext used = context("jdbc:h2:mem:once");
        Accounts.launch(used).close();
        assertThrows(IllegalStateException.class, () -> used.serviceWorkers(3));
    }

    private static String refusal(final String url)
    {
        final ConfigException refused =
            assertThrows(ConfigException.class, () -> Accounts.launch(context(url)));
        assertOneSafeLine(refused);
        return refused.getMessage();
    }

    private static void assertOneSafeLine(final ConfigException refused)
    {
        assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
        assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
        assertNull(refused.getCause(), "a cause may contain secrets");
        assertEquals(0, refused.getSuppressed().length);
    }

    private static AccountsContext context(final String url)
    {
        return new AccountsContext().databaseUrl(url).errorHandler((ex) ->
        {
            throw new AssertionError(Arrays.stream(ex.getStackTrace()).map(String::valueOf)
                .collect(Collectors.joining("\n")), ex);
        });
    }
}
