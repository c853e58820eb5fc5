package io.escapement.gateway;

import io.escapement.testsupport.HttpClients;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The port of a gateway's metrics. */
class GatewayMetricsTest
{
    /** More than the server's connections. */
    private static final int HALF_SENT = 300;

    @Test
    void shouldServeMetricsWhileHalfSentRequestsAreHeld() throws IOException
    {
        try (GatewayMetrics metrics = new GatewayMetrics("127.0.0.1", 0, List.of());
            HttpClients clients = new HttpClients(metrics.port()).sendHalf(HALF_SENT))
        {
            assertEquals(200, clients.status("127.0.0.1", "/metrics"));
        }
    }
}
