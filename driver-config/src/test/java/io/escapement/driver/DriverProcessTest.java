package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
class DriverProcessTest
{
    private final Path directory = Tests.newDirectory();

    @TempDir
    private Path files;

    private Process process;

    @AfterEach
    void close()
    {
        if (null != process)
        {
            process.destroyForcibly().onExit().join();
        }
        IoUtil.delete(directory.toFile(), true);
    }

    @Test
    void shouldRefuseADirectoryInUse()
    {
        final DriverProfile profile = DriverProfile.load("shared");
        try (MediaDriver driver = DriverLauncher.launch(
            profile, new MediaDriver.Context().aeronDirectoryName(directory.toString())))
        {
            assertEquals(1, run("--aeron-dir=" + driver.aeronDirectoryName()));
            assertEquals("escapement-driver: --aeron-dir=" + directory + ": in use by an active media driver, " +
                "or by one that was killed less than 10000 ms ago\n", text("err"));
            assertEquals("", text("out"));
        }
    }

    @Test
    void shouldShowUsageForAnUnknownOption()
    {
        assertEquals(2, run("--cheque"));
        assertTrue(text("err").startsWith("Unknown option: '--cheque'\nUsage: escapement-driver"), text("err"));
    }

    @Test
    void shouldExplainItself()
    {
        assertEquals(0, run("--help"));
        assertTrue(text("out").startsWith("Usage: escapement-driver"), text("out"));
    }

    @Test
    void shouldPrintNoTraceOfAnUnknownProfile()
    {
        assertEquals(1, run("--profile=fast"));
        assertEquals(1, text("err").lines().count(), text("err"));
    }

    @Test
    void shouldEndWellWhenToldToTerminate()
    {
        start("--skip-check", "--aeron-dir=" + directory);
        Tests.await(() -> text("out").equals("media driver in " + directory + ", profile shared\n"), "the driver");
        assertTrue(Files.exists(directory.resolve("cnc.dat")));
        process.destroy();
        assertEquals(0, status());
        assertFalse(Files.exists(directory), "the profile says that nothing stays");
        assertEquals("", text("err"));
    }

    @Test
    void shouldLeaveTheDirectoryWhereTheProfileSaysSo() throws IOException
    {
        final Path profile = Files.writeString(files.resolve("own.properties"), "aeron.threading.mode=SHARED\n");
        start("--skip-check", "--aeron-dir=" + directory, "--profile=" + profile);
        Tests.await(() -> text("out").startsWith("media driver in "), "the driver");
        process.destroy();
        assertEquals(0, status());
        assertTrue(Files.exists(directory.resolve("cnc.dat")));
    }

    private int run(final String... args)
    {
        start(args);
        return status();
    }

    private void start(final String... args)
    {
        final List<String> line = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx128m", "-XX:+UseSerialGC",
            "-cp", System.getProperty("java.class.path"), DriverLauncher.class.getName()));
        line.addAll(List.of(args));
        try
        {
            process = new ProcessBuilder(line)
                .redirectOutput(files.resolve("out").toFile())
                .redirectError(files.resolve("err").toFile())
                .start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private int status()
    {
        return process.onExit().orTimeout(30, TimeUnit.SECONDS).join().exitValue();
    }

    private String text(final String name)
    {
        try
        {
            return Files.readString(files.resolve(name)).replace("\r\n", "\n");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
