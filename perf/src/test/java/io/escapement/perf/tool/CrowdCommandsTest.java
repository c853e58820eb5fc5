package io.escapement.perf.tool;

import io.escapement.perf.report.Environment;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import static io.escapement.perf.tool.CommandResult.assertConditions;
import static io.escapement.perf.tool.CommandResult.assertMembers;
import static io.escapement.perf.tool.CommandResult.assertNumbers;
import static io.escapement.perf.tool.CommandResult.assertReport;
import static io.escapement.perf.tool.CommandResult.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@link CommandsTest} for the commands with players. Apart, so that the build runs both at a time. */
@RealTime("perf's commands with players, each for a moment")
class CrowdCommandsTest
{
    private static final List<String> PLAYERS_RUN = List.of("pingP50Ms", "pingP99Ms", "pingP999Ms", "stateAgeP50Ms",
        "stateAgeP99Ms", "moveToStateP99Ms", "frameLatenessP99Ms", "frameGapP999Ms", "missedShare", "statesPerSec",
        "deliveredShare", "statesDropped", "lost", "allocatedBytesPerSec", "driverAllocatedBytesPerSec",
        "serverCpu", "botsCpu", "rssMb", "cpuNsPerState", "cpuNsPerMove", "pingMaxMs", "moveToStateMaxMs",
        "frameLatenessMaxMs", "frameGapMaxMs");
    private static final List<String> RATIOS = Stream.of(
        "pingP50Ratio", "pingP99Ratio", "serverCpuRatio", "cpuPerStateRatio", "cpuPerMoveRatio")
        .flatMap((key) -> Stream.of(key, key + "Least", key + "Most")).toList();
    private static final List<String> OVERLOAD_ROW = List.of("load", "offeredPerSec", "offered", "accepted", "shed",
        "shedAfter", "shedByReason", "notOffered", "goodputPerSec", "goodputShare", "inTimeShare", "pingP99Ms",
        "pingP99MsAfter", "recoveredMs", "ladder", "run");

    private static final List<String> LOOP =
        List.of("ringWaitP50Us", "ringWaitP99Us", "commitWaitP50Us", "commitWaitP99Us", "bytesPerTurn");

    @TempDir
    private Path directory;

    @Test
    void shouldRunPlayers() throws Exception
    {
        final ToolRun run = crowd("players", "--beside", "tcp");
        final List<String> keys = new ArrayList<>(List.of(
            "bench", "channel", "idle", "durability", "placement", "statesOn", "players", "hz"));
        keys.addAll(PLAYERS_RUN);
        keys.addAll(List.of("loop", "beside", "besideRun"));
        keys.addAll(RATIOS);
        keys.addAll(List.of("null", "verdict"));
        final Map<String, Object> json = json(run, keys.toArray(new String[0]));
        assertEquals("tcp", json.remove("beside"));
        assertTrue(run.out.contains("Verdict: " + json.remove("verdict")), run.toString());
        assertEquals("memory", json.remove("durability"));
        assertMembers(json.remove("null"), RATIOS);
        assertNumbers(json.remove("loop"), LOOP);
        final Object beside = json.remove("besideRun");
        assertMembers(beside, PLAYERS_RUN);
        final Map<?, ?> peer = assertInstanceOf(Map.class, beside);
        assertEquals(0.0, peer.get("lost"));
        assertEquals(0.0, peer.get("statesDropped"));
        assertEquals(1.0, peer.get("deliveredShare"));
        // The same rooms, players and rate: 16 players see 50 states a second.
        assertEquals(800.0, (double)peer.get("statesPerSec"), 150.0);
        assertEquals("players", json.remove("bench"));
        assertConditions("udp", "park", run, json);
        json.remove("channel");
        json.remove("idle");
        assertEquals("spread", json.remove("placement"));
        assertEquals("trunk", json.remove("statesOn"));
        json.forEach((key, value) -> assertTrue(null == value || value instanceof Double, key + ": " + value));
        assertEquals(16.0, json.get("players"));
        assertEquals(50.0, json.get("hz"));
        assertEquals(0.0, json.get("lost"));
        assertEquals(0.0, json.get("statesDropped"));
        assertEquals(1.0, json.get("deliveredShare"));
        assertTrue(run.err.contains("warm-up, 200 ms or more"), run.err);
        final String table = String.join("\n", run.out);
        assertTrue(table.contains("compiled ms"), table);
        assertEquals(Environment.stolenMs().isPresent(), table.contains("the hypervisor took "), table);
        assertReport(run, "ping", "moveToState", "frameGap", "frameLateness", "tcp-ping", "tcp-moveToState",
            "tcp-frameGap", "tcp-frameLateness");
    }

