package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.CounterTypes;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

class EngineMetricTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "loop 3: turns | false | loop_turns_total | loop=3 | Turns. | 1",
        "loop 0: rooms open | true | loop_rooms_open | loop=0 | Rooms open. | 1",
        "loop 12: room-frames run | false | loop_room_frames_run_total | loop=12 | Room-frames run. | 1",
        "loop 0: nanoseconds at work | false | loop_work_seconds_total | loop=0 | Seconds at work. | 1e9",
        "loop 0: nanoseconds of the longest turn in a second | true | loop_longest_turn_in_a_second_seconds " +
            "| loop=0 | Seconds of the longest turn in a second. | 1e9",
        "loop 0: refused ROOM_FULL | false | loop_refusals_total | code=ROOM_FULL, loop=0 " +
            "| Refusals by code. | 1",
        "edge: refused BAD_CREDENTIALS | false | edge_refusals_total | code=BAD_CREDENTIALS " +
            "| Refusals by code. | 1",
        "edge: trunks up | true | edge_trunks_up | | Trunks up. | 1",
        "service 4 a name: of it: requests | false | service_requests_total | service=4 a name: of it " +
            "| Requests. | 1",
        "log: nanoseconds since the last snapshot or the start | true | log_since_last_snapshot_or_start_seconds " +
            "| | Seconds since the last snapshot or the start. | 1e9",
        "log: bytes committed | true | log_committed_bytes | | Bytes committed. | 1",
        "log: bytes that member 2 is behind the leader | true | log_member_is_behind_leader_bytes " +
            "| member=2 | Bytes that member is behind the leader. | 1",
        "log: (writes) TOTAL! | true | log_writes | | (writes) TOTAL!. | 1",
        "log: writes total | false | log_writes_total | | Writes total. | 1",
        "jvm: nanoseconds in safepoints | false | jvm_safepoints_seconds_total | | Seconds in safepoints. | 1e9"})
    void shouldFollowFromTheLabel(
        final String label, final boolean isGauge, final String name, final String labels, final String help,
        final double scale)
    {
        final EngineMetric metric = EngineMetric.of(CounterTypes.LOOP, "escapement " + label, isGauge);
        assertEquals("escapement_" + name, metric.name());
        assertEquals(help, metric.help());
        assertEquals("{" + (null == labels ? "" : labels) + "}", metric.labels().toString());
        assertEquals(scale, metric.scale());
    }

    @Test
    void shouldHaveTheNameOfAnApplicationsCounterAsALabel()
    {
        assertEquals(new EngineMetric("escapement_loop_room_counts_total",
            "Counts of rooms, by the name of the counter.",
            Map.of("counter", "refused: \"bytes\"", "loop", "1"), 1),
            EngineMetric.of(CounterTypes.APPLICATION + 1, "escapement loop 1: refused: \"bytes\"", false));
    }
}
