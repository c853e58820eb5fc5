package io.escapement.examples.exchange;

import io.escapement.testsupport.HelpExamples;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The help of the order client. */
class OrderHelpTest
{
    @Test
    void shouldShowTwoCommandLinesThatItParsesForEachCommand()
    {
        assertEquals(List.of(), HelpExamples.faults(OrderClient::commandLine));
    }
}
