package io.escapement.engine.internal.service;

import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.FlightRecording;
import io.escapement.testsupport.RealTime;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests of rooms in the flight recorder. */
@RealTime("the flight recorder of this JVM")
class SlowServiceTest
{
    private static final String SLOW = "escapement.SlowService";

    private final SlowService slow = new SlowService("tests");

    @Test
    void shouldRecordRequests()
    {
        slow.onRequest();
        try (FlightRecording recording = new FlightRecording().with(SLOW, "threshold", "0 ns").start())
        {
            slow.onReply(8, 1, 0);
            slow.onRequest();
            slow.onReply(9, 2, 0);
            slow.onRequest();
            slow.onReply(10, 3, 7);
            final List<RecordedEvent> found = recording.stop(SLOW);
            assertEquals(2, found.size(), "one began before the recording");
            assertEquals("tests", found.get(0).getString("service"));
            assertEquals(9, found.get(0).getLong("roomId"));
            assertEquals(2, found.get(0).getLong("correlationId"));
            assertEquals(0, found.get(0).getInt("status"));
            assertEquals(10, found.get(1).getLong("roomId"));
            assertEquals(7, found.get(1).getInt("status"));
            assertTrue(!found.get(1).getStartTime().isBefore(found.get(0).getEndTime()), found::toString);
        }
    }

    @Test
    void shouldAllocateNothingWithoutARecordingAndBelowTheThreshold()
    {
        assertEquals(0, Allocations.least(20, this::requests));
        try (FlightRecording recording = new FlightRecording().with(SLOW, "threshold", "1 h").start())
        {
            assertEquals(0, Allocations.least(20, this::requests));
        }
    }

    private void requests()
    {
        for (int i = 0; i < 50_000; i++)
        {
            slow.onRequest();
            slow.onReply(i, i, 0);
        }
    }
}
