package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.perf.rig.Measurements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs with players and faults or limits, simulated in place of their processes. */
class CrowdFaultsTest
{
    private static final long SENT = 1_000;
    private static final long PINGS = 1_000;

    @TempDir
    private Path directory;

    private int reports;

    @Test
    void shouldMarkPlayers()
    {
        final ToolRun sound = players((f) -> f);
        sound.assertSound();
        assertEquals(5.0, (double)sound.json().get("pingP99Ms"), 0.1);

        players((f) -> f.put(CrowdFigures.ANSWERED, SENT - 2)).assertMarked("2 of 1000 moves were not answered");
        players((f) -> f.put(CrowdFigures.CHECKSUM_DIFFERENCE, 7)).assertMarked("checksum");
        players((f) -> f.put(CrowdFigures.ORDER_FAULTS, 3)).assertMarked("3 answers came back changed");
        players((f) -> f.put(CrowdFigures.BROKEN_STATES, 4)).assertMarked("4 states were broken");
        players((f) -> f.put(CrowdFigures.MOVES_UNSEEN, 5)).assertMarked("5 of 1000 moves were in no state");
        players((f) -> f.put(CrowdFigures.ERRORS, 1)).assertMarked("the server reported 1 errors");
        players((f) -> f.put(CrowdFigures.TOOK_NS + ".0", 1_020_000_000L)).assertMarked("missed its rate");
    }

    @Test
    void shouldComparePlayersWithThePeer()
    {
        final ToolRun alone = players((f) -> f);
        assertFalse(alone.json().containsKey("beside"), alone.toString());

        final ToolRun sound = playersBeside((f) -> f);
        sound.assertSound();
        assertEquals("tcp", sound.json().get("beside"));
        final Map<?, ?> peer = (Map<?, ?>)sound.json().get("besideRun");
        assertEquals(10.0, (double)peer.get("pingP99Ms"), 0.1);
        assertEquals(5.0, (double)sound.json().get("pingP99Ms"), 0.1);
        assertEquals(0.5, (double)sound.json().get("pingP99Ratio"), 0.01);
        assertEquals(4.0, (double)sound.json().get("serverCpuRatio"), 0.01);
        assertEquals(4.0, (double)sound.json().get("cpuPerStateRatio"), 0.01);
        assertEquals(80_000.0, sound.json().get("cpuNsPerState"));
        assertEquals(800_000.0, sound.json().get("cpuNsPerMove"));
        assertEquals(1.0, (double)((Map<?, ?>)sound.json().get("null")).get("pingP99Ratio"), 0.01);
        assertEquals(List.of("engine", "tcp", "engine-null"), sound.runs());
        final String ratios = "engine/tcp: ping p50 median 1.00 (1.00 to 1.00), noise: the null is 1.00 to 1.00; " +
            "p99 median 0.50 (0.50 to 0.50), null 1.00 to 1.00; server cores median 4.00";
        assertTrue(sound.toString().contains(ratios), sound.toString());
        assertTrue(sound.toString().contains("tcp: states: 10,000 of 10,000 delivered, 0 dropped"), sound.toString());

        playersBeside((f) -> f.put(CrowdFigures.ANSWERED, SENT - 2))
            .assertMarked("tcp: 2 of 1000 moves were not answered");
        playersBeside((f) -> f.put(CrowdFigures.CHECKSUM_DIFFERENCE, 7)).assertMarked("tcp: the checksum");
        playersBeside((f) -> f.put(CrowdFigures.MOVES_UNSEEN, 5)).assertMarked("tcp: 5 of 1000 moves were in no state");
        playersBeside((f) -> f.put(CrowdFigures.BROKEN_STATES, 4)).assertMarked("tcp: 4 states were broken");
        playersBeside((f) -> f.put(CrowdFigures.ERRORS, 1)).assertMarked("tcp: the server reported 1 errors");
        final ToolRun lost = playersBeside((f) ->
        {
            throw new IllegalStateException("a connection is lost: end of stream");
        });
        lost.assertMarked("tcp: a connection is lost");
        assertEquals(5.0, (double)lost.json().get("pingP99Ms"), 0.1, "the engine's figures stay");
        assertEquals(null, lost.json().get("pingP99Ratio"));
    }

