package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.config.ConfigException;
import java.io.File;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        final EngineException refused = assertThrows(EngineException.class,
            () -> new TestEngine(context().aeronDirectory(nowhere).driverTimeoutMs(100)));
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
            assertTrue(refused.getMessage().startsWith("trunks.udp: " + first.ingress()), refused::getMessage);
            assertFalse(refused.getMessage().contains("\n"), refused::getMessage);
        }
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
