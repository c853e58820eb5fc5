package io.escapement.arena.page;

import java.io.IOException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Names and texts of players on the page: each in an element that isolates its direction. */
class WrittenTest
{
    private final PageModules modules;
    private final Value page;

    WrittenTest() throws IOException
    {
        modules = new PageModules();
        page = modules.load("written-test.js");
    }

    @AfterEach
    void close()
    {
        modules.close();
    }

    @Test
    void shouldIsolateTheDirectionOfNamesAndTexts()
    {
        assertEquals("<li ><bdi who>Ann<bdi said>\u05E9\u05DC\u05D5\u05DD 1",
            page.invokeMember("chat", "Ann", 8, "\u05E9\u05DC\u05D5\u05DD 1").asString());
    }

    @Test
    void shouldShowNothingInAnotherOrder()
    {
        assertEquals("<li ><bdi who>Ann<bdi said>1234567, 8 \u200Fand\u200D joined", page.invokeMember("chat",
            "\u202EAnn", 8, "\u202A1\u202B2\u202C3\u202D4\u202E5\u20666\u20677\u2068\u2069, 8 \u200Fand\u200D joined")
            .asString());
        assertEquals("<bdi name>nnA", page.invokeMember("nameOf", "\u202EnnA").asString());
    }

    @Test
    void shouldShowMarkupAsTextAndKeepTheLastLines()
    {
        assertEquals("<li ><bdi who>Ann<bdi said><b>two\n<li ><bdi who>Ann<bdi said>three",
            page.invokeMember("chat", "Ann", 2, "one", "<b>two", "three").asString());
    }
}
