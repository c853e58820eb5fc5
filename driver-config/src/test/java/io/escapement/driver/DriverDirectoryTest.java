package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DriverDirectoryTest
{
    /** Above the largest pid of Linux. */
    private static final long UNUSED_PID = 1L << 23;
    private static final String RANDOM = "-00c0ffee00c0ffee";

    private final Path base = Tests.newDirectory();

    DriverDirectoryTest() throws IOException
    {
        PrivateFiles.createDirectories("test", base);
    }

    @AfterEach
    void delete()
    {
        IoUtil.delete(base.toFile(), true);
    }

    @Test
    void shouldNameADirectoryOfThisProcessThatDoesNotExist()
    {
        final String name = DriverDirectory.temporary(base);
        assertTrue(name.startsWith(base + "/driver-" + ProcessHandle.current().pid() + "-"), name);
        assertFalse(new File(name).exists());
        assertNotEquals(name, DriverDirectory.temporary(base));
    }

    @Test
    void shouldFindActiveDrivers() throws IOException
    {
        directory("driver-" + UNUSED_PID + RANDOM);
        final String named = DriverDirectory.temporary(base);
        final String other = base.resolve("somebody-else").toString();
        final Path ofAeron = base.resolve("aeron-somebody");
        try (MediaDriver first = MediaDriver.launch(context(named));
            MediaDriver second = MediaDriver.launch(context(ofAeron.toString()));
            MediaDriver third = MediaDriver.launch(context(other)))
        {
            assertEquals(List.of(ofAeron.toString(), named), DriverDirectory.active(ofAeron, base));
            assertTrue(new File(third.aeronDirectoryName()).exists() && first != second);
        }
        assertEquals(List.of(), DriverDirectory.active(ofAeron, base));
    }

    private static MediaDriver.Context context(final String directory)
    {
        return new MediaDriver.Context().aeronDirectoryName(directory).threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnShutdown(true);
    }

    @Test
    void shouldDeleteTheDirectoryOfADeadProcess() throws IOException
    {
        final Path left = directory("driver-" + UNUSED_PID + RANDOM);
        Files.createFile(left.resolve("images"));
        DriverDirectory.temporary(base);
        assertFalse(Files.exists(left));
    }

    /** A link is no directory that a driver has made, and is not followed within one. */
    @Test
    void shouldNotFollowLinks() throws IOException
    {
        final Path letters = directory("letters");
        final Path letter = Files.createFile(letters.resolve("letter"));
        final Path link = Files.createSymbolicLink(base.resolve("driver-" + UNUSED_PID + RANDOM), letters);
        DriverDirectory.temporary(base);
        assertTrue(Files.exists(letter));
        Files.delete(link);
        final Path left = directory("driver-" + UNUSED_PID + RANDOM);
        Files.createSymbolicLink(left.resolve("images"), letters);
        DriverDirectory.temporary(base);
        assertFalse(Files.exists(left));
        assertTrue(Files.exists(letter));
    }

    @Test
    void shouldRefuseADirectoryThatNoDriverMayTake() throws IOException
    {
        final Path letters = directory("letters");
        DriverDirectory.check("dir", letters);
        DriverDirectory.check("dir", base.resolve("none"));
        Files.createFile(letters.resolve("cnc.dat"));
        DriverDirectory.check("dir", letters);
        final Path link = Files.createSymbolicLink(base.resolve("link"), letters);
        refused("dir: " + link + ": is a link", link);
        refused("dir: " + letters.resolve("cnc.dat") + ": is a file", letters.resolve("cnc.dat"));
        Files.createFile(letters.resolve("letter"));
        refused("dir: " + letters + ": has other files than a media driver's, letter", letters);
        final ConfigException refusal = assertThrows(ConfigException.class, () -> DriverLauncher.launch(
            DriverProfile.load("shared"), new MediaDriver.Context().aeronDirectoryName(letters.toString())));
        assertTrue(refusal.getMessage().contains("other files"), refusal.getMessage());
    }

    private static void refused(final String start, final Path path)
    {
        final ConfigException refusal =
            assertThrows(ConfigException.class, () -> DriverDirectory.check("dir", path));
        assertTrue(refusal.getMessage().startsWith(start), refusal.getMessage());
    }

    @Test
    void shouldKeepTheDirectoryOfALiveProcess() throws IOException
    {
        final Path made = directory("driver-" + ProcessHandle.current().pid() + RANDOM);
        DriverDirectory.temporary(base);
        assertTrue(Files.exists(made));
    }

    /** A driver in another container has a pid that does not exist here. */
    @Test
    void shouldKeepTheDirectoryOfADriverWithAHeartbeat()
    {
        final String name = base + "/driver-" + UNUSED_PID + RANDOM;
        try (MediaDriver driver = DriverLauncher.launch(
            DriverProfile.load("shared"), new MediaDriver.Context().aeronDirectoryName(name)))
        {
            DriverDirectory.temporary(base);
            assertTrue(new File(driver.aeronDirectoryName(), "cnc.dat").exists());
        }
    }

    @Test
    void shouldKeepDirectoriesWithOtherNames() throws IOException
    {
        for (final String name : new String[] {
            "driver", "driver-own", "driver-" + UNUSED_PID, "xdriver-" + UNUSED_PID + RANDOM,
            "driver-12345678-14a9-4da4-8ef5-ddd7ded388c0", "driver-" + UNUSED_PID + RANDOM + "0"})
        {
            final Path other = directory(name);
            DriverDirectory.temporary(base);
            assertTrue(Files.exists(other), name);
        }
    }

    private Path directory(final String name) throws IOException
    {
        return Files.createDirectory(base.resolve(name));
    }
}
