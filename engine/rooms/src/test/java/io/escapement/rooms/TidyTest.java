package io.escapement.rooms;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Enforces the part of the house style that is banned text: calls in code, words in prose. Each message names the
 * replacement. Comments may mention banned calls; leftover marks are banned in every line.
 */
class TidyTest
{
    /** Pages made from the code, whose sentences are checked in the code. */
    private static final String REFERENCE = "engine/guide/reference/";
    private static final int MAX_FILE_LINES = 1_000;
    private static final String ROOMS_MAIN = "engine/rooms/src/main/java/";
    private static final String MAIN = "/src/main/java/";
    private static final String ANYWHERE = "";
    private static final Set<String> TOP_LEVEL = Set.of(
        "engine", "codecs", "driver-config", "perf", "README.md", "pom.xml", "LICENSE", "target");

    private static final String TIME = "logic and host take the time from the turn, beginTurn(nowNs)";
    private static final String RANDOM = "use the room's own seeded stream, RoomRandom";
    private static final String EXACT_MATH = "results may differ by JVM, use StrictMath";
    private static final String ORDER = "its order or its cost is not ours: use an Agrona map, an array or a TreeMap";
    private static final String LEFTOVER = "do it now, or write an issue";

    private static final List<Ban> BANS = List.of(
        code("System.nanoTime(", ROOMS_MAIN, TIME),
        code("System.currentTimeMillis(", ROOMS_MAIN, TIME),
        code("Instant.now", ROOMS_MAIN, TIME),
        code("Clock.", ROOMS_MAIN, TIME),
        code("new Random(", ROOMS_MAIN, RANDOM),
        code("Math.random", ROOMS_MAIN, RANDOM),
        code("ThreadLocalRandom", ROOMS_MAIN, RANDOM),
        code("java.util.Random", ROOMS_MAIN, RANDOM),
        code("SplittableRandom", ROOMS_MAIN, RANDOM),
        code("System.identityHashCode", ROOMS_MAIN, "it differs from run to run, number the things yourself"),
        code("Math.sin(", ROOMS_MAIN, EXACT_MATH),
        code("Math.cos(", ROOMS_MAIN, EXACT_MATH),
        code("Math.exp(", ROOMS_MAIN, EXACT_MATH),
        code("Math.pow(", ROOMS_MAIN, EXACT_MATH),
        code(".stream()", ROOMS_MAIN, "it allocates, write a loop"),
        // The bench is not on the hot path, and people read its reports.
        code("String.format(", ROOMS_MAIN, "slow and by locale: concatenate", "/rooms/bench/"),
        code("HashMap<", ROOMS_MAIN, ORDER, "/rooms/bench/"),
        code("HashSet<", ROOMS_MAIN, ORDER, "/rooms/bench/"),
        // The game loop thread of the comparison sleeps by design.
        code("Thread.sleep", ANYWHERE, "wait for a condition with testsupport.Tests.await, or park in an idle strategy",
            "/perf/peers/GameLoopThread.java"),
        code("System.out", MAIN, "hand the text to the caller or to the error handler"),
        code("printStackTrace", MAIN, "hand the fault to the error handler"),
        // Split, because other tools search this file for these words.
        code("@Dis" + "abled", ANYWHERE, "mend the test or remove it"),
        leftover("TO" + "DO"),
        leftover("FIX" + "ME"),
        leftover("XX" + "X"));

    @Test
    void shouldHoldNoBannedText() throws IOException
    {
        final List<String> offences = new ArrayList<>();
        final List<String> roomsSources = new ArrayList<>();
        final Path root = root();
        for (final Path source : files(root))
        {
            final String path = unixPath(root, source);
            if (!path.endsWith(".java"))
            {
                continue;
            }
            if (path.startsWith(ROOMS_MAIN))
            {
                roomsSources.add(path);
            }
            // This file contains every banned text; shouldFindEachBannedText shows that the scan finds them.
            if (!path.endsWith("/TidyTest.java"))
            {
                offences.addAll(offencesIn(path, Files.readAllLines(source, StandardCharsets.UTF_8)));
            }
        }
        assertFalse(roomsSources.isEmpty(), "found no sources under " + ROOMS_MAIN + " of " + root);
        assertTrue(offences.isEmpty(), () -> "\n" + String.join("\n", offences));
    }

