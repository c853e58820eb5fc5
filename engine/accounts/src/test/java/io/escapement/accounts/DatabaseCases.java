package io.escapement.accounts;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each test has an empty database, and nothing of it puts a secret into a log. */
abstract class DatabaseCases
{
    String url;
    private AllLogs logs;

    abstract TestDatabase database();

    @BeforeEach
    void open()
    {
        logs = new AllLogs();
        url = database().newUrl();
    }

    @AfterEach
    void shouldHaveLoggedNoSecret()
    {
        logs.close();
        assertTrue(logs.count() > 10, "the libraries' logs were read");
        assertEquals(List.of(), logs.secrets());
    }
}
