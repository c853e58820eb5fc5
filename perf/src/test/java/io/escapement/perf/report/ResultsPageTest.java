package io.escapement.perf.report;

import io.escapement.testsupport.JsonReader;
import io.escapement.testsupport.ReferencePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Makes the table and the pictures of {@code perf/README.md} from {@code perf/results/current}, which
 * {@code perf/bin/measure} wrote, and compares the figures that other pages repeat.
 */
class ResultsPageTest
{
    private static final Path PAGE = Path.of("perf", "README.md");
    private static final Path CURRENT = Path.of("perf", "results", "current");
    /** A figure by the names of its members, and a tilde if its range follows. */
    private static final Pattern FIGURE = Pattern.compile("\\{([^}~]+)(~?)}");
    private static final Pattern REPORT = Pattern.compile(" --report \\S+");
    private static final double US_MS = 1_000;
    /** For axes of figures in their own unit. */
    private static final Chart PLAIN = new Chart("", "", 1);

    private static final String[][] ROWS = {
        // result, figure, template, template of the null, aim
        {"echo", "p50 of bare Aeron's", "{ratio.p50~}", "{null.p50~}", "1.15"},
        {"echo", "p90 of bare Aeron's", "{ratio.p90~}", "{null.p90~}", "1.35"},
        {"echo", "p50, p99, us", "{engine.p50Us}, {engine.p99Us}", "", ""},
        {"echo-recorded", "p50 of the engine in memory", "{memoryRatio.p50~}", "{memoryNull.p50~}", "1.02"},
        {"echo-recorded", "p50 of bare Aeron with its Archive", "{peerRatio.p50~}", "", ""},
        {"echo-cluster", "p50, and of bare Aeron Cluster, ms", "{engine.p50Us/1000}, {peer.p50Us/1000}", "", "as low"},
        {"ingress", "batched, one per batch, bare Aeron, per second",
            "{batchedPerSec}, {singlePerSec}, {rawPerSec}", "", ""},
        {"ingress", "one per batch, of bare Aeron's rate", "{ratioSingle~}", "", "0.75"},
        {"ring", "of a bare Disruptor's rate", "{ratio~}", "", ""},
        {"timers", "set, of Agrona's wheel with a map of ids", "{rows.agronaWithMap.setRatio~}", "", "1"},
        {"timers", "cancel, of the same", "{rows.agronaWithMap.cancelRatio~}", "", "1"},
        {"timers", "fire, of the same", "{rows.agronaWithMap.fireRatio~}", "", "1"},
        {"timers", "set, cancel, fire, ns", "{rows.escapement.setNs}, {rows.escapement.cancelNs}, " +
            "{rows.escapement.fireNs}", "", ""},
        {"frames", "lateness p99, us", "{rows.escapement.latenessP99Us}", "", "150"},
        {"frames", "lateness p99, of a game loop thread's", "{gameLoopThread.latenessP99~}",
            "{null.latenessP99~}", ""},
        {"frames", "cost, of a game loop thread with 1,500 B per room", "{gameLoopThread1500B.cost~}",
            "{null.cost~}", "1"},
        {"players", "{players} players: ping p50, p99, p99.9, ms", "{pingP50Ms}, {pingP99Ms}, {pingP999Ms}", "",
            "p99 10, p99.9 20"},
        {"players", "move to state p99, ms, frames missed, states dropped", "{moveToStateP99Ms}, {missedShare}, " +
            "{statesDropped}", "", "30, 0, 0"},
        {"players", "bytes per second allocated by loops and edge", "{allocatedBytesPerSec}", "", "0"},
        {"players-tcp", "cores of plain Netty's", "{serverCpuRatio~}", "{null.serverCpuRatio~}", "1"},
        {"players-tcp", "ping p99 of plain Netty's", "{pingP99Ratio~}", "{null.pingP99Ratio~}", "1"},
        {"players-tcp-feed", "cores of plain Netty's", "{serverCpuRatio~}", "{null.serverCpuRatio~}", "1"},
        {"players-tcp-feed", "ping p99 of plain Netty's", "{pingP99Ratio~}", "{null.pingP99Ratio~}", "1"},
        {"players-web", "{players} WebSockets: cores of the gateway's worker", "{gateway.workerCpu}", "", "0.7"},
        {"players-web", "state age p99, ping p99, ms", "{stateAgeP99Ms}, {pingP99Ms}", "", "40, 40"},
        {"players-tls", "cores of the gateway's worker", "{gateway.workerCpu}", "", "0.85"},
        {"players-tls", "state age p99, ping p99, ms", "{stateAgeP99Ms}, {pingP99Ms}", "", "40, 40"},
        {"players-recorded", "ping p99 of the engine in memory", "{pingP99Ratio~}", "{null.pingP99Ratio~}",
            "in the null"},
        {"players-recorded", "cores of the engine in memory", "{serverCpuRatio~}", "{null.serverCpuRatio~}",
            "in the null"},
        {"players-console", "ping p99, and without pages, ms, frames missed",
            "{pingP99Ms}, {besideRun.pingP99Ms}, {missedShare}", "", "the same"},
        {"players-console", "cores, and without pages", "{serverCpu}, {besideRun.serverCpu}", "", ""},
        {"capacity", "players, and on plain Netty (limits)",
            "{players}, {besidePlayers} ({limit}, {besideLimit})", "", "as many"},
        {"capacity-aligned", "players (limit)", "{players} ({limit})", "", "65,536"},
        {"overload", "answers at 1, 2, 5, 10 times the moves, of the capacity",
            "{rows.1.goodputShare}, {rows.2.goodputShare}, {rows.5.goodputShare}, {rows.10.goodputShare}", "", "1"},
        {"overload", "ping p99 then, ms",
            "{rows.1.pingP99Ms}, {rows.2.pingP99Ms}, {rows.5.pingP99Ms}, {rows.10.pingP99Ms}", "", "40"},
        {"replay", "times real time, {loops} loops", "{realTime}", "", "100"}};

