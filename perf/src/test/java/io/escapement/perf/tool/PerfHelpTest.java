package io.escapement.perf.tool;

import io.escapement.testsupport.HelpExamples;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The help of perf and its commands. */
class PerfHelpTest
{
    @Test
    void shouldShowTwoCommandLinesThatItParsesForEachCommand()
    {
        assertEquals(List.of(), HelpExamples.faults(Perf::commandLine));
    }
}
