package io.escapement.server;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The program as its user runs it: a demo, its replay, a server that is killed, and wrong options. */
@RealTime("a demo with its own clock, and a server that is killed")
class ProgramTest
{
    private static final boolean IS_FULL = Tests.isFull();

    private String[] endpoints;

    @TempDir
    Path directory;

    @Test
    void shouldPlayADemoAndReplayIt() throws IOException
    {
        final Path record = directory.resolve("record");
        try (Program demo = new Program("demo", "--rooms", "16", "--seats", "16", "--trunks", "8",
            "--seconds", IS_FULL ? "60" : "5", "--warm-up", "3", "--record", record.toString(), "--json"))
        {
            assertPagesAndMetrics(demo);
            demo.awaitEnd(200);
            final String json = demo.line("{\"demo\":\"arena\",");
            assertEquals(json, demo.lines.get(demo.lines.size() - 1), "the object is the last line");
            // How smooth it was is the host's affair as well; that nothing was wrong is not.
            assertTrue(null != demo.line("  phase players rooms"), demo.lines::toString);
            assertTrue(null != demo.line("    1 s "), demo.lines::toString);
            assertEquals(2, demo.lines.stream().filter((line) -> line.contains("://")).count(), demo.lines::toString);
            assertTrue(null != demo.line("  ok    game "), demo.lines::toString);
            assertTrue(demo.lines.stream().noneMatch((line) -> line.contains("SEVERE")), demo.lines::toString);
            assertTrue(null != demo.line("  ok    shutdown "), demo.lines::toString);
            assertTrue(json.contains("\"players\":256,\"rooms\":16,"), json);
            assertTrue(json.contains("\"violations\":0,\"drain\":\"CLEAN\"}"), demo.lines::toString);
        }
        try (Program replay = new Program("replay", record.toString()))
        {
            assertEquals(0, replay.awaitEnd(200), replay.lines::toString);
            assertTrue(replay.lines.get(0).startsWith("same: "), replay.lines::toString);
        }
        try (Program replay = new Program("replay", record.toString(), "--room", "2"))
        {
            assertEquals(0, replay.awaitEnd(200), replay.lines::toString);
        }
        final Path log = record.resolve("loop-0.00000000000000000000.journal");
        final byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 4;
        Files.write(log, bytes);
        final String complaint = Program.complaint(1, "replay", record.toString());
        assertTrue(complaint.contains("offset") || complaint.contains("at "), complaint);
    }

    /** As on macOS, and on processors for which the libraries have no native code. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -Descapement.gso=off                             | escapement.gso is off
        -Djna.nounpack=true -Djna.boot.library.path=none | jna""")
    void shouldPlayADemoWithoutOffloadAndEpoll(final String flags, final String reason)
    {
        final List<String> all = new ArrayList<>(List.of(flags.split(" ")));
        all.add("-Djna.nosys=true");
        all.add("-Dio.netty.transport.noNative=true");
        try (Program demo = new Program(all, "demo", "--rooms", "2", "--seats", "4", "--trunks", "2", "--seconds", "2",
            "--warm-up", "1"))
        {
            demo.awaitEnd(200);
            final String udp = demo.lines.stream().filter((line) -> line.contains("UDP: ")).findFirst().orElse("");
            assertTrue(udp.contains("without segmentation offload: ") && udp.contains(reason), demo.lines::toString);
            assertTrue(demo.lines.stream().anyMatch(
                (line) -> line.contains("WebSockets: Java's NIO, without epoll: ")), demo.lines::toString);
            assertTrue(null != demo.line("  ok    game "), demo.lines::toString);
            assertTrue(null != demo.line("  ok    shutdown "), demo.lines::toString);
            assertTrue(demo.lines.stream().noneMatch((line) -> line.contains("SEVERE")), demo.lines::toString);
        }
    }

    /** Each URL is alone on its line. A page is for anybody, its data for whoever has the token in the fragment. */
    private static void assertPagesAndMetrics(final Program demo)
    {
        demo.awaitLine("Metrics for Prometheus at ");
        final List<String> urls = demo.lines.stream().filter((line) -> line.startsWith("http://")).toList();
        assertEquals(2, urls.size(), demo.lines::toString);
        assertTrue(urls.get(0).matches("http://127\\.0\\.0\\.1:\\d+/"), urls::toString);
        assertTrue(urls.get(1).matches("http://127\\.0\\.0\\.1:\\d+/#[0-9A-Za-z_-]{22,}"), urls::toString);
        for (final String url : urls)
        {
            final HttpResponse<String> page = get(url.replaceAll("#.*", ""));
            assertEquals(200, page.statusCode(), url);
            assertTrue(page.body().startsWith("<!DOCTYPE html>"), page.body());
        }
        assertEquals(401, get(urls.get(1).replaceAll("#.*", "api/about")).statusCode());
        final String metrics = demo.line("Metrics for Prometheus at ").replaceAll(".* at ", "");
        assertTrue(metrics.matches("127\\.0\\.0\\.1:\\d+"), metrics);
        assertTrue(get("http://" + metrics + "/metrics").body().contains("escapement"), metrics);
    }