    /** Figures that other pages repeat: page, result, and a part of a sentence. */
    private static final String[][] QUOTES = {
        {"README.md", "echo", "{ratio.p50} times bare Aeron's p50, {ratio.p90} times its p90"},
        {"README.md", "players", "p99 ping {pingP99Ms} ms, {missedShare} frames missed"},
        {"README.md", "players-tcp", "{pingP99Ratio} times its p99 ping, {serverCpuRatio} times its cores"},
        {"README.md", "players-web", "{gateway.workerCpu} cores, p99 age of a state {stateAgeP99Ms} ms"},
        {"README.md", "overload", "{rows.10.goodputShare} times its capacity answered"},
        {"engine/guide/why.md", "players-tcp", "took {serverCpuRatio} times the cores of a plain Netty TCP server"},
        {"engine/guide/overload.md", "overload", "answered {rows.10.goodputShare} times its capacity"},
        {"engine/guide/gateway.md", "players-web", "take {gateway.workerCpu} cores of a worker"}};

    private static final Map<String, Map<?, ?>> RESULTS = new TreeMap<>();

    @BeforeAll
    static void readResults() throws IOException
    {
        try (Stream<Path> files = Files.list(ReferencePage.root().resolve(CURRENT)))
        {
            for (final Path file : files.filter((path) -> path.toString().endsWith(".json")).toList())
            {
                RESULTS.put(file.getFileName().toString().replace(".json", ""),
                    (Map<?, ?>)JsonReader.parse(Files.readString(file)));
            }
        }
    }

    @Test
    void shouldHaveOneHostAndOneDate()
    {
        for (final String line : List.of("cpu", "cpu family", "cpu model", "cores", "kernel", "jdk", "commit"))
        {
            assertEquals(1, distinct((environment) -> (String)environment.get(line)).size(), line);
        }
        assertEquals(1, distinct(ResultsPageTest::day).size(), "days");
    }

