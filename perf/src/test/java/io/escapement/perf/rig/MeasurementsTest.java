package io.escapement.perf.rig;

import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class MeasurementsTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadTheFileThatWasWritten()
    {
        final Path file = directory.resolve("results");
        new Measurements().put("old", 1).write(file);
        sample().write(file);
        final Measurements read = Measurements.read(file);
        assertEquals(-7, read.value("answer"));
        assertEquals(sample().intervals("late"), read.intervals("late"));
        assertEquals(1_000, read.intervals("late").get(0).getStartTimeStamp());
        assertEquals(1_100, read.intervals("late").get(0).getEndTimeStamp());
        assertEquals(3, read.total("late").getTotalCount());
        assertEquals(0, read.total("early").getTotalCount());
        assertThrows(IllegalStateException.class, () -> read.value("old"));
    }

    @Test
    void shouldKeepEveryDigitAndCharacter()
    {
        final Path file = directory.resolve("results");
        final Measurements written = new Measurements().put("a \"quoted\" \u00e4 \u2264 <name>", 1);
        for (final long exact : new long[]{Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1, 1_764_532_725_123_456_789L})
        {
            written.put("number " + exact, exact);
        }
        written.write(file);
        assertEquals(written.values(""), Measurements.read(file).values(""));
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
        assertEquals(3, intervals.length, "empty intervals are left out");
        assertEquals(2, intervals[0].getTotalCount());
        assertEquals(4, intervals[1].getTotalCount());
        assertEquals(5, intervals[2].getMaxValue(), "late values are in the last interval");
    }

    private static Measurements sample()
    {
        final Histogram first = new Histogram(1, 60_000_000_000L, 3);
        first.recordValue(10);
        first.recordValue(20_000);
        first.setStartTimeStamp(1_000);
        first.setEndTimeStamp(1_100);
        final Histogram second = new Histogram(1, 60_000_000_000L, 3);
        second.recordValue(30_000_000);
        return new Measurements().put("answer", -7).add("late", first, second);
    }
}