    @Test
    void shouldEndWithAVerdictOnPlayers()
    {
        // In the second pair the null is first.
        assertVerdict("behind tcp in cores per state (2.25, pairs 2.00 to 2.50, null 1.00 to 1.10), " +
            "level with tcp in ping p99 (0.95, pairs 0.90 to 1.00, null 0.89 to 1.00)", beside("2",
                sound(10, 200), sound(10, 100), sound(10, 200), sound(8, 220), sound(10, 80), sound(9, 200)));
        assertVerdict("ahead of tcp in cores per state (0.50, one pair, null 1.00 to 1.00), " +
            "behind tcp in ping p99 (1.20, one pair, null 0.92 to 1.00)",
            beside("1", sound(12, 100), sound(10, 200), sound(11, 100)));
        assertVerdict("undecided against tcp in cores per state (0.50, one pair, no null), " +
            "undecided against tcp in ping p99 (2.00, one pair, no null)",
            beside("1", sound(20, 100), sound(10, 200), busy(sound(20, 100), 900)));
        assertVerdict("undecided against tcp in cores per state (no pair, null 1.00 to 1.00), " +
            "undecided against tcp in ping p99 (no pair, null 1.00 to 1.00)",
            beside("1", sound(20, 100), busy(sound(10, 200), 900), sound(20, 100)));
        assertVerdict("none, because the run failed", playersBeside((f) -> f.put(CrowdFigures.ANSWERED, SENT - 2)));

        final ToolRun alone = players((f) -> f);
        assertFalse(alone.toString().contains("erdict"), alone.toString());
    }

    @Test
    void shouldEndWithAVerdictOnCapacity()
    {
        assertVerdict("behind tcp in players (0.80, pairs 0.80 to 0.80, null 1.00 to 1.00)", capacities(110, 130));
        assertVerdict("ahead of tcp in players (1.25, pairs 1.25 to 1.25, null 1.00 to 1.00)", capacities(130, 110));
        assertVerdict("level with tcp in players (1.00, pairs 1.00 to 1.00, null 1.00 to 1.00)", capacities(130, 140));
        assertVerdict("level with tcp in players (1.00, one pair, null 1.00 to 1.00)",
            capacities(130, 140, "--pairs", "1"));
        final int most = 195;
        assertVerdict("behind tcp in players (0.51, pairs 0.51 to 0.51, null 1.00 to 1.00)", capacities(110, most));
        assertVerdict("ahead of tcp in players (1.95, pairs 1.95 to 1.95, null 1.00 to 1.00)", capacities(most, 110));
        assertVerdict("undecided against tcp in players (1.00, pairs 1.00 to 1.00, null 1.00 to 1.00," +
            " the engine may hold more)", capacities(most, most));
        // The bots are busy before the peer misses a frame.
        assertVerdict("undecided against tcp in players (1.25, pairs 1.25 to 1.25, null 1.00 to 1.00," +
            " tcp may hold more)", capacity((options, found) -> null != options.peer && options.rooms > 110 ?
                busy(found, 860) : found.put(CrowdFigures.MISSED, options.rooms > 130 ? 2 : 0), "--beside", "tcp"));
    }

    /** The line is the last one, and the page and the JSON object have it. */
    private static void assertVerdict(final String verdict, final ToolRun run)
    {
        final List<String> lines = run.out.stream().filter((line) -> line.contains("Verdict: ")).toList();
        assertEquals(List.of("Verdict: " + verdict), lines, run::toString);
        assertEquals(lines.get(0), run.out.get(run.out.size() - 2), run::toString);
        assertEquals(verdict, run.json().get("verdict"), run::toString);
        assertTrue(run.file("index.html").contains("<p>Verdict: " + verdict + "</p>"), "the page lacks it");
    }

