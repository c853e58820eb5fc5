package io.escapement.http;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class MetricsTextTest
{
    @Test
    void shouldWriteTypesLabelsAndValues()
    {
        final MetricsText text = new MetricsText();
        text.type("a_total", "counter");
        text.value("a_total", "", 3);
        text.value("a_total", MetricsText.label("b", 1) + "," + MetricsText.label("c", "\"\\\n"), 0.5);
        text.value("a_total", "", Double.NaN);
        assertEquals("# TYPE a_total counter\na_total 3\na_total{b=\"1\",c=\"\\\"\\\\\\n\"} 0.5\na_total NaN\n",
            new String(text.answer().body(), StandardCharsets.UTF_8));
    }
}