    @Test
    void shouldUseTheFieldsWords() throws IOException
    {
        final Path root = root();
        final List<String> offences = new ArrayList<>();
        int pages = 0;
        for (final Path file : files(root))
        {
            final String path = unixPath(root, file);
            final List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (path.startsWith(REFERENCE))
            {
                continue;
            }
            if (path.endsWith(".md"))
            {
                pages++;
                offences.addAll(BannedWords.inPage(path, lines));
            }
            else if (path.endsWith(".xml"))
            {
                offences.addAll(BannedWords.inXml(path, lines));
            }
            else if (!path.endsWith("/TidyTest.java") && !path.endsWith("/BannedWords.java"))
            {
                offences.addAll(BannedWords.inJava(path, lines));
            }
        }
        assertTrue(pages >= 4, "found only " + pages + " pages");
        assertTrue(offences.isEmpty(), () -> offences.size() + " offences\n" + String.join("\n", offences));
    }

    @Test
    void shouldFindBannedWordsInComments()
    {
        final List<String> offences = BannedWords.inJava("Made.java", List.of(
            "/**",
            " * The loop is told of it. What came alone is not kept waiting.",
            " * A thread of",
            " * its own. What is a turn? Nothing {@code heard} here.",
            " */",
            "x = \"// told\"; // compiled anew"));
        assertEquals(List.of("told", "of its own", "a sentence", "anew"), offences.stream()
            .map((offence) -> offence.replaceFirst("Made.java:\\d+: (told|of its own|a sentence|anew).*", "$1"))
            .collect(Collectors.toList()));
        assertTrue(offences.get(1).startsWith("Made.java:3:"), offences.get(1));
    }

    @Test
    void shouldFindBannedWordsInPagesAndSchemas()
    {
        assertEquals(2, BannedWords.inPage("page.md", List.of(
            "A room hears", "of it.", "", "    told in code", "- What is full is refused.", "", "`so many`")).size());
        assertEquals(1, BannedWords.inXml("made.xml", List.of(
            "<field name=\"told\" description=\"Meanwhile the room waits.\"/>")).size());
    }

    @Test
    void shouldHoldNoMorePhrasesThanBefore() throws IOException
    {
        final Path root = root();
        final Phrases phrases = Phrases.ofTheProject();
        for (final Path file : files(root))
        {
            final String path = unixPath(root, file);
            final boolean isPage = path.endsWith(".md") && !path.startsWith("perf/results/") &&
                !path.startsWith(REFERENCE);
            if (isPage || path.contains(MAIN) && path.endsWith(".java"))
            {
                final List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
                phrases.add(path, isPage,
                    (isPage ? BannedWords.page(path, lines) : BannedWords.java(path, lines)).paragraphs(),
                    Files.getLastModifiedTime(file).toMillis());
            }
        }
        assertEquals(List.of(), phrases.offences(), () -> "\n" + String.join("\n", phrases.offences()));
    }

    @Test
    void shouldLimitEachPhraseFromBothSides()
    {
        final List<String> table = List.of("# a table", "2 | 0 | beside | next to | \\bbeside\\b");
        final Phrases phrases = new Phrases(table);
        phrases.add("page.md", true, BannedWords.page("page.md", List.of(
            "Rooms beside", "rooms.", "", "| `beside` | [beside](beside.md) |", "", "    beside")).paragraphs(), 1);
        assertEquals(List.of(), phrases.offences());
        phrases.add("Made.java", false, BannedWords.java("Made.java", List.of(
            "/** Beside it, or", " * beside {@code beside}. */", "beside();")).paragraphs(), 1);
        assertEquals(List.of("\"beside\" 1 times in comments (at most 0): next to\n" +
            "    Made.java: ...Beside it, or beside code."), phrases.offences());

        final Phrases fewer = new Phrases(List.of((2 + 1 + Phrases.slack(3)) + table.get(1).substring(1)));
        assertEquals(List.of("fewer than in phrases.txt, lower its row to:\n" +
            "   0 |    0 | beside | next to | \\bbeside\\b"), fewer.offences());
        fewer.add("page.md", true, List.of("beside", "beside, beside", "beside"), 1);
        assertEquals(List.of(), fewer.offences());
    }

    @Test
    void shouldKeepTheLimitsOfTheArchitecturePage() throws IOException
    {
        final Path engine = root().resolve("engine");
        assertEquals(List.of(), ArchitecturePage.offences(
            Files.readAllLines(engine.resolve("ARCHITECTURE.md"), StandardCharsets.UTF_8),
            (path) -> Files.exists(engine.resolve(path))));
    }

