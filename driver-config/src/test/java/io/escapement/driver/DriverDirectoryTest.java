package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
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
import static org.junit.jupiter.api.Assertions.assertTrue;

class DriverDirectoryTest
{
    /** Above the largest pid of Linux. */
    private static final long UNUSED_PID = 1L << 23;
    private static final String RANDOM = "-00c0ffee00c0ffee";

    private final Path files = Tests.newDirectory();
    private final File base = files.resolve("aeron-somebody").toFile();

    DriverDirectoryTest() throws IOException
    {
        Files.createDirectory(files);
    }

    @AfterEach
    void delete()
    {
        IoUtil.delete(files.toFile(), true);
    }

    @Test
    void shouldNameADirectoryOfThisProcessThatDoesNotExist()
    {
        final String name = DriverDirectory.temporary(base);
        assertTrue(name.startsWith(base + "-" + ProcessHandle.current().pid() + "-"), name);
        assertFalse(new File(name).exists());
        assertNotEquals(name, DriverDirectory.temporary(base));
    }

    @Test
    void shouldFindActiveDrivers() throws IOException
    {
        directory(base.getName() + "-" + UNUSED_PID + RANDOM);
        final String named = DriverDirectory.temporary(base);
        final String other = files.resolve("somebody-else").toString();
        try (MediaDriver first = MediaDriver.launch(context(named));
            MediaDriver second = MediaDriver.launch(context(base.getPath()));
            MediaDriver third = MediaDriver.launch(context(other)))
        {
            assertEquals(List.of(base.getPath(), named), DriverDirectory.active(base));
            assertTrue(new File(third.aeronDirectoryName()).exists() && first != second);
        }
        assertEquals(List.of(), DriverDirectory.active(base));
    }

    private static MediaDriver.Context context(final String directory)
    {
        return new MediaDriver.Context().aeronDirectoryName(directory).threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnShutdown(true);
    }

    @Test
    void shouldDeleteTheDirectoryOfADeadProcess() throws IOException
    {
        final Path left = directory(base.getName() + "-" + UNUSED_PID + RANDOM);
        Files.createFile(left.resolve("images"));
        DriverDirectory.temporary(base);
        assertFalse(Files.exists(left));
    }

    @Test
    void shouldKeepTheDirectoryOfALiveProcess() throws IOException
    {
        final Path made = directory(base.getName() + "-" + ProcessHandle.current().pid() + RANDOM);
        DriverDirectory.temporary(base);
        assertTrue(Files.exists(made));
    }

    /** A driver in another container has a pid that does not exist here. */
    @Test
    void shouldKeepTheDirectoryOfADriverWithAHeartbeat()
    {
        final String name = base + "-" + UNUSED_PID + RANDOM;
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
            base.getName(), base.getName() + "-own", base.getName() + "-" + UNUSED_PID,
            "x" + base.getName() + "-" + UNUSED_PID + RANDOM,
            base.getName() + "-12345678-14a9-4da4-8ef5-ddd7ded388c0", base.getName() + "-" + UNUSED_PID + RANDOM + "0"})
        {
            final Path other = directory(name);
            DriverDirectory.temporary(base);
            assertTrue(Files.exists(other), name);
        }
    }

    private Path directory(final String name) throws IOException
    {
        return Files.createDirectory(files.resolve(name));
    }
}
