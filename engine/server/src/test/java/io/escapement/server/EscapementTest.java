package io.escapement.server;

import io.escapement.testsupport.HelpExamples;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EscapementTest
{
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldPrintItsVersion()
    {
        assertEquals(0, execute("--version"));
        assertTrue(out.toString().matches("escapement \\d+\\.\\d+\\.\\d+\\S*\\s+"), out::toString);
        assertEquals("", err.toString());
    }

    @Test
    void shouldNameTheNearestOptionInOneLine()
    {
        assertEquals(2, execute("serve", "--plane"));
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(
            err.toString().startsWith("escapement: Unknown option: '--plane': did you mean --plain"), err::toString);
    }

    @Test
    void shouldShowTwoCommandLinesThatItParsesForEachCommand()
    {
        assertEquals(List.of(), HelpExamples.faults(Escapement::commandLine));
    }

    private int execute(final String... arguments)
    {
        return Escapement.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }
}