    @Test
    void shouldComparePlayersWithTheEngineInMemory()
    {
        final List<String> durabilities = new ArrayList<>();
        final ToolRun run = playersDurable("2", durabilities, (f) -> f);
        run.assertSound();
        assertEquals(List.of("memory", "synced", "memory", "memory", "synced", "memory"), durabilities);
        assertEquals("synced", run.json().get("durability"));
        assertEquals("memory", run.json().get("beside"));
        assertEquals(10.0, (double)run.json().get("pingP99Ms"), 0.1);
        assertEquals(2.0, (double)run.json().get("pingP99Ratio"), 0.01);
        assertEquals(1.0, (double)((Map<?, ?>)run.json().get("null")).get("pingP99Ratio"), 0.01);
        assertEquals(3.0, ((Map<?, ?>)run.json().get("loop")).get("bytesPerTurn"));
        assertTrue(run.toString().contains("p99 median 2.00 (2.00 to 2.00)"), run.toString());

        playersDurable("1", durabilities, (f) -> f.put(CrowdFigures.ANSWERED, SENT - 2))
            .assertMarked("2 of 1000 moves were not answered");
        final ToolRun refused = ToolRun.of(tool(new PlayersCommand(), (options) -> List.of(sound())), null,
            "--durability", "lasting");
        assertEquals(2, refused.exitCode, refused.toString());
        assertTrue(refused.err.contains("'--durability': lasting"), refused.toString());
    }

    @Test
    void shouldTakeNoResultFromAProcessOfTheLoadThatIsBusy()
    {
        final ToolRun bound = playersBeside((f) -> busy(f, 860));
        bound.assertSound();
        assertTrue(bound.toString().contains("tcp: no result: load-bound"), bound.toString());
        assertEquals(null, ((Map<?, ?>)bound.json().get("besideRun")).get("pingP99Ms"));
        assertEquals(null, bound.json().get("pingP99Ratio"));
        final ToolRun free = playersBeside((f) -> busy(f, 840));
        assertEquals(0.5, (double)free.json().get("pingP99Ratio"), 0.01);
        assertLimit("load-bound", (f) -> busy(f, 860));
    }

    @Test
    void shouldGiveNoPercentileBeyondTheNumberOfFrames()
    {
        // 1,000 room-frames of rooms of which 64 run together are 16 frames.
        final ToolRun run =
            players((f) -> f.add(CrowdFigures.LATENESS, pings(1)).put(CrowdFigures.ROOMS_PER_FRAME, 64));
        assertEquals(null, run.json().get("frameLatenessP99Ms"));
        assertEquals(1.0, (double)run.json().get("frameLatenessMaxMs"), 0.01);
        assertEquals(1.0, (double)players((f) -> f.add(CrowdFigures.LATENESS, pings(1))).json()
            .get("frameLatenessP99Ms"), 0.01);
    }

    @Test
    void shouldRefuseMoreThanOneComparison()
    {
        for (final String[] options : new String[][]{
            {"--tls"}, {"--web", "--beside", "tcp"}, {"--web", "--durability", "synced"},
            {"--beside", "tcp", "--durability", "synced"}, {"--pairs", "0"}})
        {
            final ToolRun run = ToolRun.of(tool(new PlayersCommand(), (plan) -> List.of(sound())), null, options);
            assertEquals(2, run.exitCode, run.toString());
        }
    }

    @Test
    void shouldRefuseAnUnknownPeer()
    {
        for (final CrowdCommand command : List.of(new PlayersCommand(), new CapacityCommand()))
        {
            final ToolRun run = ToolRun.of(tool(command, (options) -> List.of(sound())), null, "--beside", "udp");
            assertEquals(2, run.exitCode, run.toString());
            assertTrue(run.err.contains("'--beside': udp"), run.toString());
        }
    }

    @Test
    void shouldReportALostTrunk()
    {
        final ToolRun run = players((f) ->
        {
            throw new IllegalStateException("a trunk is down: SLOW_CONSUMER");
        });
        run.assertMarked("engine: a trunk is down: SLOW_CONSUMER");
        assertEquals(null, run.json().get("pingP99Ms"));
    }

    @Test
    void shouldFindTheLastSizeThatHolds()
    {
        final List<Integer> rooms = new ArrayList<>();
        final ToolRun run = capacity((options, found) ->
        {
            rooms.add(options.rooms);
            return found.add(CrowdFigures.PING + ".0", pings(options.rooms > 160 ? 41 : 39));
        });
        assertEquals(0, run.exitCode, run.toString());
        assertEquals(List.of(100, 125, 156, 195, 100, 125, 156, 195, 100, 125, 156, 195), rooms);
        assertEquals(624.0, run.json().get("players"));
        assertEquals(List.of(624.0, 624.0, 624.0), run.json().get("runs"));
        assertEquals("ping", run.json().get("limit"));
    }

