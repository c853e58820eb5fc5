package io.escapement.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page, or a part of it, that a test makes from the code or from results. The test fails when the page is stale. With
 * {@code -Descapement.reference=write} it writes the page.
 */
public final class ReferencePage
{
    private static final Path DIRECTORY = Path.of("engine", "guide", "reference");

    private ReferencePage()
    {
    }

    /**
     * Compare a page of {@code engine/guide/reference} with its text.
     *
     * @param name of the page's file.
     * @param text as the code makes it.
     * @throws AssertionError if the page is stale.
     */
    public static void check(final String name, final List<String> text) throws IOException
    {
        checkFile(DIRECTORY.resolve(name), text);
    }

    /**
     * Compare the lines of a page between two comments, {@code begin NAME} and {@code end NAME}.
     *
     * @param page below the project's directory.
     * @param name of the part.
     * @param text as the code makes it.
     * @throws AssertionError if the part is stale.
     */
    public static void checkPart(final Path page, final String name, final List<String> text) throws IOException
    {
        final List<String> lines = new ArrayList<>(Files.readAllLines(root().resolve(page), StandardCharsets.UTF_8));
        final int begin = lines.indexOf("<!-- begin " + name + " -->");
        final int end = lines.indexOf("<!-- end " + name + " -->");
        if (begin < 0 || end < begin)
        {
            throw new AssertionError(page + " has no part " + name);
        }
        lines.subList(begin + 1, end).clear();
        lines.addAll(begin + 1, text);
        checkFile(page, lines);
    }

    /**
     * Compare a file with its text.
     *
     * @param file below the project's directory.
     * @param text as the code makes it.
     * @throws AssertionError if the file is stale.
     */
    public static void checkFile(final Path file, final List<String> text) throws IOException
    {
        final Path page = root().resolve(file);
        if ("write".equals(System.getProperty("escapement.reference")))
        {
            Files.createDirectories(page.getParent());
            Files.writeString(page, String.join("\n", text) + '\n', StandardCharsets.UTF_8);
        }
        final List<String> lines =
            Files.exists(page) ? Files.readAllLines(page, StandardCharsets.UTF_8) : List.of();
        for (int i = 0; i < Math.max(lines.size(), text.size()); i++)
        {
            final String line = i < lines.size() ? lines.get(i) : "(no line)";
            final String now = i < text.size() ? text.get(i) : "(no line)";
            if (!now.equals(line))
            {
                throw new AssertionError(file + " is stale, run this test with " +
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
