package io.escapement.driver;

import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.driver.internal.UntilSignal;
import io.escapement.testsupport.HelpExamples;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The command line, run in this process. {@link DriverProcessTest} starts processes. */
class DriverCommandTest
{
    private static final HostFacts POOR = new HostFacts(
        4, 212_992, 212_992, new HostFacts.Store("/dev/shm", "tmpfs", 8L << 30, 8L << 30), "powersave", false, "never");
    private static final HostFacts RICH = new HostFacts(
        8, 4 << 20, 4 << 20, new HostFacts.Store("/dev/shm", "tmpfs", 8L << 30, 8L << 30), "", false, "never");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final UntilSignal until = new UntilSignal();
    private final Path directory = Tests.newDirectory();
    private DriverCommand command;

    @AfterEach
    void close()
    {
        IoUtil.delete(directory.toFile(), true);
    }

    @Test
    void shouldPrintHelp()
    {
        assertEquals(0, execute(RICH, "--help"));
        for (final String option : List.of("--profile", "--aeron-dir", "--check", "--skip-check", "--trace", "--help"))
        {
            assertTrue(out.toString().contains(option), out.toString());
        }
    }

    @Test
    void shouldShowTwoCommandLinesThatItParses()
    {
        assertEquals(List.of(), HelpExamples.faults(() ->
            new DriverCommand(until, (path) -> RICH).commandLine()));
    }

    @Test
    void shouldShowUsageForAnUnknownOption()
    {
        assertEquals(2, execute(RICH, "--cheque"));
        assertTrue(err.toString().startsWith("Unknown option: '--cheque'"), err.toString());
        assertTrue(err.toString().contains("Usage: escapement-driver"), err.toString());
    }

    @Test
    void shouldShowUsageForOptionsThatContradictEachOther()
    {
        assertEquals(2, execute(RICH, "--check", "--skip-check"));
        assertTrue(err.toString().contains("mutually exclusive"), err.toString());
    }

    @Test
    void shouldRefuseAnUnknownProfileInOneLine()
    {
        assertEquals(2, execute(RICH, "--profile=fast"));
        assertError("--profile: fast: expected one of [dedicated, shared, solo, cloud] or an existing file");
    }

    @Test
    void shouldRefuseAnUnusableCore()
    {
        assertEquals(2, execute(RICH, "--skip-check", "--aeron-dir=" + directory, "--cores=900"));
        assertError("--cores: 900: this process may use " + Cores.usable());
    }

    @Test
    void shouldRefuseAProfileOfADriverWithoutThreads()
    {
        assertEquals(2, execute(RICH, "--profile=solo"));
        assertError(
            "--profile: solo: aeron.threading.mode=INVOKER needs an embedding engine, use a profile with threads");
        SystemProperties.with(Map.of("aeron.threading.mode", "INVOKER"), () ->
            assertEquals(2, execute(RICH, "--profile=shared", "--aeron-dir=" + directory)));
    }

    @Test
    void shouldPrintAStackTraceOnRequest()
    {
        assertEquals(1, execute(RICH, "--profile=fast", "--trace"));
        assertTrue(err.toString().contains("\tat io.escapement.driver.DriverProfile.open"), err.toString());
    }

    @Test
    void shouldRefuseAPortInUseInOneLine() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final String endpoint = "127.0.0.1:" + socket.getLocalPort();
            assertEquals(2, execute(RICH, "--aeron-dir=" + directory, "--endpoint=" + endpoint));
            assertError("--endpoint: " + endpoint + ": name a free port (Address already in use)");
            assertFalse(Files.exists(directory));
        }
    }

    @Test
    void shouldRefuseAnInvalidEndpointInOneLine()
    {
        assertEquals(2, execute(RICH, "--aeron-dir=" + directory, "--endpoint=here"));
        assertError("--endpoint: here: expected HOST:PORT");
        assertEquals(2, execute(RICH, "--aeron-dir=" + directory, "--endpoint=127.0.0.1:65536"));
    }

    @Test
    void shouldOnlyCheckTheHostOnRequest()
    {
        assertEquals(1, execute(POOR, "--check", "--aeron-dir=" + directory));
        assertTrue(out.toString().contains("FATAL: net.core.rmem_max is 212992"), out.toString());
        assertTrue(out.toString().contains("fix: sysctl -w net.core.rmem_max=2097152"), out.toString());
        assertTrue(out.toString().contains("WARNING: the CPU frequency governor"), out.toString());
        assertTrue(out.toString().contains("profile shared: cannot run on this host"), out.toString());
        assertEquals("", err.toString());

        assertEquals(0, execute(RICH, "--check", "--profile=solo", "--aeron-dir=" + directory));
        final String offload = GuardedEndpoints.offloadObstacle().map((reason) -> "off, " + reason).orElse("on");
        assertEquals(List.of("segmentation offload: " + offload, "profile solo: can run on this host"),
            out.toString().lines().toList());
        SystemProperties.with(Map.of(DriverProfile.GSO_KEY, "off"), () ->
            assertEquals(0, execute(RICH, "--check", "--profile=solo", "--aeron-dir=" + directory)));
        assertTrue(out.toString().startsWith("segmentation offload: off" + System.lineSeparator()), out.toString());
        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldNotStartOnAnUnfitHost()
    {
        assertEquals(1, execute(POOR, "--aeron-dir=" + directory));
        assertTrue(err.toString().contains("FATAL: net.core.rmem_max is 212992"), err.toString());
        assertTrue(err.toString().endsWith("--profile: shared: cannot run on this host, --skip-check starts it anyway" +
            System.lineSeparator()), err.toString());
        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldSkipTheHostCheckOnRequest()
    {
        final CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
            () -> execute(POOR, "--skip-check", "--aeron-dir=" + directory));
        Tests.await(() -> out.toString().contains("media driver in " + directory + ", profile shared"), "the driver");
        assertTrue(Files.exists(directory.resolve("cnc.dat")));
        until.end();
        Tests.await(status::isDone, "its end");
        assertEquals(0, status.join());
        assertEquals("", err.toString());
        assertFalse(Files.exists(directory));
    }

    @Test
    void shouldExitWhenAnAgentFailsWithAnError()
    {
        final CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
            () -> execute(RICH, "--aeron-dir=" + directory));
        Tests.await(() -> out.toString().contains("media driver in "), "the driver");
        command.onFault(new IllegalStateException("caused by one packet"));
        command.onFault(new InternalError("the file system is full"));
        Tests.await(status::isDone, "its end");
        assertEquals(1, status.join());
        assertError("media driver failed: java.lang.InternalError: the file system is full");
    }

    private int execute(final HostFacts facts, final String... args)
    {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        command = new DriverCommand(until, (path) -> facts);
        final CommandLine line = command.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
        return line.execute(args);
    }

    private void assertError(final String text)
    {
        assertEquals("escapement-driver: " + text + System.lineSeparator(), err.toString());
    }
}
