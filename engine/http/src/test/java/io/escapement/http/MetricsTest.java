package io.escapement.http;

import io.escapement.testsupport.MetricsPage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MetricsTest
{
    private final Metrics metrics = new Metrics();

    @Test
    void shouldWriteHelpTypeLabelsAndValues()
    {
        metrics.gauge("b_seconds", "Two\nlines and a \\.").value(Map.of(), Double.NaN);
        metrics.counter("a_total", "A.").value(Map.of(), 3);
        metrics.counter("a_total", "A.").value(Map.of("c", "\"\\\n}", "b", 1), 0.5);
        metrics.histogram("h_seconds", "H.").value("_bucket", Map.of("le", "+Inf"), 2).value("_sum", Map.of(), 1.5)
            .value("_count", Map.of(), 2);
        assertEquals("""
            # HELP a_total A.
            # TYPE a_total counter
            a_total 3
            a_total{b="1",c="\\"\\\\\\n}"} 0.5
            # HELP b_seconds Two\\nlines and a \\\\.
            # TYPE b_seconds gauge
            b_seconds NaN
            # HELP h_seconds H.
            # TYPE h_seconds histogram
            h_seconds_bucket{le="+Inf"} 2
            h_seconds_sum 1.5
            h_seconds_count 2
            """, text());
        assertEquals(0.5, MetricsPage.parse(text()).value("a_total{b=\"1\",c=\"\\\"\\\\\\n}\"}"));
    }

    @Test
    void shouldShowTheMemoryOfTheJvm()
    {
        final MetricsPage page = MetricsPage.parse(new String(
            new Metrics().jvm().answer().body(), StandardCharsets.UTF_8));
        for (final String area : new String[]{"heap", "non-heap", "direct", "mapped"})
        {
            assertTrue(page.value("escapement_jvm_memory_used_bytes{area=\"" + area + "\"}") >= 0, area);
        }
        assertEquals(Runtime.getRuntime().maxMemory(), page.value("escapement_jvm_heap_limit_bytes"));
        assertTrue(page.value("escapement_jvm_gc_seconds_total") >= 0);
    }

    @Test
    void shouldRefuseTwoValuesOfASeries()
    {
        final Metrics.Metric metric = metrics.gauge("a", "A.").value(Map.of(), 1).value(Map.of("b", 1), 1);
        assertThrows(IllegalStateException.class, () -> metric.value(Map.of(), 1));
        assertThrows(IllegalStateException.class, () -> metrics.gauge("a", "A.").value(Map.of("b", 1), 2));
    }

    @Test
    void shouldRefuseTwoMetricsOfAName()
    {
        metrics.gauge("a", "A.");
        assertThrows(IllegalStateException.class, () -> metrics.histogram("a", "A."));
        assertThrows(IllegalStateException.class, () -> metrics.gauge("a", "B."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A_total", "a", "a__total", "a-b_total", "1a_total", "a_total_", "total"})
    void shouldRefuseNamesOfCounters(final String name)
    {
        assertThrows(IllegalArgumentException.class, () -> metrics.counter(name, "Help."));
    }

    @Test
    void shouldRefuseAGaugeNamedAsACounterAndAMetricWithoutHelp()
    {
        assertThrows(IllegalArgumentException.class, () -> metrics.gauge("a_total", "Help."));
        assertThrows(IllegalArgumentException.class, () -> metrics.gauge("a", " "));
    }

    private String text()
    {
        return new String(metrics.answer().body(), StandardCharsets.UTF_8);
    }
}