    @Test
    void shouldSearchOnThePeerInAlternation()
    {
        final List<String> order = new ArrayList<>();
        final List<Integer> connections = new ArrayList<>();
        final ToolRun run = capacity((options, found) ->
        {
            final String side = null == options.peer ? "engine" : options.peer;
            if (order.isEmpty() || !side.equals(order.get(order.size() - 1)))
            {
                order.add(side);
            }
            connections.add("engine".equals(side) ? 0 : options.trunks - options.players());
            return found.put(CrowdFigures.MISSED, options.rooms > (null == options.peer ? 110 : 130) ? 2 : 0);
        }, "--beside", "tcp-players");
        assertEquals(0, run.exitCode, run.toString());
        // Engine, peer, engine; peer, engine, engine; engine, peer, engine.
        assertEquals(List.of("engine", "tcp-players", "engine", "tcp-players", "engine", "tcp-players", "engine"),
            order);
        assertEquals(List.of(0), connections.stream().distinct().toList(), "a connection for each player");
        assertEquals(400.0, run.json().get("players"));
        assertEquals(500.0, run.json().get("besidePlayers"));
        assertEquals(List.of(500.0, 500.0, 500.0), run.json().get("besideRuns"));
        assertEquals("missed", run.json().get("besideLimit"));
        assertEquals(0.8, run.json().get("ratio"));
        assertEquals(1.0, ((Map<?, ?>)run.json().get("null")).get("ratio"));
        final String players = "engine/tcp-players: players median 0.80 (0.80 to 0.80), null 1.00 to 1.00";
        assertTrue(run.toString().contains(players), run.toString());
    }

    @Test
    void shouldHalveTheRoomsUntilASizeHolds()
    {
        assertEquals(List.of(100, 50, 25, 31, 39, 49), sizes(40, 156));
        assertEquals(List.of(100, 50, 25, 31, 39, 49), sizes(49, 196));
        assertEquals(List.of(100, 50, 63, 79, 99), sizes(90, 316));
    }

    @Test
    void shouldTakeTheMedianOfThree()
    {
        final int[] calls = new int[1];
        final int[] held = {125, 100, 156};
        final int[] run = {-1};
        final ToolRun found = capacity((options, findings) ->
        {
            run[0] += 100 == options.rooms ? 1 : 0;
            calls[0]++;
            return findings.put(CrowdFigures.MISSED, options.rooms > held[run[0]] ? 2 : 0);
        });
        assertEquals(List.of(500.0, 400.0, 624.0), found.json().get("runs"));
        assertEquals(500.0, found.json().get("players"));
        assertEquals("missed", found.json().get("limit"));
        assertEquals(9, calls[0]);
    }

    @Test
    void shouldNameEachLimit()
    {
        assertLimit("missed", (f) -> f.put(CrowdFigures.MISSED, 2));
        assertLimit("none", (f) -> f.put(CrowdFigures.MISSED, 1));
        assertLimit("dropped", (f) -> f.put(CrowdFigures.STATES_SEEN, 9_989));
        assertLimit("none", (f) -> f.put(CrowdFigures.STATES_SEEN, 9_991));
        assertLimit("ping", (f) -> f.put(CrowdFigures.ANSWERED, SENT - 1));
        assertLimit("ping", (f) -> f.put(CrowdFigures.TOOK_NS + ".0", 1_020_000_000L));
        assertLimit("dropped", (f) ->
        {
            throw new IllegalStateException("a trunk is down: SLOW_CONSUMER");
        });
    }

    @Test
    void shouldReportThatNoSizeHeld()
    {
        final ToolRun run = capacity((options, found) -> found.put(CrowdFigures.MISSED, 500));
        run.assertFailed("run 1: no size held, the last of 48 players did not hold (missed)");
        assertEquals(0.0, run.json().get("players"));
        assertEquals("missed", run.json().get("limit"));
        assertEquals(3, run.out.stream()
            .filter((line) -> line.contains("no: missed") && line.endsWith("FAILED")).count(), run.toString());
    }

    @Test
    void shouldMeasureCapacityNoLongerThanRequested()
    {
        final long[] totalMs = new long[1];
        capacity((options, found) ->
        {
            totalMs[0] += options.parts().get(0).get(0).durationMs();
            return found;
        });
        assertTrue(totalMs[0] <= 7_000 && totalMs[0] > 6_900, "measured for " + totalMs[0] + " ms");
    }

