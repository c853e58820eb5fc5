package io.escapement.perf.tool;

import io.escapement.perf.rig.RunPlan;
import io.escapement.perf.rooms.TimersBenchmark;
import io.escapement.testsupport.RealTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

@RealTime("a process of JMH")
class JmhRunTest
{
    @Test
    void shouldNameWhatABenchmarkThrew()
    {
        final RunPlan plan = new RunPlan().forRun(new RunPlan(), "nothing", 0, 1);
        assertEquals("the benchmark failed: unknown kind of timers: nothing",
            assertThrows(IllegalStateException.class, () -> JmhRun.of(TimersBenchmark.class, 3, plan, 1,
                Map.of("kind", "nothing", "outstanding", "1000"), (iteration) -> 1)).getMessage());
    }
}
