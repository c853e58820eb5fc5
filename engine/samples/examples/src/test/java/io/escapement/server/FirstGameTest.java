package io.escapement.server;

import io.escapement.testsupport.SourceJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The tutorial of the guide: its edits fit a new project, which compiles and passes its test after each of them. */
class FirstGameTest
{
    static final String PAGE = "first-game.md";
    /** The edit after which the page shows a failing test. */
    private static final String NOT_OF_THE_LOG = "Math.random()";

    @TempDir
    Path directory;
    private Path project;
    private GuidePage page;

    @BeforeEach
    void create() throws IOException
    {
        System.setProperty(NewCommand.HOME_PROPERTY, Path.of("..", "..", "..").toAbsolutePath().normalize().toString());
        project = directory.resolve("my-game");
        final StringWriter out = new StringWriter();
        assertEquals(0, Escapement.commandLine().setOut(new PrintWriter(out)).execute("new", project.toString(),
            "--repository", NewCommandTest.installedRepository(directory).toString()), out::toString);
        page = new GuidePage(PAGE);
    }

    @AfterEach
    void clear()
    {
        System.clearProperty(NewCommand.HOME_PROPERTY);
    }

    @Test
    void shouldPassAfterEachEdit() throws Exception
    {
        assertEquals(List.of(), failures("0"));
        int number = 0;
        int broken = 0;
        for (final GuidePage.Edit edit : page.edits())
        {
            edit.apply(project);
            number++;
            final List<String> failures = failures(Integer.toString(number));
            if (isBroken(edit))
            {
                broken++;
                assertTrue(!failures.isEmpty() && failures.stream().allMatch(
                    (text) -> text.startsWith("the replay differs at turn ")), failures::toString);
                edit.undo(project);
            }
            else
            {
                assertEquals(List.of(), failures, edit::to);
            }
        }
        assertTrue(number >= 7, () -> page.edits().size() + " edits");
        assertEquals(1, broken);
    }

    @Test
    void shouldNameFilesThatExist()
    {
        for (final String file : page.files())
        {
            assertTrue(Files.exists(project.resolve(file)), file);
        }
    }

    @Test
    void shouldGiveOptionsThatExist()
    {
        check("serve", page.commands("./run"), 3);
        check(null, page.commands("java -jar target/my-game.jar"), 1);
        check(null, page.commands("~/escapement/engine/bin/escapement"), 1);
    }

    /** Whether the page has the reader undo an edit. */
    static boolean isBroken(final GuidePage.Edit edit)
    {
        return edit.to().contains(NOT_OF_THE_LOG);
    }

    private static void check(final String command, final List<List<String>> commands, final int count)
    {
        assertEquals(count, commands.size(), commands::toString);
        commands.forEach((words) -> Escapement.commandLine().parseArgs(
            Stream.concat(Stream.ofNullable(command), words.stream()).toArray(String[]::new)));
    }

    /** Compile the project, and run its test. Returns the messages of tests that fail. */
    private List<String> failures(final String build) throws Exception
    {
        final Path jar = new SourceJar().sources(project.resolve("src/main/java"), "game")
            .sources(project.resolve("src/test/java"), "game").writeTo(directory.resolve(build + ".jar"));
        return GuidePage.failures(jar, "game.DotsRoomTest", 5);
    }
}
