package io.escapement.perf.rig;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Steps the rig on a clock that advances by a fixed time per duty cycle. */
class LoadRigTest
{
    private static final long STEP_NS = 100;

    private final List<String> sent = new ArrayList<>();
    private long nowNs;
    private int flushes;

    @Test
    void shouldSendByThePlanAndNotByTheAnswers()
    {
        // Refused once at 300 ns: the plan of the later messages does not move.
        final boolean[] isRefused = new boolean[1];
        rig(100, 0).run(0, 150, 4, Long.MAX_VALUE, (number, plannedNs) ->
        {
            if (2 == number && !isRefused[0])
            {
                isRefused[0] = true;
                return false;
            }
            return send(number, plannedNs);
        });
        assertEquals(List.of("0:0@100", "1:150@200", "2:300@400", "3:450@500"), sent);
        assertEquals(4, flushes);
    }

    @Test
    void shouldCatchUpInBursts()
    {
        rig(3, 0).run(0, 10, 8, Long.MAX_VALUE, this::send);
        assertEquals(List.of("0:0@100", "1:10@100", "2:20@100", "3:30@200", "4:40@200", "5:50@200", "6:60@300",
            "7:70@300"), sent);
        assertEquals(3, flushes);
    }

    @Test
    void shouldGatherMessages()
    {
        rig(100, 250).run(0, 100, 5, Long.MAX_VALUE, this::send);
        assertEquals(List.of("0:0@300", "1:100@300", "2:200@300", "3:300@300", "4:400@600"), sent);
        assertEquals(2, flushes);
    }

    @Test
    void shouldSendAsFastAsAcceptedUntilTheEnd()
    {
        rig(2, 0).run(0, 0, Long.MAX_VALUE, 3 * STEP_NS, this::send);
        assertEquals(List.of("0:0@100", "1:0@100", "2:0@200", "3:0@200"), sent);
    }

    @Test
    void shouldAwaitAConditionInTime()
    {
        assertTrue(rig(1, 0).await(() -> nowNs >= 500, 1_000));
        assertFalse(rig(1, 0).await(() -> false, 1_000));
    }

    private LoadRig rig(final int burst, final long gatherNs)
    {
        return new LoadRig(() -> nowNs += STEP_NS, () -> flushes++, burst, gatherNs);
    }

    private boolean send(final long number, final long plannedNs)
    {
        return sent.add(number + ":" + plannedNs + "@" + nowNs);
    }
}
