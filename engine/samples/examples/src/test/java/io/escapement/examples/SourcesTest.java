package io.escapement.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The examples stay short, use only what users may use, and keep text out of the reach of HTML. */
class SourcesTest
{
    private static final int MAX_LINES = 350;
    private static final List<String> EXAMPLES = List.of("game", "chat", "turns", "exchange");
    /** They measure the exchange and are no part of its server. */
    private static final List<String> CLIENTS = List.of("OrderClient.java", "TraderOrders.java");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "escapement", "examples");
    private static final Path PAGES = Path.of("src", "main", "resources", "META-INF", "resources", "examples");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern INTERNAL = Pattern.compile("\\bio\\.escapement\\.[a-z.]+\\.internal\\.");
    private static final Pattern HTML = Pattern.compile(
        "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\b|<script>| on[a-z]+=\"| style=\"|<style");

    @Test
    void shouldHaveEachExampleInAFewLines() throws IOException
    {
        for (final String example : EXAMPLES)
        {
            long lines = 0;
            for (final Path source : files(SOURCES.resolve(example), ".java"))
            {
                lines += CLIENTS.contains(source.getFileName().toString()) ? 0 : linesOfCode(Files.readString(source));
            }
            assertTrue(lines > 0 && lines < MAX_LINES, example + " has " + lines + " lines of code");
        }
    }

    @Test
    void shouldCountLinesOfCode()
    {
        assertEquals(2, linesOfCode(
            "package a;\n\nimport b;\n\n/** Text.\n * More. */\nclass C\n{\n    // Why.\n    int d;\n}\n"));
    }

    @Test
    void shouldNotUseInternalPackages() throws IOException
    {
        for (final Path source : files(SOURCES, ".java"))
        {
            assertFalse(INTERNAL.matcher(Files.readString(source)).find(), source.toString());
        }
    }

    @Test
    void shouldNotMakeElementsOfText() throws IOException
    {
        final List<Path> pages = files(PAGES, ".js");
        pages.addAll(files(PAGES, ".html"));
        assertTrue(pages.size() > EXAMPLES.size());
        for (final Path page : pages)
        {
            assertFalse(HTML.matcher(Files.readString(page)).find(), page.toString());
        }
    }

    /** Without blank lines, comments, imports, the name of the package and lines with a brace alone. */
    private static long linesOfCode(final String source)
    {
        return COMMENT.matcher(source).replaceAll("").lines()
            .filter((line) -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
            .filter((line) -> !"{".equals(line.trim()) && !"}".equals(line.trim())).count();
    }

    private static List<Path> files(final Path directory, final String end) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter((file) -> file.toString().endsWith(end)).collect(Collectors.toList());
        }
    }
}
