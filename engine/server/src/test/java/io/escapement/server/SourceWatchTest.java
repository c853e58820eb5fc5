package io.escapement.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When a build is due, by steps with a test's time. */
class SourceWatchTest
{
    private static final long QUIET_NS = SourceWatch.QUIET_NS;

    @TempDir
    Path root;

    private int builds;
    private Runnable duringBuild = () -> { };
    private SourceWatch watch;
    private Path room;
    private long nowNs = Long.MAX_VALUE - QUIET_NS / 2;

    @BeforeEach
    void shouldBuildAtTheBeginning() throws IOException
    {
        watch = new SourceWatch(root, () ->
        {
            builds++;
            duringBuild.run();
        });
        room = Files.createDirectories(root.resolve("game")).resolve("Room.java");
        write(room, "one", 1);
        assertFalse(watch.step(nowNs));
        assertFalse(stepAfter(QUIET_NS - 1));
        assertTrue(stepAfter(1));
        assertFalse(stepAfter(QUIET_NS));
        assertEquals(1, builds);
    }

    @Test
    void shouldBuildOnceAfterTheLastChange() throws IOException
    {
        write(room, "two", 2);
        assertFalse(stepAfter(1));
        assertFalse(stepAfter(QUIET_NS - 1));
        write(root.resolve("game/Other.java"), "one", 2);
        assertFalse(stepAfter(1), "another file has changed meanwhile");
        assertFalse(stepAfter(QUIET_NS - 1));
        assertTrue(stepAfter(1));
        assertFalse(stepAfter(QUIET_NS));
        assertEquals(2, builds);
    }

    @Test
    void shouldSeeATimeALengthAndADeletion() throws IOException
    {
        write(room, "one", 5);
        assertTrue(isDueAfterAChange());
        write(room, "longer", 5);
        assertTrue(isDueAfterAChange());
        Files.delete(room);
        assertTrue(isDueAfterAChange());
        assertFalse(isDueAfterAChange());
    }

    @Test
    void shouldLeaveOtherFilesAlone() throws IOException
    {
        write(root.resolve("game/page.html"), "text", 2);
        write(root.resolve("game/Room.java~"), "text", 2);
        assertFalse(isDueAfterAChange());
    }

    @Test
    void shouldSeeAChangeDuringABuild() throws IOException
    {
        duringBuild = () -> write(room, "three", 3);
        write(room, "two", 2);
        assertTrue(isDueAfterAChange());
        duringBuild = () -> { };
        assertTrue(isDueAfterAChange());
        assertFalse(isDueAfterAChange());
    }

    private boolean isDueAfterAChange()
    {
        assertFalse(stepAfter(1));
        return stepAfter(QUIET_NS);
    }

    private boolean stepAfter(final long ns)
    {
        nowNs += ns;
        return watch.step(nowNs);
    }

    private static void write(final Path file, final String text, final long seconds)
    {
        try
        {
            Files.writeString(file, text);
            Files.setLastModifiedTime(file, FileTime.from(seconds, TimeUnit.SECONDS));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
