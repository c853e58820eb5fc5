package io.escapement.arena.simulation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What the compiled classes do not show: arithmetic that could differ, and files that are too long. The rest of the
 * house style is kept for the whole project elsewhere.
 */
class TidyTest
{
    private static final int MAX_FILE_LINES = 600;
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "escapement", "arena", "simulation");

    private record Ban(String text, String instead)
    {
    }

    private static final List<Ban> BANS = List.of(
        new Ban("double", "use fixed point, Fixed"),
        new Ban("float", "use fixed point, Fixed"),
        new Ban("StrictMath", "use fixed point, Fixed"),
        new Ban("Math.sqrt", "use Fixed.sqrt"),
        new Ban("HashMap", "its order is not ours: use an array"),
        new Ban("HashSet", "its order is not ours: use an array"),
        new Ban(".stream()", "it allocates, write a loop"),
        new Ban("System.", "the simulation asks the machine nothing"),
        new Ban("Random", "there is no chance in the simulation"));

    @Test
    void shouldHoldNoBannedText() throws IOException
    {
        final List<String> offences = new ArrayList<>();
        int files = 0;
        for (final Path source : sources())
        {
            final List<String> lines = Files.readAllLines(source, StandardCharsets.UTF_8);
            offences.addAll(offencesIn(source.getFileName().toString(), lines));
            files++;
        }
        assertTrue(files > 15, "found " + files + " sources in " + SOURCES.toAbsolutePath());
        assertEquals(List.of(), offences);
    }

    @Test
    void shouldFindEachBannedText()
    {
        for (final Ban ban : BANS)
        {
            assertEquals(
                List.of("Made.java:2: " + ban.text + " (" + ban.instead + ")"),
                offencesIn("Made.java", List.of("{", "    x = " + ban.text + " y;", "     * " + ban.text)));
        }
        assertEquals(1, offencesIn("Made.java", new ArrayList<>("a".repeat(601).chars()
            .mapToObj(Character::toString).collect(Collectors.toList()))).size());
    }

    private static List<String> offencesIn(final String name, final List<String> lines)
    {
        final List<String> offences = new ArrayList<>();
        if (lines.size() > MAX_FILE_LINES)
        {
            offences.add(name + ": " + lines.size() + " lines (at most " + MAX_FILE_LINES + ", split the class)");
        }
        for (int i = 0; i < lines.size(); i++)
        {
            final String text = lines.get(i).trim();
            final boolean isComment = text.startsWith("*") || text.startsWith("/*") || text.startsWith("//");
            for (final Ban ban : BANS)
            {
                if (!isComment && text.contains(ban.text))
                {
                    offences.add(name + ":" + (i + 1) + ": " + ban.text + " (" + ban.instead + ")");
                }
            }
        }
        return offences;
    }

    private static List<Path> sources() throws IOException
    {
        try (Stream<Path> files = Files.list(SOURCES))
        {
            return files.filter((file) -> file.toString().endsWith(".java")).sorted().collect(Collectors.toList());
        }
    }
}
