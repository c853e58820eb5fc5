package io.escapement.http;

import io.escapement.testsupport.MetricsPage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The reader of pages in tests refuses each broken rule. In the cases a slash ends a line. */
class MetricsPageTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "# TYPE a gauge/a 1/ | HELP does not precede TYPE",
        "# HELP a A/a 1/ | is not of the metric",
        "# HELP a A/# HELP a A/# TYPE a gauge/ | there is a second HELP",
        "# HELP a A/# TYPE a gauge/# HELP b B/# TYPE b gauge/# TYPE a gauge/ | HELP does not precede TYPE",
        "# HELP a A/# TYPE a gauge/# TYPE a gauge/ | there is a second TYPE",
        "# HELP a A/ | HELP without TYPE",
        "# HELP a_total A/# TYPE a_total gauge/ | a gauge with this name",
        "# HELP a A/# TYPE a counter/ | a counter with this name",
        "# HELP aB A/# TYPE aB gauge/ | is not in snake case",
        "# HELP a_ms A/# TYPE a_ms gauge/ | is not in seconds or bytes",
        "# HELP nanoseconds_at_work_total A/# TYPE nanoseconds_at_work_total counter/ | is not in seconds or bytes",
        "# HELP bytes_sent_total A/# TYPE bytes_sent_total counter/ | does not end in its unit",
        "# HELP a A/# TYPE a gauge/a 1/a 1/ | is there twice",
        "# HELP a A/# TYPE a gauge/a{b=\"1\"} 1/a{b=\"1\"} 2/ | is there twice",
        "# HELP a A/# TYPE a gauge/a{b=1} 1/ | is no series",
        "# HELP a A/# TYPE a gauge/a{b=\"\"\"} 1/ | is no series",
        "# HELP a A/# TYPE a gauge/b 1/ | is not of the metric",
        "# HELP a A/# TYPE a gauge/a_sum 1/ | is not of the metric",
        "# HELP a A/# TYPE a gauge/a 1 | the last line has no end"})
    void shouldRefuseAPage(final String lines, final String rule)
    {
        final String message = assertThrows(AssertionError.class,
            () -> MetricsPage.parse(lines.replace('/', '\n'))).getMessage();
        assertEquals(rule, message.contains(rule) ? rule : message);
    }
}
