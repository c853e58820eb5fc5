package io.escapement.server;

import io.escapement.generator.Generator;
import io.escapement.testsupport.SourceJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The tutorial of the guide that starts in an empty folder: its files compile, and its room passes its tests. */
class OrderMatchingTest
{
    static final String PAGE = "order-matching.md";
    private static final String SCHEMA = "src/main/resources/orders.xml";
    private static final String TESTS = "src/test/java/matching/BookRoomTest.java";
    private static final Pattern VERSION =
        Pattern.compile("<artifactId>([\\w-]+)</artifactId><version>([\\w.-]+)</version>");

    @TempDir
    Path directory;
    private Path project;
    private GuidePage page;

    @BeforeEach
    void readPage() throws IOException
    {
        project = Files.createDirectory(directory.resolve("my-exchange"));
        page = new GuidePage(PAGE);
    }

    /** The page shows a test that fails, and then the rule that it needs. */
    @Test
    void shouldPassAfterEachEditButTheTestThatComesFirst() throws Exception
    {
        final List<String> results = new ArrayList<>();
        int parts = 0;
        for (final GuidePage.Edit edit : page.edits())
        {
            edit.apply(project);
            parts += edit.isPart() ? 1 : 0;
            if (SCHEMA.equals(edit.file()))
            {
                new Generator(true).java(project.resolve(SCHEMA), project.resolve("target/generated-sources/sbe"));
            }
            if (Files.exists(project.resolve(TESTS)) && !edit.isPart())
            {
                final List<String> failures = failures(results.size());
                results.add(edit.file().replaceAll(".*/", "") + (failures.isEmpty() ? " passes" : " " + failures));
            }
        }
        assertEquals(List.of("BookRoomTest.java passes", "BookRoomTest.java [" + tradedWithItself() + "]",
            "BookRoom.java passes", "MatchingServer.java passes", "LoadClient.java passes"), results);
        assertTrue(parts >= 5, parts + " parts of files");
        for (final String file : page.files())
        {
            assertTrue(Files.exists(project.resolve(file)), file);
        }
    }

    private static String tradedWithItself()
    {
        return "expected: <[accepted 0 as 0, accepted 1 as 1, accepted 2 as 2, cancelled 2: 5]> but was: " +
            "<[accepted 0 as 0, accepted 1 as 1, accepted 2 as 2, filled 2: 5 at 100, rest 0, " +
            "filled 1: 5 at 100, rest 0]>";
    }

    /** As in the poms of new projects, which this build fills in. */
    @Test
    void shouldNameTheVersionsOfThisBuild() throws IOException
    {
        final String known = Escapement.resource("project/pom.xml") + Escapement.resource("project/codecs-plugin.xml");
        final Matcher matcher = VERSION.matcher(page.edits().stream()
            .filter((edit) -> "pom.xml".equals(edit.file()) && !edit.isPart()).findFirst().orElseThrow().to());
        int versions = 0;
        while (matcher.find())
        {
            versions++;
            assertTrue(known.contains(matcher.group()) || Escapement.Version.of().equals(matcher.group(2)) ||
                "my-exchange".equals(matcher.group(1)), matcher.group());
        }
        // The project, two modules, JUnit and six plugins.
        assertEquals(10, versions);
    }

    private List<String> failures(final int build) throws Exception
    {
        final Path jar = new SourceJar().sources(project.resolve("target/generated-sources/sbe"), "matching.codecs")
            .sources(project.resolve("src/main/java"), "matching").sources(project.resolve("src/test/java"), "matching")
            .writeTo(directory.resolve(build + ".jar"));
        return GuidePage.failures(jar, "matching.BookRoomTest", 8);
    }
}
