package io.escapement.driver;

import io.aeron.driver.MediaDriver;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The launcher as a process. {@link DriverCommandTest} checks which lines go to standard error. */
class DriverProcessTest
{
    private static final long PATIENCE_S = 30;

    private final Path directory = Tests.newDirectory();

    @TempDir
    private Path files;

    private ChildJvm process;

    @AfterEach
    void close()
    {
        if (null != process)
        {
            process.close();
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
            assertEquals(List.of("escapement-driver: --aeron-dir: " + directory +
                ": in use by an active media driver, or one killed less than 10000 ms ago"), process.lines());
        }
    }

    @Test
    void shouldShowUsageForAnUnknownOption()
    {
        assertEquals(2, run("--cheque"));
        assertEquals("Unknown option: '--cheque'", process.lines().get(0));
        assertTrue(process.lines().get(1).startsWith("Usage: escapement-driver"), process.lines().toString());
    }

    @Test
    void shouldPrintHelp()
    {
        assertEquals(0, run("--help"));
        assertTrue(process.lines().get(0).startsWith("Usage: escapement-driver"), process.lines().toString());
    }

    @Test
    void shouldPrintNoStackTraceForAnUnknownProfile()
    {
        assertEquals(2, run("--profile=fast"));
        assertEquals(1, process.lines().size(), () -> process.lines().toString());
    }

    @Test
    void shouldExitWithZeroOnSigterm()
    {
        process = new ChildJvm(DriverLauncher.class,
            List.of("-Xmx128m", "-XX:+UseSerialGC", "-D" + DriverProfile.GSO_KEY + "=off"),
            List.of("--skip-check", "--aeron-dir=" + directory));
        Tests.await(() -> !process.lines().isEmpty(), "the driver");
        assertTrue(Files.exists(directory.resolve("cnc.dat")));
        process.terminate();
        assertEquals(0, process.exitStatus());
        assertEquals(List.of("media driver in " + directory + ", profile shared, segmentation offload off"),
            process.lines());
        assertFalse(Files.exists(directory), "the profile deletes the directory on shutdown");
    }

    @Test
    void shouldNameTheFlagThatOffloadNeeds() throws IOException
    {
        final List<String> command = new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m"));
        command.addAll(ChildJvm.FLAGS);
        command.removeIf((flag) -> flag.contains("/sun.nio.ch="));
        command.addAll(List.of("-D" + DriverProfile.GSO_KEY + "=on", "-cp", System.getProperty("java.class.path"),
            DriverLauncher.class.getName(), "--skip-check", "--aeron-dir=" + directory));
        final Process driver = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader lines = driver.inputReader())
        {
            final String line = lines.readLine();
            assertTrue(line.endsWith(
                "segmentation offload off, the JVM needs --add-opens java.base/sun.nio.ch=ALL-UNNAMED"), line);
        }
        finally
        {
            driver.destroyForcibly().onExit().join();
        }
    }

    @Test
    void shouldLeaveTheDirectoryUnlessTheProfileDeletesIt() throws IOException
    {
        final Path profile = Files.writeString(files.resolve("own.properties"), "aeron.threading.mode=SHARED\n");
        start("--skip-check", "--aeron-dir=" + directory, "--profile=" + profile);
        Tests.await(() -> null != process.valueOf("media driver in "), "the driver");
        process.terminate();
        assertEquals(0, process.exitStatus());
        assertTrue(Files.exists(directory.resolve("cnc.dat")));
    }

    private int run(final String... args)
    {
        start(args);
        return process.exitStatus();
    }

    private void start(final String... args)
    {
        process = new ChildJvm(DriverLauncher.class, List.of("-Xmx128m", "-XX:+UseSerialGC"), List.of(args));
    }
}