    private static HttpResponse<String> get(final String url)
    {
        try
        {
            return HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new AssertionError(url, ex);
        }
    }

    @Test
    void shouldKeepAccountsAndCharactersWhenItIsKilled()
    {
        final String database = "jdbc:h2:file:" + directory.resolve("accounts");
        final int players = 8;
        try (Program server = server(database, Program.freeEndpoint(), Program.freeEndpoint());
            Program bots = bots(server))
        {
            bots.awaitLine("total ");
            assertEquals(
                players, StatisticsLine.parse("total", bots.line("total ")).whole("created"), bots.lines::toString);
            assertEquals(2, mostRooms(server), "the lobby and the matchmakers are no arenas");
            server.kill();
        }
        try (Program server = server(database, Program.freeEndpoint(), Program.freeEndpoint());
            Program bots = bots(server))
        {
            bots.awaitLine("total ");
            final StatisticsLine total = StatisticsLine.parse("total", bots.line("total "));
            assertEquals(players, total.whole("logIns"), bots.lines::toString);
            assertEquals(0, total.whole("created"), "characters are there: " + bots.lines);
            assertEquals(0, total.whole("violations"), bots.lines::toString);
            bots.awaitEnd(30);
            assertEquals(0, server.end(), server.lines::toString);
            assertEquals("drained clean=1", server.line("drained "), server.lines::toString);
        }
    }

    /** The endpoints of the bots lead nowhere. */
    @Test
    void shouldPlayOverSharedMemory()
    {
        final Path driver = Tests.newDirectory();
        try (Program server = new Program("serve", "--demo-accounts", "--listen", Program.freeEndpoint(), "--respond",
            Program.freeEndpoint(), "--database", "jdbc:h2:file:" + directory.resolve("accounts"),
            "--ipc", "--driver-dir", driver.toString()))
        {
            server.awaitLine("ready ");
            try (Program bots = new Program("bots", "--driver-dir", driver.toString(), "--server", "127.0.0.1:1",
                "--respond", "127.0.0.1:1", "--rooms", "1", "--seats", "4", "--trunks", "2", "--seconds", "1",
                "--warm-up", "1"))
            {
                assertEquals(0, bots.awaitEnd(60), bots.lines::toString);
                final StatisticsLine total = StatisticsLine.parse("total", bots.line("total "));
                assertEquals(4, total.whole("created"), bots.lines::toString);
                assertEquals(0, total.whole("violations"), bots.lines::toString);
            }
            assertEquals(0, server.end(), server.lines::toString);
        }
        final String complaint = Program.complaint(2, "bots", "--driver-dir", driver.toString());
        assertTrue(complaint.startsWith("escapement: --driver-dir: " + driver + ": no media driver"), complaint);
    }

