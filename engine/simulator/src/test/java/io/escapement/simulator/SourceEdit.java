package io.escapement.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A change of one place in the source of a class of the product.
 *
 * @param module    directory of the module.
 * @param className its name.
 * @param from      text that the source has once.
 * @param to        text in its place.
 */
record SourceEdit(String module, String className, String from, String to)
{
    /** Of a module's directory, in which its tests run. */
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    /** The source as it is. */
    String source()
    {
        try
        {
            return Files.readString(
                ROOT.resolve(module).resolve("src/main/java").resolve(className.replace('.', '/') + ".java"));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** The source with this change. */
    String applyTo(final String source)
    {
        assertEquals(2, source.split(Pattern.quote(from), -1).length,
            className + " does not have this text once: " + from);
        return source.replace(from, to);
    }
}