    @Test
    void shouldHaveTheTableOfTheResults() throws IOException
    {
        final Map<?, ?> environment = (Map<?, ?>)RESULTS.values().iterator().next().get("environment");
        final List<String> part = new ArrayList<>(List.of(
            day(environment) + ", commit " + environment.get("commit") + ", " + environment.get("cores") +
                " shared cores of an " + environment.get("cpu") + " (family " + environment.get("cpu family") +
                ", model " + environment.get("cpu model") + "), " + environment.get("kernel") + ", " +
                String.valueOf(environment.get("jdk")).replaceFirst(".*VM ([0-9.]+).*", "JDK $1") + ".",
            "Clients and bots ran on the same cores. The null is the same program twice.", "",
            "| command | figure | result | null | aim |", "|---|---|---|---|---|"));
        String before = "";
        for (final String[] row : ROWS)
        {
            final String command = row[0].equals(before) ? "" : command(result(row[0]));
            before = row[0];
            part.add(("| " + Stream.concat(Stream.of(command), Stream.of(row).skip(1)
                .map((cell) -> fill(row[0], cell))).collect(Collectors.joining(" | ")) + " |").replace("  ", " "));
        }
        part.addAll(List.of("", "![Round trips at 10,000 messages per second, by percentile](results/current/echo.svg)",
            "", "![Lateness of frames, by percentile](results/current/lateness.svg)",
            "", "![Ping of more and more players, until a limit is exceeded](results/current/capacity.svg)"));
        ReferencePage.checkPart(PAGE, "results", part);
        assertEquals(RESULTS.keySet(), Stream.of(ROWS).map((row) -> row[0]).collect(Collectors.toCollection(
            TreeSet::new)), "results that the table does not show");
    }

    @Test
    void shouldDrawTheResults() throws IOException
    {
        final Map<String, String> roundTrips = new LinkedHashMap<>();
        roundTrips.put("bare Aeron", "echo-raw");
        roundTrips.put("Escapement", "echo-engine");
        draw("echo", "round trip, us", roundTrips);
        final Map<String, String> lateness = new LinkedHashMap<>();
        lateness.put("game loop thread", "frames-gameLoopThread");
        lateness.put("Escapement", "frames-escapement");
        lateness.put("Escapement with " + fill("players", "{players}") + " players", "players-frameLateness");
        draw("lateness", "lateness of a frame, us", lateness);
        final List<Picture.Curve> searches = new ArrayList<>();
        searches.add(search("plain Netty over TCP", 0, "capacity", "1 tcp"));
        searches.add(search("Escapement", 1, "capacity", "1"));
        check("capacity", new Picture(Axis.linear(Chart.most(searches, Picture.Point::x)), PLAIN.logarithmic(searches))
            .svg("players", "p99 ping, ms", searches));
    }

    @Test
    void shouldAgreeWithOtherPages() throws IOException
    {
        for (final String[] quote : QUOTES)
        {
            final String page = Files.readString(ReferencePage.root().resolve(quote[0])).replaceAll("\\s+", " ");
            final String now = fill(quote[1], quote[2]);
            assertTrue(page.contains(now), quote[0] + " does not say: " + now);
        }
    }

