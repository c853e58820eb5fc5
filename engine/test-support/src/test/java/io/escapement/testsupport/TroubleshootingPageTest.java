package io.escapement.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The page of symptoms quotes only messages that the code still has. The first cell of a row has them in backquotes,
 * with {@code ...} for what varies. The parts between, also those that ": " joins, are in the main sources or scripts,
 * with string literals joined and comments left out. A comment after a table names tests that provoke its messages.
 */
class TroubleshootingPageTest
{
    private static final int MIN_ROWS = 30;
    private static final int CELLS = 3;
    /** Shorter parts, such as a unit, occur by chance. */
    private static final int MIN_PART = 3;

    private static final Pattern MESSAGE = Pattern.compile("`([^`]+)`");
    private static final Pattern VARIES = Pattern.compile("\\.{3}|: ");
    private static final Pattern ENDS = Pattern.compile("^[^\\w-]+|[^\\w)-]+$");
    private static final Pattern JOINED_LITERALS = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern NAMED_TESTS = Pattern.compile("<!-- Tests: ([\\w, ]+) -->");

    private static final Set<String> TESTS = new HashSet<>();
    private static List<String> page;
    private static String sources;

    @BeforeAll
    static void read() throws IOException
    {
        final Path top = ReferencePage.root();
        page = Files.readAllLines(top.resolve("engine/guide/troubleshooting.md"), StandardCharsets.UTF_8);
        final StringBuilder text = new StringBuilder();
        Files.walkFileTree(top, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
            {
                final String name = directory.getFileName().toString();
                return name.startsWith(".") || "target".equals(name) ?
                    FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                final String path = '/' + top.relativize(file).toString().replace('\\', '/');
                final String name = file.getFileName().toString();
                if (path.contains("/src/test/") && (name.endsWith("Test.java") || name.endsWith("Test.kt")))
                {
                    TESTS.add(name.substring(0, name.lastIndexOf('.')));
                }
                else if (!path.contains("/samples/") &&
                    (path.contains("/src/main/") && name.matches(".*\\.(java|kt|js|xml)") || path.contains("/bin/")))
                {
                    text.append(withoutComments(Files.readString(file))).append('\n');
                }
                return FileVisitResult.CONTINUE;
            }
        });
        sources = text.toString();
    }

    @Test
    void shouldNameACauseAndARemedyOfEachMessage()
    {
        final List<String> rows = rows(page);
        assertTrue(rows.size() >= MIN_ROWS, () -> rows.size() + " symptoms");
        for (final String row : rows)
        {
            final String[] cells = row.substring(1).split("\\|");
            assertEquals(CELLS, cells.length, row);
            for (final String cell : cells)
            {
                assertTrue(!cell.isBlank(), row);
            }
        }
    }

    @Test
    void shouldQuoteMessagesOfTheCode()
    {
        assertEquals(List.of(), gone(page));
    }

    @Test
    void shouldNameTestsThatExist()
    {
        final List<String> named = new ArrayList<>();
        final Matcher matcher = NAMED_TESTS.matcher(String.join("\n", page));
        while (matcher.find())
        {
            named.addAll(List.of(matcher.group(1).split(", ")));
        }
        assertTrue(!named.isEmpty());
        named.removeAll(TESTS);
        assertEquals(List.of(), named);
    }

    @Test
    void shouldFindAMessageThatIsGone()
    {
        assertEquals(List.of("no such text here", "ROOM_LOCK", "`...: s`"), gone(List.of(
            "| message | cause | remedy |",
            "|---|---|---|",
            "| `...: name a free port (...)`, or `ROOM_LOCKED` | a | b |",
            "| `durability.tailDirectory: ...: no such text here` | a | b |",
            "| `ROOM_LOCK` | a | b |",
            "| `...: s` | a | b |")));
    }

    /** Parts of messages that the sources do not have, and messages without a part. */
    private static List<String> gone(final List<String> lines)
    {
        final List<String> gone = new ArrayList<>();
        for (final String row : rows(lines))
        {
            final Matcher message = MESSAGE.matcher(row.substring(1, row.indexOf('|', 1)));
            boolean isQuoted = false;
            while (message.find())
            {
                for (final String part : VARIES.split(message.group(1)))
                {
                    final String text = ENDS.matcher(part).replaceAll("");
                    if (text.length() >= MIN_PART)
                    {
                        isQuoted = true;
                        if (!isInSources(text))
                        {
                            gone.add(text);
                        }
                    }
                }
            }
            if (!isQuoted)
            {
                gone.add(row.substring(1, row.indexOf('|', 1)).trim());
            }
        }
        return gone;
    }

    private static List<String> rows(final List<String> lines)
    {
        final List<String> rows = new ArrayList<>();
        boolean isBody = false;
        for (final String line : lines)
        {
            if (line.startsWith("|---"))
            {
                isBody = true;
            }
            else if (!line.startsWith("|"))
            {
                isBody = false;
            }
            else if (isBody)
            {
                rows.add(line);
            }
        }
        return rows;
    }

    /** Not as a part of a longer word. */
    private static boolean isInSources(final String part)
    {
        int start = sources.indexOf(part);
        while (start >= 0)
        {
            final int end = start + part.length();
            if (!(isWord(part, 0) && isWord(sources, start - 1)) &&
                !(isWord(part, part.length() - 1) && isWord(sources, end)))
            {
                return true;
            }
            start = sources.indexOf(part, start + 1);
        }
        return false;
    }

    private static boolean isWord(final String text, final int index)
    {
        return index >= 0 && index < text.length() && Character.isJavaIdentifierPart(text.charAt(index));
    }

    private static String withoutComments(final String source)
    {
        final StringBuilder code = new StringBuilder();
        source.lines().filter((line) -> !line.strip().matches("(\\*|/\\*|//).*"))
            .forEach((line) -> code.append(line).append('\n'));
        return JOINED_LITERALS.matcher(code).replaceAll("").replace("\\\"", "\"");
    }
}
