package io.escapement.accounts;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each test starts with an empty database and must not log secrets. */
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
        assertTrue(logs.count() > 10, "logs of libraries were captured");
        assertEquals(List.of(), logs.secrets());
    }
}
