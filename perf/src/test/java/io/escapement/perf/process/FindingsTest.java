package io.escapement.perf.process;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(30)
class FindingsTest
{
    /** Tells what the test wants to hear, in a process of its own. */
    static final class Teller
    {
        private Teller()
        {
        }

        public static void main(final String[] arguments)
        {
            if ("silent".equals(arguments[0]))
            {
                return;
            }
            Parent.tell("HALFWAY");
            sample().tell(Parent::tell);
            Parent.awaitEnd();
        }
    }

    @Test
    void shouldComeBackFromAProcessAsTold()
    {
        final List<String> others = new ArrayList<>();
        try (Child child = new Child("teller", Teller.class, List.of("all"), 20))
        {
            final Findings findings = Findings.await(child, others::add);
            assertEquals(List.of("HALFWAY"), others);
            assertEquals(-7, findings.value("answer"));
            assertEquals(sample().intervals("late"), findings.intervals("late"));
            assertEquals(1_000, findings.intervals("late").get(0).getStartTimeStamp());
            assertEquals(3, findings.total("late").getTotalCount());
            assertEquals(0, findings.total("early").getTotalCount());
            assertThrows(IllegalStateException.class, () -> findings.value("question"));
        }
    }

    @Test
    void shouldSayWhichProcessEndedWithoutAResult()
    {
        try (Child child = new Child("teller", Teller.class, List.of("silent"), 20))
        {
            final String message = assertThrows(
                IllegalStateException.class, () -> Findings.await(child, (line) -> { })).getMessage();
            assertTrue(message.contains("teller"), message);
        }
    }

    @Test
    void shouldPutValuesIntoTheIntervalOfTheirTime()
    {
        final IntervalRecorder recorder = new IntervalRecorder(1_000, 10);
        recorder.start(5_000);
        recorder.record(5_000, 1);
        recorder.record(5_099, 2);
        recorder.record(5_300, 3, 4);
        recorder.record(9_999, 5);
        final Histogram[] intervals = recorder.stop(10_000);
        assertEquals(3, intervals.length, "those with nothing in them are left out");
        assertEquals(2, intervals[0].getTotalCount());
        assertEquals(4, intervals[1].getTotalCount());
        assertEquals(5, intervals[2].getMaxValue(), "what is late falls into the last");
    }

    private static Findings sample()
    {
        final Histogram first = new Histogram(1, 60_000_000_000L, 3);
        first.recordValue(10);
        first.recordValue(20_000);
        first.setStartTimeStamp(1_000);
        first.setEndTimeStamp(1_100);
        final Histogram second = new Histogram(1, 60_000_000_000L, 3);
        second.recordValue(30_000_000);
        return new Findings().put("answer", -7).add("late", first, second);
    }
}
