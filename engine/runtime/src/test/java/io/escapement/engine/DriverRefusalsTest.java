package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.config.ConfigException;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An engine that cannot use its driver, directory or port says why in one line. */
class DriverRefusalsTest
{
    @TempDir
    File directory;

    @Test
    void shouldReportAMissingDriverInOneLine()
    {
        final String nowhere = new File(directory, "nowhere").getPath();
        final IllegalStateException refused = assertThrows(
            IllegalStateException.class, () -> new TestEngine(context().aeronDirectory(nowhere)));
        assertTrue(refused.getMessage().startsWith("aeronDirectory: " + nowhere), refused::getMessage);
        assertFalse(refused.getMessage().contains("\n"), refused::getMessage);
    }

    @Test
    void shouldReportAPortInUse()
    {
        try (TestEngine first = new TestEngine(context()))
        {
            final EngineContext context = context().driverContext(TestTrunk.driverContext());
            context.trunks().udp(first.ingress(), first.response()).secret(TestTrunk.SECRET, true);
            final ConfigException refused = assertThrows(ConfigException.class, () -> Engine.launch(context));
            assertTrue(refused.getMessage().startsWith("trunks.udp.ingress: " + first.ingress()), refused::getMessage);
            assertFalse(refused.getMessage().contains("\n"), refused::getMessage);
        }
    }

    @Test
    void shouldReportAPortThatWasTakenAfterTheCheck() throws IOException
    {
        final EngineContext trunks = context().driverContext(TestTrunk.driverContext());
        final int port = Tests.freePort();
        trunks.trunks().udp("127.0.0.1:" + port, "127.0.0.1:" + Tests.freePort()).secret(TestTrunk.SECRET, true);
        trunks.conclude();
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket taken = new DatagramSocket(port, loopback))
        {
            assertRefused("trunks.udp.ingress: 127.0.0.1:" + taken.getLocalPort() + ": name a free port (", trunks);
        }
        final EngineContext metrics = context().driverContext(TestTrunk.driverContext())
            .monitor(new MonitorContext().metricsPort(Tests.freePort()));
        metrics.trunks().ipc(true).secret(TestTrunk.SECRET, true);
        metrics.conclude();
        try (ServerSocket taken = new ServerSocket(metrics.monitor().metricsPort(), 1, loopback))
        {
            assertRefused("metricsPort: " + taken.getLocalPort() + ": name a free port (", metrics);
        }
    }

    private static void assertRefused(final String start, final EngineContext context)
    {
        final String refusal =
            assertThrows(ConfigException.class, () -> Engine.launch(context).close()).getMessage();
        assertTrue(refusal.startsWith(start), refusal);
        assertEquals(1, refusal.lines().count(), refusal);
        assertThrows(IllegalStateException.class, () -> Engine.launch(context).close());
    }

    @Test
    void shouldReportADirectoryInUse()
    {
        final String aeron = new File(directory, "aeron").getPath();
        try (MediaDriver driver = MediaDriver.launch(TestTrunk.driverContext()
            .threadingMode(io.aeron.driver.ThreadingMode.SHARED).aeronDirectoryName(aeron)))
        {
            final IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> new TestEngine(context().driverContext(
                    TestTrunk.driverContext().aeronDirectoryName(driver.aeronDirectoryName()))));
            assertTrue(refused.getMessage().contains(aeron) && refused.getMessage().contains("in use"),
                refused::getMessage);
        }
        IoUtil.delete(new File(aeron), true);
    }

    private static EngineContext context()
    {
        return new EngineContext().roomType(EchoRoom.type()).loops(1).threadingMode(ThreadingMode.INVOKER);
    }
}
