package io.escapement.server;

import io.escapement.rooms.RoomType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The figures of the demo's table and verdict describe what they name. */
class DemoFiguresTest
{
    private static final String STAT = "cpu  100 0 50 800 10 0 0 40 7 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
    private static final String LATER_STAT = "cpu  160 0 80 900 10 0 0 50 9 0\n";

    @Test
    void shouldCountFramesOfTheGameOnly()
    {
        final String arenas = "frames of arenas";
        final Map<String, Long> valueByNameMap = new HashMap<>(Map.of(
            "escapement loop 0: " + arenas, 600L, "escapement loop 0: room-frames run", 630L,
            "escapement loop 1: " + arenas, 360L, "escapement loop 1: room-frames run", 360L));
        final ServerStats stats = new ServerStats(new GameOf(arenas), 0);
        final StatisticsLine first = stats.next(2, (name) -> valueByNameMap.getOrDefault(name, 0L), 2_000_000_000L, 0);
        assertEquals(960, first.whole("frames"));
        assertEquals(480, first.number("framesPerSecond"));

        valueByNameMap.put("escapement loop 1: " + arenas, 420L);
        final StatisticsLine second = stats.next(2, (name) -> valueByNameMap.getOrDefault(name, 0L), 3_000_000_000L, 0);
        assertEquals(60, second.whole("frames"));
        assertEquals(60, second.number("framesPerSecond"));
    }

    @Test
    void shouldMeasureTheServerInTheSecondsThatTheVerdictNames()
    {
        final DemoCommand.Measured pending = new DemoCommand.Measured();
        final DemoCommand.Measured measured = new DemoCommand.Measured();
        for (int second = 1; second <= 15; second++)
        {
            pending.add(
                new StatisticsLine(ServeCommand.STATS).put("seconds", 1.0).put("frames", 960L).put("missed", 1L));
            measured.takeFrom(pending);
        }
        measured.takeFrom(pending);
        assertEquals(String.format(Locale.ROOT, "%,d run in 15.0 s, 15 missed: 0.104 %%", 15 * 960),
            measured.toString());
    }

    @Test
    void shouldReadHowLongThreadsWaitedAndWhatTheHypervisorTook()
    {
        final HostPressure.Reading first = HostPressure.plusThread(HostPressure.host(STAT), "1000 500 3\n");
        final HostPressure.Reading last = HostPressure.plusThread(
            HostPressure.plusThread(HostPressure.host(LATER_STAT), "2000000000 1000000000 9\n"), "1000 500 1\n");
        final HostPressure.Reading since = HostPressure.difference(first, last);
        assertEquals(new HostPressure.Reading(10, 200, 2_000_000_000L, 1_000_000_000L), since);
        assertEquals("steal 5.0 % of the host's time; threads waited 1.0 s for a core, 33.3 % of the time they " +
            "wanted one", HostPressure.text(since));
        assertTrue(HostPressure.explains(since));
    }

    @Test
    void shouldNotBlameAHostThatLetThreadsRunAndSayWhereItCannotTell()
    {
        final HostPressure.Reading idle = new HostPressure.Reading(1, 1_000, 1_000_000_000L, 10_000_000L);
        assertFalse(HostPressure.explains(idle));
        assertTrue(HostPressure.explains(HostPressure.Reading.NONE));
        assertEquals("this system does not say how long threads wait for a core",
            HostPressure.text(HostPressure.Reading.NONE));
    }

    @ParameterizedTest
    @CsvSource({"0.0010, false, true", "0.0011, false, false", "0.0011, true, true", "0.0100, true, true",
        "0.0101, true, false"})
    void shouldBlameTheHostForAFewLateFramesOnly(
        final double missedShare, final boolean isHostSlow, final boolean isInTime)
    {
        assertEquals(isInTime, DemoCommand.isInTime(missedShare, isHostSlow));
    }

    private record GameOf(String frames) implements Game
    {
        @Override
        public List<RoomType> roomTypes()
        {
            return List.of();
        }
    }
}
