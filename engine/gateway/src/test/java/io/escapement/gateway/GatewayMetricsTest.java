package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.testsupport.HttpClients;
import io.escapement.testsupport.MetricsPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        try (GatewayMetrics metrics = new GatewayMetrics(new GatewayContext().metricsPort(0), List.of());
            HttpClients clients = new HttpClients(metrics.port()).sendHalf(HALF_SENT))
        {
            assertEquals(200, clients.status("127.0.0.1", "/metrics"));
        }
    }

    @Test
    void shouldServeAPageWithHelpTypesUnitsAndNoSeriesTwice() throws IOException
    {
        final MetricsPage page = page();
        for (final CloseCode code : CloseCode.values())
        {
            final boolean isClose = CloseCode.NULL_VAL != code && CloseCode.SBE_UNKNOWN != code;
            assertEquals(isClose,
                page.series().containsKey("escapement_gateway_closes_total{code=\"" + code + "\"}"), code.name());
        }
        assertEquals("histogram", page.types().get("escapement_gateway_flush_seconds"));
        assertEquals("counter", page.types().get("escapement_gateway_received_bytes_total"));
        assertEquals("gauge", page.types().get("escapement_gateway_trunk_round_trip_seconds"));
        assertEquals("gauge", page.types().get("escapement_gateway_queued_bytes"));
        assertEquals(0, page.value("escapement_gateway_log_ins_total"));
        assertEquals(0, page.value("escapement_gateway_feed_gaps_total"));
        assertEquals(0, page.value("escapement_gateway_feeds_left_total"));
    }

    /** The page of a gateway without workers. */
    static MetricsPage page() throws IOException
    {
        try (GatewayMetrics metrics = new GatewayMetrics(new GatewayContext().metricsPort(0), List.of()))
        {
            return MetricsPage.parse(new String(metrics.answer(null).body(), StandardCharsets.UTF_8));
        }
    }
}
