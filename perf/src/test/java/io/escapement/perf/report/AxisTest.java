package io.escapement.perf.report;

import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AxisTest
{
    @Test
    void shouldHaveTicksAroundTheValuesOfALogarithm()
    {
        assertEquals(List.of("2", "5", "10", "20", "50", "100"), labels(Axis.logarithmic(3, 60)));
        assertEquals(List.of("0.05", "0.1"), labels(Axis.logarithmic(0.07, 0.08)));
        assertEquals(List.of("0.1", "1", "10", "100", "1,000", "10,000", "100,000"),
            labels(Axis.logarithmic(0.3, 20_000)));
        assertEquals(List.of("100", "200"), labels(Axis.logarithmic(100, 100)), "equal values");
    }

    @Test
    void shouldPlaceValuesOnALogarithm()
    {
        final Axis axis = Axis.logarithmic(1, 99);
        assertEquals(0, axis.share(1));
        assertEquals(0.5, axis.share(10), 1e-9);
        assertEquals(1, axis.share(100), 1e-9);
        assertEquals(0, axis.share(0), "it has no 0");
    }

    @Test
    void shouldStartAtZeroWithEvenSteps()
    {
        assertEquals(List.of("0", "2", "4", "6", "8"), labels(Axis.linear(7)));
        assertEquals(List.of("0", "0.1", "0.2", "0.3", "0.4"), labels(Axis.linear(0.37)));
        assertEquals(List.of("0", "1,000", "2,000", "3,000", "4,000"), labels(Axis.linear(4_000)));
        assertEquals(List.of("0", "0.2", "0.4", "0.6", "0.8", "1"), labels(Axis.linear(0)), "without a value");
        assertEquals(0.25, Axis.linear(7).share(2));
    }

    @Test
    void shouldNameNines()
    {
        final Axis axis = Axis.nines(4.3);
        assertEquals(List.of("0%", "90%", "99%", "99.9%", "99.99%"), labels(axis));
        assertEquals(1, axis.share(4.3));
        assertEquals(0.5, axis.share(2.15));
        assertEquals(List.of("0%", "90%"), labels(Axis.nines(0)), "of one value");
    }

    @Test
    void shouldHaveFewTicksWhateverTheValuesAre()
    {
        for (double most = 1e-3; most < 1e9; most *= 3)
        {
            assertTrue(Axis.linear(most).ticks.size() <= 7, () -> "linear");
            assertTrue(Axis.logarithmic(1e-3, most).ticks.size() <= 15, () -> "logarithm");
        }
    }

    private static List<String> labels(final Axis axis)
    {
        return axis.ticks.stream().map(Axis.Tick::label).toList();
    }
}