    /** Each is three pairs of processes. */
    static List<String> durabilities()
    {
        return Tests.isFull() ? List.of("recorded", "synced", "cluster") : List.of("recorded");
    }

    @ParameterizedTest
    @MethodSource("durabilities")
    void shouldRunPlayersWithDurability(final String durability) throws Exception
    {
        final ToolRun run = crowd("players", "--durability", durability, "--journal", directory.toString());
        final Map<String, Object> json = run.json();
        assertEquals(durability, json.get("durability"));
        assertEquals("memory", json.get("beside"));
        assertMembers(json.get("besideRun"), PLAYERS_RUN);
        assertNumbers(json.get("loop"), LOOP);
        assertMembers(json.get("null"), RATIOS);
        assertEquals(0.0, json.get("lost"));
        assertEquals(0.0, json.get("statesDropped"));
        assertEquals(1.0, json.get("deliveredShare"), "rooms mark the same states as measured that they count");
        assertEquals(800.0, (double)json.get("statesPerSec"), 150.0);
        assertReport(run, "ping", "memory-ping", "memory-null-ping", "ringWait", "commitWait");
    }

    static List<String> gateways()
    {
        return Tests.isFull() ? List.of("plain", "tls") : List.of("tls");
    }

    @ParameterizedTest
    @MethodSource("gateways")
    void shouldRunPlayersAtAGateway(final String gateway) throws Exception
    {
        final ToolRun run = "tls".equals(gateway) ? crowd("players", "--web", "--tls") : crowd("players", "--web");
        final Map<String, Object> json = run.json();
        assertEquals(gateway, json.get("web"));
        assertEquals("trunks", json.get("beside"));
        assertMembers(json.get("besideRun"), PLAYERS_RUN);
        final Map<?, ?> ofGateway = assertInstanceOf(Map.class, json.get("gateway"));
        assertNumbers(ofGateway, List.of("workerCpu", "cpu", "usPerMessage", "bytesPerMessage"));
        assertTrue((double)ofGateway.get("workerCpu") > 0 && (double)ofGateway.get("usPerMessage") > 0, run.toString());
        assertEquals(0.0, json.get("lost"));
        assertEquals(1.0, json.get("deliveredShare"));
        assertEquals(800.0, (double)json.get("statesPerSec"), 150.0);
        final double ageMs = (double)json.get("stateAgeP50Ms");
        assertTrue(ageMs > 0 && ageMs < 1_000, "a state was seen " + ageMs + " ms after its frame");
        assertReport(run, "ping", "stateAge", "trunks-ping", "trunks-stateAge");
    }

    /** The monitor brings lateness and waits once a second, so each of the three runs lasts longer than that. */
    @Test
    void shouldRunPlayersWithPagesAtTheConsole() throws Exception
    {
        final ToolRun run = crowd("players", "--console", "3", "--seconds", "9", "--durability", "recorded");
        final Map<String, Object> json = run.json();
        assertEquals("no-pages", json.get("beside"));
        assertMembers(json.get("besideRun"), PLAYERS_RUN);
        assertNumbers(json.get("loop"), LOOP);
        assertMembers(json.get("null"), RATIOS);
        final Map<?, ?> pages = assertInstanceOf(Map.class, json.get("console"));
        assertNumbers(pages, List.of("pages", "leastEvents", "leastBytes", "leastLists", "leastPictures"));
        assertEquals(3.0, pages.get("pages"));
        // Two events a second, and four lists every two seconds, for three seconds.
        assertEquals(6.0, (double)pages.get("leastEvents"), 2.0, run.toString());
        assertTrue((double)pages.get("leastBytes") > 1_000, run.toString());
        assertTrue((double)pages.get("leastLists") >= 4, run.toString());
        assertTrue((double)pages.get("leastPictures") >= 10, run.toString());
        assertEquals(0.0, json.get("lost"));
        assertEquals(800.0, (double)json.get("statesPerSec"), 150.0);
        assertReport(run, "ping", "no-pages-ping", "no-pages-null-ping", "frameLateness");
    }

