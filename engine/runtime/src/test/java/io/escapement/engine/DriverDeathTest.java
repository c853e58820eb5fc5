package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.ShutdownSignalBarrier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When its driver dies, an engine reports that and ends, and the next one starts in the same directory. */
@RealTime("a driver is killed, and its death is a timeout")
class DriverDeathTest
{
    private static final long TIMEOUT_MS = 2_000;

    @TempDir
    File directory;

    @Test
    void shouldEndWithItsDriverAndStartInTheSameDirectory()
    {
        final String aeron = new File(directory, "aeron").getPath();
        try (ChildJvm driver = new ChildJvm(Driver.class, List.of(), List.of(aeron)))
        {
            Tests.await(() -> null != driver.valueOf("ready"), "the driver");
            final AtomicInteger faults = new AtomicInteger();
            try (TestEngine engine =
                new TestEngine(context(aeron).faultHook(faults::incrementAndGet), ThreadingMode.SHARED))
            {
                echo(engine);
                driver.kill();
                engine.await("the engine to notice", () -> 0, () -> !engine.engine().isAlive());
                engine.await("the hook", () -> 1 == faults.get());
                final long startNs = System.nanoTime();
                engine.engine().close();
                assertTrue(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(10), "closing takes long");
                assertTrue(engine.errors().stream().anyMatch((ex) -> ex.toString().contains("MediaDriver")),
                    engine.errors()::toString);
                engine.errors().clear();
            }
        }
        assertTrue(new File(aeron, "cnc.dat").exists(), "the driver left its files");
        try (ChildJvm driver = new ChildJvm(Driver.class, List.of(), List.of(aeron)))
        {
            Tests.await(() -> null != driver.valueOf("ready"), "the driver");
            try (TestEngine engine = new TestEngine(context(aeron), ThreadingMode.SHARED))
            {
                echo(engine);
            }
        }
    }

    private static EngineContext context(final String aeron)
    {
        return new EngineContext().roomType(EchoRoom.type()).loops(1).aeronDirectory(aeron).driverTimeoutMs(TIMEOUT_MS);
    }

    private static void echo(final TestEngine engine)
    {
        try (TestTrunk trunk = TestTrunk.over(engine))
        {
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 8));
            engine.await("an echo", trunk, () -> 1 == trunk.events);
        }
    }

    /** A driver in a separate process. */
    static final class Driver
    {
        private Driver()
        {
        }

        public static void main(final String[] args)
        {
            try (ShutdownSignalBarrier barrier = new ShutdownSignalBarrier();
                MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(args[0])
                    .driverTimeoutMs(TIMEOUT_MS)
                    .threadingMode(io.aeron.driver.ThreadingMode.SHARED)))
            {
                System.out.println("ready " + driver.aeronDirectoryName());
                barrier.await();
            }
        }
    }
}