    /** In full only: it takes 6 s. No bot opens a room, so the matchmaker opened those that the server has. */
    @Test
    void shouldPlayInQuickMatches()
    {
        Assumptions.assumeTrue(IS_FULL, "the full tests");
        try (Program server = server(
            "jdbc:h2:file:" + directory.resolve("accounts"), Program.freeEndpoint(), Program.freeEndpoint());
            Program bots = new Program("bots", "--server", endpoints[0], "--respond", endpoints[1], "--quick-match",
                "--rooms", "2", "--seats", "4", "--trunks", "2", "--seconds", "2", "--warm-up", "1"))
        {
            assertEquals(0, bots.awaitEnd(90), bots.lines::toString);
            final StatisticsLine total = StatisticsLine.parse("total", bots.line("total "));
            assertTrue(total.whole("matches") >= 8, bots.lines::toString);
            assertEquals(0, total.whole("violations"), bots.lines::toString);
            assertTrue(mostRooms(server) >= 2, server.lines::toString);
            assertEquals(0, server.end(), server.lines::toString);
        }
    }

    @Test
    void shouldNameAWrongOption()
    {
        assertTrue(
            Program.complaint(2, "bots", "--quick-match").startsWith("escapement: --seats: 16: one of [2, 4, 8]"));
        assertTrue(Program.complaint(2, "demo", "--speed", "9").lines().findFirst().orElse("").contains("--speed"));
        assertTrue(Program.complaint(2, "bots", "--seats", "99").startsWith("escapement: --seats: 99"));
        assertTrue(Program.complaint(2).startsWith("escapement: No command."));
        assertTrue(Program.complaint(2, "serve", "--idle", "SLEEPY").contains("--idle"));
        assertTrue(Program.complaint(2, "serve", "--feed-group", "224.0.1.7:40500")
            .startsWith("escapement: --feed-group: 224.0.1.7:40500: set --feed too"));
        assertTrue(Program.complaint(2, "serve", "--feed", "--feed-group", "10.0.0.7:40500")
            .startsWith("escapement: --feed-group: 10.0.0.7:40500: expected ADDRESS:PORT of a multicast group"));
    }

    @Test
    void shouldReportAStartFailureInOneLine()
    {
        final String taken = Program.freeEndpoint();
        final String database = "jdbc:h2:file:" + directory.resolve("accounts");
        try (Program first = server(database, taken, Program.freeEndpoint());
            Program second = new Program("serve", "--demo-accounts", "--listen", taken, "--respond",
                Program.freeEndpoint(), "--database", "jdbc:h2:file:" + directory.resolve("others")))
        {
            assertEquals(2, second.awaitEnd(30), second.lines::toString);
            assertEquals(1, second.lines.size(), second.lines::toString);
            assertTrue(second.lines.get(0).startsWith("escapement: --listen: " + taken),
                second.lines::toString);
            assertFalse(first.lines.isEmpty());
        }
        final String complaint = Program.complaint(2, "stat", "--aeron-dir", directory.resolve("none").toString());
        assertTrue(complaint.startsWith("escapement: --aeron-dir: "), complaint);
        assertEquals(1, complaint.lines().count(), complaint);
    }

    private Program server(final String database, final String ingress, final String response)
    {
        final Program server = new Program("serve", "--demo-accounts", "--stats", "--listen", ingress,
            "--respond", response, "--database", database);
        server.awaitLine("ready ");
        endpoints = new String[]{ingress, response};
        return server;
    }

    private static long mostRooms(final Program server)
    {
        return server.lines.stream()
            .map((line) -> StatisticsLine.parse(ServeCommand.STATS, line)).filter(Objects::nonNull)
            .mapToLong((line) -> line.whole("rooms")).max().orElse(0);
    }

    private Program bots(final Program server)
    {
        assertTrue(null != server.line("ready "));
        return new Program("bots", "--server", endpoints[0], "--respond", endpoints[1], "--rooms", "2", "--seats", "4",
            "--trunks", "2", "--seconds", "2", "--warm-up", "1", "--run", "7");
    }

}