    @Test
    void shouldFindEachLimitThatAnArchitecturePageExceeds()
    {
        final List<String> page = new ArrayList<>(List.of("## The whole", "```text", "[edge] --> [loop]", "```",
            "## Start here", "[A](a), [B](b)", "[C](c#part), [D](d)", "## Glossary", "| term | meaning |",
            "|---|---|"));
        final List<String> noTerms = List.of("0 terms of the glossary at the end (1 to 25)");
        assertEquals(noTerms, ArchitecturePage.offences(page, (path) -> true));
        page.add("| edge | it admits |");
        assertEquals(List.of(), ArchitecturePage.offences(page, (path) -> true));
        assertEquals(List.of("line 7 links to c, which does not exist"),
            ArchitecturePage.offences(page, (path) -> !"c".equals(path)));

        final List<String> longPage = new ArrayList<>(page);
        longPage.addAll(Collections.nCopies(ArchitecturePage.MAX_LINES, "| term | meaning |"));
        assertEquals(List.of("261 lines (at most 250, move details to the Javadoc)",
            "251 terms of the glossary at the end (1 to 25)"), ArchitecturePage.offences(longPage, (path) -> true));

        page.addAll(List.of("x".repeat(ArchitecturePage.MAX_LINE_LENGTH + 1), "    [edge]", "![whole](whole.svg)"));
        page.set(6, "[C](c)");
        assertEquals(List.of("line 12 has 131 columns (at most 130)", "3 drawings (1)", "3 files to start with (4)"),
            ArchitecturePage.offences(page, (path) -> true));
        page.add("## Afterword");
        assertTrue(ArchitecturePage.offences(page, (path) -> true).containsAll(noTerms));
    }

    @Test
    void shouldGiveNoTwoClassesOneName() throws IOException
    {
        final Path root = root();
        final Map<String, String> pathByNameMap = new HashMap<>();
        final List<String> offences = new ArrayList<>();
        for (final Path file : files(root))
        {
            final String path = unixPath(root, file);
            final String name = file.getFileName().toString();
            if (path.contains(MAIN) && name.endsWith(".java") && !name.endsWith("-info.java"))
            {
                final String other = pathByNameMap.put(name, path);
                if (null != other)
                {
                    offences.add(path + " has the name of " + other + " (name each after what it is)");
                }
            }
        }
        assertTrue(pathByNameMap.size() > 500, () -> "found only " + pathByNameMap.size() + " classes");
        assertEquals(List.of(), offences);
    }

    @Test
    void shouldHoldNothingElseAtTheTopLevel() throws IOException
    {
        try (Stream<Path> entries = Files.list(root()))
        {
            final List<String> strangers = entries
                .map((entry) -> entry.getFileName().toString())
                .filter((name) -> !isWelcomeAtTopLevel(name))
                .sorted()
                .collect(Collectors.toList());
            assertEquals(List.of(), strangers, "the top level is for modules, README, LICENSE and dot files");
        }
    }

    @Test
    void shouldRecognizeStrangersAtTheTopLevel()
    {
        assertTrue(isWelcomeAtTopLevel("engine"));
        assertTrue(isWelcomeAtTopLevel(".checkstyle.xml"));
        assertFalse(isWelcomeAtTopLevel("docs"));
        assertFalse(isWelcomeAtTopLevel("notes.md"));
    }

    @Test
    void shouldFindEachBannedText()
    {
        for (final Ban ban : BANS)
        {
            final String path = ban.where.isEmpty() ? "codecs/src/test/java/io/escapement/Made.java" :
                ROOMS_MAIN + "io/escapement/rooms/Made.java";
            final List<String> source = List.of("class Made", "{", "    " + ban.text, "}");
            final List<String> offences = offencesIn(path, source);
            final String expected = path + ":3: " + ban.text + " (" + ban.instead + ")";
            assertTrue(offences.contains(expected), () -> ban.text + " was not found, but " + offences);

            if (!ban.allowedIn.isEmpty())
            {
                final String allowed = ROOMS_MAIN + "io/escapement" + ban.allowedIn;
                assertEquals(List.of(), offencesIn(allowed, source), ban.text + " is allowed there");
            }
        }
    }

    @Test
    void shouldFindBannedTextWithinALine()
    {
        final String path = ROOMS_MAIN + "io/escapement/rooms/Made.java";
        assertEquals(1, offencesIn(path, List.of("        final long nowNs = System.nanoTime();")).size());
        assertEquals(1, offencesIn(path, List.of("        return java.lang.Math.pow(x, 2); // why")).size());
        assertEquals(1, offencesIn(path, List.of("import java.util.Random;")).size());
        assertEquals(1, offencesIn(path, List.of("        this.map = new HashMap<>();")).size());
        assertEquals(1, offencesIn(path, List.of("    // " + LEFTOVER + " TO" + "DO")).size());
    }

