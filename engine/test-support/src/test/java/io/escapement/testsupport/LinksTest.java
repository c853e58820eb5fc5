package io.escapement.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each link of a page leads to a file of the project, and its anchor to a heading. */
class LinksTest
{
    private static final int MIN_LINKS = 200;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern ADDRESS = Pattern.compile("<url>([^<]+)</url>");
    private static final Path NPM = Path.of("engine", "web");
    private static final Pattern BLOCK = Pattern.compile("(?m)^```.*?^```", Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    private final Map<Path, Set<String>> anchorsByPageMap = new HashMap<>();

    @Test
    void shouldLeadSomewhere() throws IOException
    {
        final Path root = ReferencePage.root();
        final List<String> dead = new ArrayList<>();
        int links = 0;
        for (final Path page : pages(root))
        {
            final Matcher link = LINK.matcher(text(page));
            while (link.find())
            {
                links++;
                if (!ELSEWHERE.matcher(link.group(1)).matches() && !leads(page, link.group(1)))
                {
                    dead.add(root.relativize(page) + ": " + link.group(1));
                }
            }
        }
        assertTrue(links >= MIN_LINKS, links + " links");
        assertEquals(List.of(), dead);
    }

    /** A page of a package is read where the project's files are not. */
    @Test
    void shouldLeadFromThePackageToTheAddressOfTheProject() throws IOException
    {
        final Path root = ReferencePage.root();
        final Matcher address = ADDRESS.matcher(Files.readString(root.resolve("pom.xml")));
        assertTrue(address.find());
        final Path page = root.resolve(NPM).resolve("README.md");
        final Matcher link = LINK.matcher(text(page));
        int links = 0;
        while (link.find())
        {
            links++;
            final String[] parts = link.group(1).split(Pattern.quote(address.group(1) + "/"), 2);
            assertTrue(2 == parts.length && parts[0].isEmpty() && leads(root.resolve("pom.xml"), parts[1]),
                link.group(1));
        }
        assertTrue(links > 0, "no links");
        final String description = Files.readString(
            root.resolve(NPM).resolve("src/main/resources/META-INF/resources/escapement/package.json"));
        assertTrue(description.contains("\"homepage\": \"" + address.group(1) + '"'), description);
    }

    private boolean leads(final Path page, final String link) throws IOException
    {
        final int anchor = link.indexOf('#');
        final String path = anchor < 0 ? link : link.substring(0, anchor);
        final Path target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return Files.exists(target) && (anchor < 0 || anchors(target).contains(link.substring(anchor + 1)));
    }

    /** The anchors that GitHub gives the headings of a page. */
    private Set<String> anchors(final Path page) throws IOException
    {
        Set<String> anchors = anchorsByPageMap.get(page);
        if (null == anchors)
        {
            anchors = new HashSet<>();
            anchorsByPageMap.put(page, anchors);
            final Map<String, Integer> countByAnchorMap = new HashMap<>();
            final Matcher heading = HEADING.matcher(text(page));
            while (heading.find())
            {
                final String anchor = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").strip()
                    .toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
                final int count = countByAnchorMap.merge(anchor, 1, Integer::sum);
                anchors.add(1 == count ? anchor : anchor + '-' + (count - 1));
            }
        }
        return anchors;
    }

    private static String text(final Path page) throws IOException
    {
        return BLOCK.matcher(Files.readString(page, StandardCharsets.UTF_8)).replaceAll("");
    }

    private static List<Path> pages(final Path root) throws IOException
    {
        final List<Path> pages = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
            {
                return Set.of("target", ".git", "node_modules").contains(directory.getFileName().toString()) ?
                    FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
            {
                if (file.getFileName().toString().endsWith(".md"))
                {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }
}
