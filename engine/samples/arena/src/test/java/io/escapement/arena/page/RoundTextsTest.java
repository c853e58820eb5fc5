package io.escapement.arena.page;

import java.io.IOException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The page's texts about a round. */
class RoundTextsTest
{
    private final PageModules modules;
    private final Value page;

    RoundTextsTest() throws IOException
    {
        modules = new PageModules();
        page = modules.load("round-test.js");
    }

    @AfterEach
    void close()
    {
        modules.close();
    }

    @Test
    void shouldCountDownInSeconds()
    {
        assertEquals("3:00", page.invokeMember("timeLeft", 21_600, 0).asString());
        assertEquals("3:00", page.invokeMember("timeLeft", 21_600, 119).asString());
        assertEquals("2:59", page.invokeMember("timeLeft", 21_600, 120).asString());
        assertEquals("0:09", page.invokeMember("timeLeft", 21_600, 20_600).asString());
        assertEquals("0:00", page.invokeMember("timeLeft", 21_600, 21_700).asString());
    }

    @Test
    void shouldNameTheWinners()
    {
        assertEquals("No kills, no winner", page.invokeMember("winners", 0).asString());
        assertEquals("<Ann> wins with 1 kill", page.invokeMember("winners", 1, "Ann").asString());
        assertEquals("<Ann> and <Ben> tie with 2 kills", page.invokeMember("winners", 2, "Ann", "Ben").asString());
        assertEquals("<Ann>, <Ben> and <Eve> tie with 2 kills",
            page.invokeMember("winners", 2, "Ann", "Ben", "Eve").asString());
        assertEquals("<Ann>, <Ben>, <Eve> and 2 more tie with 2 kills",
            page.invokeMember("winners", 2, "Ann", "Ben", "Eve", "Sue", "Tom").asString());
    }
}