    @Test
    void shouldNotMistakeOtherNames()
    {
        final String path = ROOMS_MAIN + "io/escapement/rooms/Made.java";
        assertEquals(List.of(), offencesIn(path, List.of(
            "        x = StrictMath.sin(y);",
            "        final Long2ObjectHashMap<Room> roomByIdMap = new Long2ObjectHashMap<>();",
            "import java.util.RandomAccess;",
            "        random = new RoomRandom(seed);",
            "     * Never calls System.nanoTime().",
            "        nowNs = deadlineNs; // not System.nanoTime()")));
        assertEquals(List.of(), offencesIn(
            "engine/rooms/src/test/java/io/escapement/rooms/MadeTest.java", List.of("x = System.nanoTime();")));
    }

    @Test
    void shouldFindFilesThatAreTooLong()
    {
        final String path = ROOMS_MAIN + "io/escapement/rooms/Made.java";
        final List<String> lines = new ArrayList<>();
        for (int i = 0; i < MAX_FILE_LINES; i++)
        {
            lines.add("");
        }
        assertEquals(List.of(), offencesIn(path, lines));
        lines.add("");
        assertEquals(1, offencesIn(path, lines).size());
    }

    private static List<String> offencesIn(final String path, final List<String> lines)
    {
        final List<String> offences = new ArrayList<>();
        if (lines.size() > MAX_FILE_LINES)
        {
            offences.add(path + ": " + lines.size() + " lines (at most " + MAX_FILE_LINES + ", split the class)");
        }
        for (int i = 0; i < lines.size(); i++)
        {
            final String line = lines.get(i);
            final String code = withoutComment(line);
            for (final Ban ban : BANS)
            {
                if (ban.appliesTo(path) && contains(ban.inComments ? line : code, ban.text))
                {
                    offences.add(path + ":" + (i + 1) + ": " + ban.text + " (" + ban.instead + ")");
                }
            }
        }
        return offences;
    }

    // By our style a line of a comment begins with a star or with slashes; that is all this needs to know.
    private static String withoutComment(final String line)
    {
        final String text = line.trim();
        if (text.startsWith("*") || text.startsWith("/*") || text.startsWith("//"))
        {
            return "";
        }
        final int comment = line.indexOf(" // ");
        return comment < 0 ? line : line.substring(0, comment);
    }

    // Not as a part of a longer name, but for annotations: one with a condition is banned as well.
    private static boolean contains(final String line, final String text)
    {
        int start = line.indexOf(text);
        while (start >= 0)
        {
            final int end = start + text.length();
            final boolean cutsBefore = start > 0 && isNamePart(text.charAt(0)) && isNamePart(line.charAt(start - 1));
            final boolean cutsAfter = '@' != text.charAt(0) && end < line.length() &&
                isNamePart(text.charAt(text.length() - 1)) && isNamePart(line.charAt(end));
            if (!cutsBefore && !cutsAfter)
            {
                return true;
            }
            start = line.indexOf(text, start + 1);
        }
        return false;
    }

    private static boolean isNamePart(final char character)
    {
        return Character.isJavaIdentifierPart(character);
    }

    private static boolean isWelcomeAtTopLevel(final String name)
    {
        return name.startsWith(".") || TOP_LEVEL.contains(name);
    }

    /** Java sources, pages, poms and schemas: everything that people read. */
    private static List<Path> files(final Path root) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
            {
                final String name = directory.getFileName().toString();
                final boolean isOurs = directory.equals(root) || ".github".equals(name) ||
                    !name.startsWith(".") && !"target".equals(name);
                return isOurs ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
            {
                final String path = unixPath(root, file);
                if (path.endsWith(".java") || path.endsWith(".md") || path.endsWith(".xml"))
                {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
        return files;
    }

    private static String unixPath(final Path root, final Path file)
    {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static Path root()
    {
        Path folder = Path.of("").toAbsolutePath();
        while (null != folder && !Files.exists(folder.resolve(".checkstyle.xml")))
        {
            folder = folder.getParent();
        }
        assertTrue(null != folder, "no folder above " + Path.of("").toAbsolutePath() + " holds .checkstyle.xml");
        return folder;
    }

    private static Ban code(final String text, final String where, final String instead)
    {
        return new Ban(text, where, instead, "", false);
    }

    private static Ban code(final String text, final String where, final String instead, final String allowedIn)
    {
        return new Ban(text, where, instead, allowedIn, false);
    }

    private static Ban leftover(final String text)
    {
        return new Ban(text, ANYWHERE, LEFTOVER, "", true);
    }

    private record Ban(String text, String where, String instead, String allowedIn, boolean inComments)
    {
        boolean appliesTo(final String path)
        {
            return path.contains(where) && (allowedIn.isEmpty() || !path.contains(allowedIn));
        }
    }
}
