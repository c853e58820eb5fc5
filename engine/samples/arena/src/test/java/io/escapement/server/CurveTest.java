package io.escapement.server;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The verdict on curves that this test makes up, and what a probe reads from the output of jcmd. */
class CurveTest
{
    private static final long SEED = 42;
    private static final int HOURS = 8;
    private static final int MINUTES_PER_HOUR = 60;
    private static final int MINUTES = HOURS * MINUTES_PER_HOUR;

    @Test
    void shouldAcceptAFigureThatOnlyMovesUpAndDown()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        assertNull(threads(MINUTES, (minute) -> 40).growth());
        assertNull(threads(MINUTES, (minute) -> 40 + random.nextInt(5)).growth());
        assertNull(threads(MINUTES, (minute) -> 40 + minute % 10).growth(), "files that a snapshot deletes");
        assertNull(threads(MINUTES, (minute) -> 100 - minute / 8).growth(), "a figure that falls");
    }

    @Test
    void shouldAcceptGrowthInTheWarmUp()
    {
        assertNull(threads(MINUTES, (minute) -> Math.min(minute, MINUTES_PER_HOUR)).growth());
        assertNull(threads(30, (minute) -> Math.min(minute, 10)).growth(), "the first third of a shorter run");
        assertNotNull(threads(30, (minute) -> Math.min(minute, 20)).growth());
    }

    @Test
    void shouldAcceptOutliers()
    {
        assertNull(threads(MINUTES, (minute) -> 0 == minute % 7 ? 4_000 : 40).growth());
        assertNull(threads(MINUTES, (minute) -> minute > MINUTES - 30 ? 4_000 : 40).growth());
    }

    @Test
    void shouldNameTheCurveThatGrewAndItsSamples()
    {
        final String growth = threads(Curve.MIN_SAMPLES, (minute) -> minute * 10).growth();
        assertEquals("threads grew: median 70 of the last 3 samples is above 42, which is the median 40 of the 3 " +
            "samples before them, plus 0.0 % and 2: [0, 10, 20, 30, 40, 50, 60, 70, 80]", growth);
    }

    @Test
    void shouldFindSlowLeaks()
    {
        assertNotNull(threads(MINUTES, (minute) -> 40 + minute / MINUTES_PER_HOUR).growth(), "one per hour");
        final SplittableRandom random = new SplittableRandom(SEED);
        assertNotNull(threads(MINUTES, (minute) -> 40 + minute / 20 + random.nextInt(4)).growth(), "with noise");
        assertNotNull(threads(MINUTES, (minute) -> minute < 270 ? 40 : 43).growth(), "one step");
    }

    @Test
    void shouldAllowAShareOfLargeFigures()
    {
        assertNull(filled(new Curve("bytes", 5, 0), MINUTES, (minute) -> 100_000 + minute * 20).growth());
        assertNotNull(filled(new Curve("bytes", 5, 0), MINUTES, (minute) -> 100_000 + minute * 30).growth());
    }

    @Test
    void shouldJudgeNoCurveInARunThatIsTooShort()
    {
        final LongUnaryOperator grows = (minute) -> minute * 10;
        assertNull(filled(new Curve("bytes", 0, 0, 3_600), 60, grows).growth());
        assertNotNull(filled(new Curve("bytes", 0, 0, 3_600), 61, grows).growth());
    }

    @Test
    void shouldRefuseTooFewSamples()
    {
        final Curve curve = threads(Curve.MIN_SAMPLES - 1, (minute) -> 40);
        assertTrue(assertThrows(IllegalStateException.class, curve::growth).getMessage().contains("8 samples"));
    }

    @Test
    void shouldReadTheOutputOfJcmd()
    {
        final String text = String.join("\n",
            " def new generation   total 116224K, used 1000K [0x0000000687400000, 0x000000068f210000)",
            "  eden space 103360K,   1% used [0x0000000687400000, 0x0000000687400000, 0x000000068d8f0000)",
            " tenured generation   total 258048K, used 2242K [0x0000000704d50000, 0x0000000714950000)",
            " Metaspace       used 8928K, committed 9088K, reserved 1114112K",
            "  class space    used 1062K, committed 1152K, reserved 1048576K",
            "-                     Other (reserved=12KB, committed=10KB)");
        assertEquals(3_242, ServerProbe.sum(text, ServerProbe.HEAP));
        assertEquals(8_928, ServerProbe.sum(text, ServerProbe.METASPACE));
        assertEquals(10, ServerProbe.sum(text, ServerProbe.DIRECT));
        assertThrows(IllegalStateException.class, () -> ServerProbe.sum("12345:\n", ServerProbe.HEAP));
    }

    private static Curve threads(final int minutes, final LongUnaryOperator value)
    {
        return filled(new Curve("threads", 0, 2), minutes, value);
    }

    private static Curve filled(final Curve curve, final int minutes, final LongUnaryOperator value)
    {
        for (int minute = 0; minute < minutes; minute++)
        {
            curve.add(minute * 60L, value.applyAsLong(minute));
        }
        return curve;
    }
}
