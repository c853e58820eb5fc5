package io.escapement.engine;

import io.escapement.engine.monitor.MonitorContext;
import io.escapement.testsupport.HttpClients;
import java.io.IOException;
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
}
