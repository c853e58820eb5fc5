package io.escapement.generator;

import io.escapement.testsupport.JavaScriptModules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CompactorTest
{
    private static final Path DIRECTORY = Path.of("src/test/resources/io/escapement/generator");

    private final String module = Files.readString(DIRECTORY.resolve("compact-before.js"));
    private final String compact = Files.readString(DIRECTORY.resolve("compact-after.js"));

    CompactorTest() throws IOException
    {
    }

    @Test
    void shouldRemoveCommentsAndIndent()
    {
        assertEquals(compact, Compactor.compact(module));
    }

    @Test
    void shouldLeaveTheProgramAsItIs()
    {
        try (JavaScriptModules scripts = new JavaScriptModules())
        {
            for (final String program : List.of(module, compact))
            {
                // A block, because both declare the class.
                assertEquals("// no comment|http://x/* neither */|http://x//",
                    scripts.eval("{\n" + program + "}").asString());
            }
        }
    }

    @Test
    void shouldLeaveACompactModuleAsItIs()
    {
        assertEquals(compact, Compactor.compact(compact));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {
        "const text = `one, a template of several lines",
        "/* why */ const one = 1;, code that follows a comment",
        "const one = 1; /* why, a comment that follows code",
        "const text = 'one\\, a string of several lines"})
    void shouldRefuseTextThatALineDoesNotShow(final String line, final String reason)
    {
        final IllegalStateException refusal =
            assertThrows(IllegalStateException.class, () -> Compactor.compact("let at;\n" + line + "\n"));
        assertTrue(refusal.getMessage().startsWith("line 2: " + reason), refusal.getMessage());
    }
}
