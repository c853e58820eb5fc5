package io.escapement.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page of {@code engine/guide/reference}, made from the code by a test. The test fails when the page is stale. With
 * {@code -Descapement.reference=write} it writes the page.
 */
public final class ReferencePage
{
    private static final Path DIRECTORY = Path.of("engine", "guide", "reference");

    private ReferencePage()
    {
    }

    /**
     * Compare a page with its text.
     *
     * @param name of the page's file.
     * @param text as the code makes it, without the line that says so.
     * @throws AssertionError if the page is stale.
     */
    public static void check(final String name, final List<String> text) throws IOException
    {
        final Path page = root().resolve(DIRECTORY).resolve(name);
        final String expected = String.join("\n", text) + '\n';
        if ("write".equals(System.getProperty("escapement.reference")))
        {
            Files.createDirectories(page.getParent());
            Files.writeString(page, expected, StandardCharsets.UTF_8);
        }
        final List<String> lines =
            Files.exists(page) ? Files.readAllLines(page, StandardCharsets.UTF_8) : List.of();
        for (int i = 0; i < Math.max(lines.size(), text.size()); i++)
        {
            final String line = i < lines.size() ? lines.get(i) : "(no line)";
            final String now = i < text.size() ? text.get(i) : "(no line)";
            if (!now.equals(line))
            {
                throw new AssertionError(DIRECTORY.resolve(name) + " is stale, run this test with " +
                    "-Descapement.reference=write. Line " + (i + 1) + ":\n" + line + "\nis now:\n" + now);
            }
        }
    }

    /** The project's directory, above that of any module. */
    public static Path root()
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve(".checkstyle.xml")))
        {
            root = root.getParent();
        }
        return root;
    }
}
