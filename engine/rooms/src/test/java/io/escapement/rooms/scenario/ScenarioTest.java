package io.escapement.rooms.scenario;

import io.escapement.codecs.room.RefusalCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Shows that the scenario covers every event and refusal; otherwise the tests that use it would prove less. */
class ScenarioTest
{
    private static final List<String> EVENTS = List.of(
        "message 1 0", "message 1 1", "message 1 2", "message 1 3",
        "message 2 0", "message 2 1", "message 2 2", "message 2 3",
        "joined", "returned", "resumed", "MOVED", "EVENT_LOST",
        "LEFT", "KICKED", "GRACE_EXPIRED", "ROOM_CLOSED", "ROOM_FAILED",
        "LEFT with a code", "KICKED with a code", "ROOM_CLOSED with a code", "EMPTY",
        "went on after UnsupportedOperationException", "went on after ArithmeticException",
        "reload NONE", "reload OTHER_VERSION", "reload of a type NONE", "refused ROOM_FAILED",
        "BY_LOGIC", "BY_COMMAND", "failed by IllegalStateException", "failed by StackOverflowError",
        "drain", "failed by FailedAt",
        "label", "subscribe", "signal", "async", "openRoom", "reserve", "signalRefused", "reply NONE",
        "refused by the application", "refused UNKNOWN_ROOM", "refused ROOM_FULL", "refused ROOM_LOCKED",
        "refused ALREADY_JOINED", "refused JOIN_LIMIT", "refused JOIN_TIMEOUT", "refused JOIN_CANCELLED",
        "refused SPECTATOR", "refused STALE_SEAT", "refused FOREIGN_SEAT", "refused SEAT_AWAY",
        "refused OLD_SEQUENCE", "refused UNKNOWN_LINK", "refused LINK_IN_USE", "refused STALE_REPLY");

    private static final List<RefusalCode> CODES = List.of(
        RefusalCode.HOST_FULL, RefusalCode.DRAINING,
        RefusalCode.OUTPUT_LIMIT, RefusalCode.TIMER_LIMIT, RefusalCode.REQUEST_LIMIT, RefusalCode.TOO_SHORT,
        RefusalCode.UNKNOWN_TEMPLATE, RefusalCode.WRONG_SCHEMA, RefusalCode.TRAILING_BYTES);

    @Test
    void shouldCoverEveryEventAndRefusal()
    {
        final Scenario scenario = Scenario.run(20_261_122, 60_000);
        for (final String event : EVENTS)
        {
            assertTrue(scenario.countByEventMap.containsKey(event),
                scenario + " never saw '" + event + "', it saw " + scenario.countByEventMap);
        }
        for (final RefusalCode code : CODES)
        {
            assertTrue(scenario.host.refusals(code.value()) > 0, scenario + " never refused for " + code);
        }
    }
}
