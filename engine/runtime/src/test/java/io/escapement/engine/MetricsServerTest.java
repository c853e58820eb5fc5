package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.testsupport.HttpClients;
import io.escapement.testsupport.MetricsPage;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The port of an engine's metrics, which an orchestrator asks whether to kill it. */
class MetricsServerTest
{
    /** More than the server's connections. */
    private static final int HALF_SENT = 300;

    @Test
    void shouldAnswerProbesWhileHalfSentRequestsAreHeld() throws IOException
    {
        try (TestEngine engine = new TestEngine(
            new EngineContext().roomType(EchoRoom.type()).monitor(new MonitorContext().metricsPort(0)));
            HttpClients clients = new HttpClients(engine.engine().metricsPort()).sendHalf(HALF_SENT))
        {
            for (final String path : new String[]{"/health", "/ready", "/metrics"})
            {
                assertEquals(200, clients.status("127.0.0.1", path), path);
            }
        }
    }

    @Test
    void shouldServeAPageWithHelpTypesUnitsAndNoSeriesTwice()
    {
        final MonitorContext monitor =
            new MonitorContext().metricsPort(0).intervalNs(100_000_000).counter(7, "Apples").counter(8, "apples!");
        try (TestEngine engine = new TestEngine(new EngineContext().loops(2).roomType(EchoRoom.type())
            .service(4, "a \"name\": of it", 1, () -> (request) -> 0).monitor(monitor)))
        {
            Tests.await(() -> page(engine).types().containsKey("escapement_loop_frame_work_seconds"), "an interval");
            final MetricsPage page = page(engine);
            for (final String series : List.of("loop_room_counts_total{counter=\"Apples\",loop=\"1\"}",
                "loop_room_counts_total{counter=\"apples!\",loop=\"0\"}", "loop_rooms_open{loop=\"0\"}",
                "loop_refusals_total{code=\"ROOM_FULL\",loop=\"0\"}", "edge_refusals_total{code=\"BAD_CREDENTIALS\"}",
                "service_requests_total{service=\"4 a \\\"name\\\": of it\"}",
                "loop_frame_lateness_seconds_count{loop=\"1\"}", "edge_trunks_up",
                "loop_trunks_that_receive_its_feed{loop=\"1\"}", "loop_packets_of_its_feed_total{loop=\"0\"}",
                "driver_feed_datagrams_missed_total", "driver_feed_naks_and_errors_ignored_total",
                "edge_feeds_that_trunks_left_total"))
            {
                assertEquals(0, page.value("escapement_" + series));
            }
            assertEquals("gauge", page.types().get("escapement_loop_rooms_open"));
            assertEquals("histogram", page.types().get("escapement_loop_frame_lateness_seconds"));
            assertEquals(page.value("escapement_loop_frame_work_seconds_count{loop=\"0\"}"),
                page.value("escapement_loop_frame_work_seconds_bucket{le=\"+Inf\",loop=\"0\"}"));
            assertEquals("counter", page.types().get("escapement_loop_work_seconds_total"));
        }
    }

    @Test
    void shouldRefuseACounterOfRoomsThatIsNamedAsAnother()
    {
        for (final String name : List.of("turns", "pears"))
        {
            final MonitorContext monitor = new MonitorContext().counter(7, "pears").counter(8, name);
            final ConfigException refused = assertThrows(ConfigException.class,
                () -> new TestEngine(new EngineContext().roomType(EchoRoom.type()).monitor(monitor)).close());
            assertEquals("counter: escapement loop 0: " + name +
                ": is the name of two counters: choose another", refused.getMessage());
        }
    }

    private static MetricsPage page(final TestEngine engine)
    {
        try
        {
            return MetricsPage.parse(HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + engine.engine().metricsPort() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString()).body());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