    @Test
    void shouldMarkOverload()
    {
        final ToolRun sound = overload((f) -> f);
        sound.assertSound();
        final Map<?, ?> row = (Map<?, ?>)((List<?>)sound.json().get("rows")).get(3);
        assertEquals(10.0, row.get("load"));
        assertEquals(600.0, row.get("offered"));
        assertEquals(500.0, row.get("accepted"));
        assertEquals(100.0, row.get("shed"));
        assertEquals(Map.of("RATE_LIMITED", 100.0), row.get("shedByReason"));
        assertEquals(300.0, row.get("recoveredMs"));
        assertEquals(List.of(Map.of("atMs", 550.0, "step", 1.0)), row.get("ladder"));

        overload((f) -> f.put(CrowdFigures.ACCEPTED, 899)).assertMarked("1000 moves were offered, and 899 accepted");
        overload((f) -> f.put(CrowdFigures.ANSWERED, 898)).assertMarked("2 of 900 accepted moves were not answered");
        overload((f) -> f.put(CrowdFigures.REFUSALS_RECEIVED, 99))
            .assertMarked("the engine sent 100 refusals, the bots received 99");
        overload((f) -> f.put(CrowdFigures.REFUSALS_RECEIVED + ".140", 99)).assertMarked("received: {RATE_LIMITED=99}");
        overload((f) -> f.put(CrowdFigures.BROKEN_STATES, 1)).assertMarked("1 states were broken");
        overload((f) -> f.put(CrowdFigures.TOOK_NS + ".0", 2_000_000_000L)).assertMarked("missed its rate");
    }

    @Test
    void shouldOverloadWithMoreMovesOfTheSamePlayers()
    {
        final List<CrowdPlan> options = new ArrayList<>();
        ToolRun.of(tool(new OverloadCommand(), (plan) ->
        {
            options.add(plan);
            return List.of(part(1), part(2), part(5), part(10));
        }), directory.resolve("moves"), "--capacity", "800", "--seconds", "8", "--admit", "2");
        assertEquals(1, options.size());
        assertEquals(800, options.get(0).players());
        assertEquals(1_000, options.get(0).trunkRate, "twice 8,000 moves over 16 trunks");
        assertEquals("[[8000:1000, 6400:1000], [16000:1000, 6400:1000], [40000:1000, 6400:1000]," +
            " [80000:1000, 6400:1000]]", options.get(0).parts().toString());
    }

    private void assertLimit(final String limit, final UnaryOperator<Measurements> atLast)
    {
        final ToolRun run = capacity((options, found) -> options.rooms > 125 ? atLast.apply(found) : found);
        assertEquals(0, run.exitCode, run.toString());
        assertEquals(limit, run.json().get("limit"), run.toString());
        if (!"none".equals(limit))
        {
            assertEquals(500.0, run.json().get("players"), run.toString());
        }
    }

    private ToolRun players(final UnaryOperator<Measurements> fault)
    {
        return ToolRun.of(tool(new PlayersCommand(), (options) -> List.of(fault.apply(sound()))), next());
    }

    /** The peer takes twice as long and a quarter of the processor time. */
    private ToolRun playersBeside(final UnaryOperator<Measurements> fault)
    {
        return ToolRun.of(tool(new PlayersCommand(), (options) -> List.of(null == options.peer ?
            sound().put(CrowdFigures.SERVER_CPU_NS, 800_000_000) : fault.apply(sound()
                .put(CrowdFigures.SERVER_CPU_NS, 200_000_000).add(CrowdFigures.PING + ".0", pings(10))))),
            next(), "--beside", "tcp");
    }

    /** Runs of the engine, the peer and the engine's null, in the order in which they are asked for. */
    private ToolRun beside(final String pairs, final Measurements... runs)
    {
        final Iterator<Measurements> results = List.of(runs).iterator();
        return ToolRun.of(tool(new PlayersCommand(), (options) -> List.of(results.next())), next(),
            "--beside", "tcp", "--pairs", pairs);
    }