    @Test
    void shouldRunCapacity() throws Exception
    {
        final ToolRun run = crowd("capacity", "--channel", "ipc", "--placement", "aligned", "--pairs", "1",
            "--steps", "1", "--beside", "tcp-players");
        final Map<String, Object> json = json(run, "bench", "channel", "idle", "placement", "statesOn",
            "durability", "players", "runs", "limit", "pingP99Ms", "cpuNsPerState", "cpuNsPerMove", "beside",
            "besidePlayers", "besideRuns", "besideLimit", "besidePingP99Ms", "besideCpuNsPerState",
            "besideCpuNsPerMove", "ratio", "null", "cpuPerStateRatio", "cpuPerMoveRatio", "seats", "hz", "sends", "mtu",
            "stepMs", "steps", "verdict");
        assertEquals("capacity", json.get("bench"));
        assertConditions("ipc", "park", run, json);
        assertEquals("aligned", json.get("placement"));
        assertEquals(List.of(json.get("players")), json.get("runs"));
        assertEquals(List.of(json.get("besidePlayers")), json.get("besideRuns"));
        assertEquals(1_000.0, json.get("stepMs"));
        assertEquals(List.of("1", "1 tcp-players", "1 engine-null"), ((List<?>)json.get("steps"))
            .stream().map((step) -> ((Map<?, ?>)step).get("search")).toList());
        if (0 == run.exitCode)
        {
            assertEquals(16.0, json.get("besidePlayers"));
            assertReport(run, "run-1", "run-1-tcp-players");
        }
    }

    @Test
    void shouldRunOverload() throws Exception
    {
        final ToolRun run = crowd("overload", "--capacity", "16");
        final Map<String, Object> json =
            json(run, "bench", "channel", "idle", "placement", "statesOn", "capacityPlayers", "capacityMovesPerSec",
                "admit", "rows");
        assertEquals("overload", json.get("bench"));
        assertConditions("udp", "park", run, json);
        assertEquals(16.0, json.get("capacityPlayers"));
        assertEquals(320.0, json.get("capacityMovesPerSec"));
        final List<Object> loads = new ArrayList<>();
        for (final Object row : assertInstanceOf(List.class, json.get("rows")))
        {
            final Map<?, ?> members = assertInstanceOf(Map.class, row);
            assertEquals(OVERLOAD_ROW, List.copyOf(members.keySet()));
            loads.add(members.get("load"));
            double shed = 0;
            for (final Object count : assertInstanceOf(Map.class, members.get("shedByReason")).values())
            {
                shed += assertInstanceOf(Double.class, count);
            }
            assertEquals((double)members.get("offered"), (double)members.get("accepted") + (double)members.get("shed"));
            assertEquals(shed, (double)members.get("shed") + (double)members.get("shedAfter"));
        }
        assertEquals(List.of(1.0, 2.0, 5.0, 10.0), loads);
        assertReport(run, "load-1", "load-10", "after-load-1");
    }

    /** Run with few players. */
    private ToolRun crowd(final String command, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of(command, "--warm-up", "200", "--warm-up-limit-ms", "200",
            "--rooms", "4", "--seats", "4", "--trunks", "2", "--hz", "50", "--sends", "20", "--state", "80"));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--seconds"))
        {
            arguments.addAll(List.of("--seconds", "1"));
        }
        final ToolRun run =
            ToolRun.of(Perf.commandLine(), directory.resolve(command), arguments.toArray(new String[0]));
        assertTrue(run.err.contains("[perf " + command + "]"), "no progress: " + run);
        return run;
    }
}
