package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.AeronEvent;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.testsupport.Tests;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Errors of an embedded driver reach the engine's error handler, and the engine is not ready then. */
class DriverErrorsTest
{
    private final List<Throwable> driverErrors = new CopyOnWriteArrayList<>();

    @Test
    void shouldReportThatTheDriversDirectoryWasDeleted()
    {
        final EngineContext context =
            new EngineContext().roomType(EchoRoom.type()).loops(1).monitor(new MonitorContext().metricsPort(0));
        context.driverContext(driverContext());
        try (TestEngine engine = new TestEngine(context, ThreadingMode.SOLO))
        {
            assertEquals(200, ready(engine));
            IoUtil.delete(new File(engine.aeronDirectory()), true);
            engine.await("not to be ready", () -> 503 == ready(engine));
            engine.await("a report", () -> !engine.errors().isEmpty());
            assertTrue(engine.errors().get(0).getMessage().contains("deleted"), engine.errors()::toString);
            engine.errors().clear();
            // The driver cannot map the memory of a newcomer.
            try (TestTrunk trunk = TestTrunk.over(engine))
            {
                engine.await("an error of the driver", trunk, () -> !engine.errors().isEmpty());
                assertFalse(trunk.isUp);
            }
            Tests.await(() -> !driverErrors.isEmpty(), "the handler of the driver's context to get it too");
            assertTrue(engine.engine().isAlive(), "those who are connected go on");
            engine.engine().close();
            engine.errors().clear();
        }
    }

    @Test
    void shouldNotBeReadyForAWhileAfterAnError()
    {
        final DriverHealth health = new DriverHealth(driverErrors::add);
        assertTrue(health.isHealthy());
        health.onError(new AeronEvent("only a warning"));
        assertTrue(health.isHealthy());
        health.onError(new IOException("Too many open files"));
        assertFalse(health.isHealthy());
        assertEquals(2, driverErrors.size());
    }

    private MediaDriver.Context driverContext()
    {
        return TestTrunk.driverContext().errorHandler(driverErrors::add);
    }

    private static int ready(final TestEngine engine)
    {
        try
        {
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + engine.engine().metricsPort() + "/ready")).build(),
                HttpResponse.BodyHandlers.discarding()).statusCode();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
