package io.escapement.engine;

import io.escapement.engine.monitor.MonitorContext;
import io.escapement.testsupport.HttpClients;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
    void shouldNameMetricsAsPrometheusDoes() throws Exception
    {
        final MonitorContext monitor =
            new MonitorContext().metricsPort(0).counter(7, "Apples").counter(8, "pears total");
        try (TestEngine engine = new TestEngine(new EngineContext().loops(2).roomType(EchoRoom.type())
            .service(4, "a \"name\": of it", 1, () -> (request) -> 0).monitor(monitor)))
        {
            final List<String> lines = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + engine.engine().metricsPort() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString()).body().lines().toList();
            for (final String line : List.of("# TYPE escapement_loop_apples_total counter",
                "escapement_loop_apples_total{loop=\"1\"} 0", "escapement_loop_pears_total{loop=\"0\"} 0",
                "# TYPE escapement_loop_rooms_open gauge", "escapement_loop_rooms_open{loop=\"0\"} 0",
                "escapement_loop_refused_total{code=\"ROOM_FULL\",loop=\"0\"} 0",
                "escapement_service_requests_total{service=\"4 a \\\"name\\\": of it\"} 0"))
            {
                assertEquals(1, lines.stream().filter(line::equals).count(), () -> line + lines);
            }
        }
    }
}