    /** Searches of at most 195 rooms, with the most rooms of the engine and of the peer. */
    private ToolRun capacities(final int ofEngine, final int ofPeer, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of("--beside", "tcp"));
        arguments.addAll(List.of(options));
        return capacity((plan, found) -> found.put(CrowdFigures.MISSED,
            plan.rooms > (null == plan.peer ? ofEngine : ofPeer) ? 2 : 0), arguments.toArray(new String[0]));
    }

    /** Run with a journal, which makes pings twice as long. */
    private ToolRun playersDurable(
        final String pairs, final List<String> durabilities, final UnaryOperator<Measurements> fault)
    {
        return ToolRun.of(tool(new PlayersCommand(), (options) ->
        {
            durabilities.add(options.durability);
            return List.of("memory".equals(options.durability) ? sound() : fault.apply(sound(10)
                .put(CrowdFigures.ENGINE_BYTES, 300).put(LoopMeter.TURNS, 100)));
        }), next(), "--durability", "synced", "--pairs", pairs);
    }

    private ToolRun capacity(
        final BiFunction<CrowdPlan, Measurements, Measurements> steps, final String... options)
    {
        final List<String> arguments =
            new ArrayList<>(List.of("--rooms", "100", "--seats", "4", "--seconds", "7"));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--steps"))
        {
            arguments.addAll(List.of("--steps", "4"));
        }
        return ToolRun.of(tool(new CapacityCommand(), (plan) -> List.of(steps.apply(plan, sound()))), next(),
            arguments.toArray(new String[0]));
    }

    /** A journal that costs 4 percent of the players shows at steps of 3 percent. */
    @Test
    void shouldSearchInMemoryBesideAJournal()
    {
        final List<String> order = new ArrayList<>();
        final ToolRun run = capacity((options, found) ->
        {
            order.add(options.durability.charAt(0) + " " + options.rooms);
            return found.put(CrowdFigures.MISSED,
                options.rooms > ("memory".equals(options.durability) ? 106 : 103) ? 2 : 0);
        }, "--durability", "recorded", "--growth", "3", "--pairs", "2");
        assertEquals(0, run.exitCode, run.toString());
        final List<String> pair = List.of("m 100", "m 103", "m 106", "m 109", "r 100", "r 103", "r 106",
            "m 100", "m 103", "m 106", "m 109");
        assertEquals(Stream.of(pair, pair).flatMap(List::stream).toList(), order);
        assertEquals(List.of(412.0, 412.0), run.json().get("runs"));
        assertEquals("memory", run.json().get("beside"));
        assertEquals(List.of(424.0, 424.0), run.json().get("besideRuns"));
        assertEquals(0.971698, run.json().get("ratio"));
    }

    /** The sizes of a search that starts at 100 rooms and misses frames above a number of them. */
    private List<Integer> sizes(final int mostRooms, final int players)
    {
        final List<Integer> rooms = new ArrayList<>();
        final ToolRun run = capacity((options, found) ->
        {
            rooms.add(options.rooms);
            return found.put(CrowdFigures.MISSED, options.rooms > mostRooms ? 2 : 0);
        }, "--pairs", "1", "--steps", "8");
        assertEquals(0, run.exitCode, run.toString());
        assertEquals(players, ((Double)run.json().get("players")).intValue(), run.toString());
        assertEquals("missed", run.json().get("limit"), run.toString());
        return rooms;
    }

    private ToolRun overload(final UnaryOperator<Measurements> fault)
    {
        return ToolRun.of(tool(new OverloadCommand(), (options) ->
            List.of(part(1), part(2), part(5), fault.apply(part(10)))), next(), "--capacity", "160");
    }

    private Path next()
    {
        return directory.resolve("report-" + reports++);
    }

    private static CommandLine tool(
        final CrowdCommand command, final Function<CrowdPlan, List<Measurements>> runner)
    {
        command.cores(2);
        command.runner = (plan, progress) -> runner.apply(plan);
        return new CommandLine(command);
    }

    private static Measurements sound()
    {
        return sound(5);
    }

    private static Measurements sound(final long pingMs, final long cpuMs)
    {
        return sound(pingMs).put(CrowdFigures.SERVER_CPU_NS, TimeUnit.MILLISECONDS.toNanos(cpuMs));
    }

    private static Measurements sound(final long pingMs)
    {
        final Measurements found = new Measurements().put(CrowdFigures.SENT, SENT).put(CrowdFigures.ANSWERED, SENT)
            .put(CrowdFigures.CHECKSUM_DIFFERENCE, 0).put(CrowdFigures.ORDER_FAULTS, 0)
            .put(CrowdFigures.BROKEN_STATES, 0)
            .put(CrowdFigures.MOVES_UNSEEN, 0).put(CrowdFigures.ERRORS, 0).put(CrowdFigures.REFUSALS_RECEIVED, 0)
            .put(CrowdFigures.STATES_SEEN, 10_000).put(CrowdFigures.STATES_SENT, 10_000)
            .put(CrowdFigures.STATES_DROPPED, 0).put(CrowdFigures.MISSED, 0).put(CrowdFigures.ROOM_FRAMES, 1_000)
            .put(CrowdFigures.ROOMS_PER_FRAME, 1).put(CrowdFigures.RSS_KB, 1_024)
            .add(CrowdFigures.MOVE_TO_STATE, interval(9)).add(CrowdFigures.GAP, interval(17))
            .add(CrowdFigures.LATENESS, interval(1)).add(CrowdFigures.PING + ".0", pings(pingMs));
        for (final String ns : List.of(CrowdFigures.SERVER_NS, CrowdFigures.BOTS_NS))
        {
            found.put(ns, 1_000_000_000);
        }
        for (final String zero : List.of(CrowdFigures.SERVER_CPU_NS, CrowdFigures.BOTS_CPU_NS,
            CrowdFigures.BOTS_BUSY_NS,
            CrowdFigures.DRIVER_NS, CrowdFigures.LOOPS_BUSY_NS, CrowdFigures.ENGINE_BYTES, CrowdFigures.MONITOR_BYTES,
            CrowdFigures.DRIVER_BYTES, CrowdFigures.BOTS_BYTES, "process.server.compiledMs",
            "process.client.compiledMs", CrowdFigures.STALLS,
            LoopMeter.TURNS))
        {
            found.put(zero, 0);
        }
        return phase(found, 0, SENT, SENT);
    }

    /** Bots that are at work for a number of milliseconds a second. */
    private static Measurements busy(final Measurements found, final long ms)
    {
        return found.put("process.client.ns", 1_000_000_000).put("process.client.cpuNs", 0)
            .put("process.client.waitedNs", 0).put("process.client.busyNs", ms * 1_000_000);
    }

    /** Of 600 moves under load 100 were refused, of 400 after it none. */
    private static Measurements part(final int load)
    {
        final Measurements found = sound().put(CrowdFigures.ANSWERED, 900).put(CrowdFigures.ACCEPTED, 900)
            .put(CrowdFigures.REFUSED, 100).put(CrowdFigures.ROOMS_REFUSED, 0).put(CrowdFigures.REFUSALS_UNSENT, 0)
            .put(CrowdFigures.SENT_BACK, 0).put(CrowdFigures.REFUSALS_RECEIVED, 100)
            .put(CrowdFigures.REFUSALS_RECEIVED + ".140", 100)
            .put(CrowdFigures.SHED + "RATE_LIMITED", 100).put(CrowdFigures.LADDER, 10 == load ? 1 : 0)
            .put("ladder.0.atMs", 550).put("ladder.0.level", 1).add(CrowdFigures.PING + ".1", pings(4));
        return phase(phase(found, 0, 600, 500), 1, 400, 400).put(CrowdFigures.RECOVERED_MS + ".1", 300);
    }

    private static Measurements phase(final Measurements found, final int number, final long sent, final long answered)
    {
        final String end = "." + number;
        return found.put(CrowdFigures.PLANNED + end, sent).put(CrowdFigures.PLANNED_NS + end, 1_000_000_000)
            .put(CrowdFigures.TOOK_NS + end, 1_000_000_000).put(CrowdFigures.SENT + end, sent)
            .put(CrowdFigures.ANSWERED + end, answered).put(CrowdFigures.IN_TIME + end, answered)
            .put(CrowdFigures.NOT_OFFERED + end, 0);
    }

    private static Histogram pings(final long ms)
    {
        final Histogram interval = interval(ms);
        interval.recordValueWithCount(TimeUnit.MILLISECONDS.toNanos(ms), PINGS - 1);
        return interval;
    }

    private static Histogram interval(final long ms)
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(TimeUnit.MILLISECONDS.toNanos(ms));
        histogram.setStartTimeStamp(1_000);
        histogram.setEndTimeStamp(1_100);
        return histogram;
    }
}
