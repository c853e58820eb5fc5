package io.escapement.perf.tool;

import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.RunPlan;
import io.escapement.testsupport.RealTime;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

@RealTime("processes that hang")
class MeasuredProcessTest
{
    @Test
    void shouldNameAProcessThatEndsWithoutAResult()
    {
        // The tool rejects the command and exits.
        try (MeasuredProcess process = new MeasuredProcess("nothing", MeasuredProcess.WORKER, plan()))
        {
            assertEquals("nothing worker ended without " + Control.RESULTS,
                assertThrows(IllegalStateException.class, process::measurements).getMessage());
        }
    }

    @Test
    void shouldNameAProcessThatDoesNotAnswerInTime()
    {
        try (MeasuredProcess process =
            new MeasuredProcess("ingress", MeasuredProcess.SERVER, plan(), 0, (line) -> { }))
        {
            assertEquals("ingress server timed out before " + Control.RESULTS,
                assertThrows(IllegalStateException.class, () -> process.await(Control.RESULTS)).getMessage());
        }
    }

    private static RunPlan plan()
    {
        return new RunPlan().forRun(new RunPlan(), "raw", 0, 1);
    }
}
