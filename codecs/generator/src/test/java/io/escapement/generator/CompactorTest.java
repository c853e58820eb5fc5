package io.escapement.generator;

import io.escapement.testsupport.JavaScriptModules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CompactorTest
{
    private static final String MODULE = """
        // A program.
        /**
         * A class: `with a tick.
         */
        class Twice {
            /** One line. */
            #value = '// no comment'; // stays

            get(text) {
                /* Several
                   lines. */
                const url = text + '/* neither */';

                // The last.
                return [this.#value, url, `${text}//`].join(
                    '|');
            }
        }

        new Twice().get('http://x');
        """;

    @Test
    void shouldRemoveCommentsAndIndent()
    {
        assertEquals("""
            class Twice {
             #value = '// no comment'; // stays

             get(text) {
              const url = text + '/* neither */';

              return [this.#value, url, `${text}//`].join(
               '|');
             }
            }

            new Twice().get('http://x');
            """, Compactor.compact(MODULE));
    }

    @Test
    void shouldLeaveTheProgramAsItIs()
    {
        try (JavaScriptModules scripts = new JavaScriptModules())
        {
            for (final String program : List.of(MODULE, Compactor.compact(MODULE)))
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
        final String compact = Compactor.compact(MODULE);
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