    private static TreeSet<String> distinct(final Function<Map<?, ?>, String> line)
    {
        return RESULTS.values().stream().map((result) -> line.apply((Map<?, ?>)result.get("environment")))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String day(final Map<?, ?> environment)
    {
        return String.valueOf(environment.get("date")).substring(0, "2026-12-01".length());
    }

    private static Map<?, ?> result(final String name)
    {
        final Map<?, ?> result = RESULTS.get(name);
        assertNotNull(result, "run perf/bin/measure " + name);
        assertEquals(null, result.get("status"), name + " failed: " + result.get("faults"));
        return result;
    }

    private static String command(final Map<?, ?> result)
    {
        return "`" + REPORT.matcher(String.valueOf(((Map<?, ?>)result.get("environment")).get("command line")))
            .replaceAll("") + "`";
    }

    private static String fill(final String name, final String template)
    {
        return FIGURE.matcher(template).replaceAll((match) -> Matcher.quoteReplacement(
            text(name, match.group(1)) + (match.group(2).isEmpty() ? "" : range(name, match.group(1)))));
    }

    private static String range(final String name, final String path)
    {
        final boolean isOnePair = value(name, path + "Least").equals(value(name, path + "Most"));
        return isOnePair ? ", one pair" :
            " (" + text(name, path + "Least") + " to " + text(name, path + "Most") + ")";
    }

    private static String text(final String name, final String path)
    {
        final boolean isInMs = path.endsWith("/1000");
        final Object value = value(name, isInMs ? path.replace("/1000", "") : path);
        return value instanceof Double number ? text(isInMs ? number / US_MS : number) : String.valueOf(value);
    }

    private static Object value(final String name, final String path)
    {
        Object value = result(name);
        for (final String member : path.split("\\."))
        {
            value = value instanceof List<?> rows ? row(rows, member) : ((Map<?, ?>)value).get(member);
        }
        assertNotNull(value, name + " has no " + path);
        return value;
    }

    /** By its name or its load. */
    private static Object row(final List<?> rows, final String key)
    {
        return rows.stream().map((row) -> (Map<?, ?>)row)
            .filter((row) -> key.equals(row.get("name")) || row.get("load") instanceof Double load &&
                Double.valueOf(key).equals(load)).findFirst().orElseThrow(() -> new AssertionError("no row " + key));
    }

    /** With two decimals below ten, one below a hundred, and three digits of a small number. */
    private static String text(final double value)
    {
        final boolean isWhole = value == Math.rint(value);
        return String.format(Locale.ROOT, isWhole || value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" :
            value >= 0.1 ? "%.2f" : "%.4f", value);
    }

    /** Curves of distributions: a row of the file has a value, its percentile, a count and the reciprocal share. */
    private static void draw(final String name, final String title, final Map<String, String> fileByCurve)
        throws IOException
    {
        final List<Picture.Curve> curves = new ArrayList<>();
        for (final Map.Entry<String, String> curve : fileByCurve.entrySet())
        {
            final double unit = Files.readString(file(curve.getValue())).contains(", ms\n") ? US_MS : 1;
            final List<Picture.Point> points = Files.readAllLines(file(curve.getValue())).stream()
                .map((line) -> line.trim().split(" +")).filter((cells) -> 4 == cells.length && !"inf".equals(cells[3]))
                .filter((cells) -> cells[0].matches("[0-9.]+"))
                .map((cells) -> new Picture.Point(
                    Math.log10(Double.parseDouble(cells[3])), Double.parseDouble(cells[0]) * unit)).toList();
            assertTrue(points.size() > 10, curve.getValue());
            curves.add(new Picture.Curve(curve.getKey(), curves.size(), Picture.Mark.LINE, points));
        }
        check(name, new Picture(Axis.nines(Chart.most(curves, Picture.Point::x)), PLAIN.logarithmic(curves))
            .svg("percentile", title, curves));
    }

    private static Picture.Curve search(final String curve, final int color, final String name, final String search)
    {
        return new Picture.Curve(curve, color, Picture.Mark.LINE, ((List<?>)result(name).get("steps")).stream()
            .map((step) -> (Map<?, ?>)step)
            .filter((step) -> search.equals(step.get("search")) && null != step.get("pingP99Ms"))
            .map((step) -> new Picture.Point((double)step.get("players"), (double)step.get("pingP99Ms"))).toList());
    }

    private static Path file(final String name)
    {
        return ReferencePage.root().resolve(CURRENT).resolve(name + ".hdr");
    }

    private static void check(final String name, final String svg) throws IOException
    {
        ReferencePage.checkFile(CURRENT.resolve(name + ".svg"), List.of(svg.split("\n")));
    }
}
