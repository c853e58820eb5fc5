package io.escapement.console;

import io.escapement.config.ConfigException;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.AsyncService;
import io.escapement.http.HttpError;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.HttpClients;
import io.escapement.testsupport.JsonReader;
import io.escapement.testsupport.Tests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who is let in, and the data that they get. One engine and one console for all; about 3 s. */
class ConsoleTest
{
    static final int TYPE = 7;
    static final String HOSTILE = "<img/src=x/onerror=alert(1)>\"'&";
    static final byte[] SECRET = "a secret that the tests share".getBytes(StandardCharsets.US_ASCII);

    private static final int SERVICE = 3;
    private static final UnsafeBuffer BUSY = new UnsafeBuffer(new byte[1]);
    private static final UnsafeBuffer ASKING = new UnsafeBuffer(new byte[2]);
    private static final int MAX_EVENT = 32 * 1_024;

    private static Engine engine;
    private static Console console;
    private static Api api;

    @BeforeAll
    static void start()
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext context = new ConsoleContext().observe(monitor);
        engine = launch(monitor);
        console = Console.launch(context.engine(engine).allowHost("console.example").view(TYPE, new DrawnRooms()));
        api = new Api(console);
    }

    @AfterAll
    static void end()
    {
        if (null == console)
        {
            return;
        }
        console.close();
        engine.close();
        Tests.await(() -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch((thread) -> thread.getName().startsWith("escapement-console")), "the console's threads to end");
    }

    static Engine launch(final MonitorContext monitor)
    {
        return Engine.launch(engineContext(monitor));
    }

    /** The options of an engine for the console's tests. */
    static EngineContext engineContext(final MonitorContext monitor)
    {
        final EngineContext context = new EngineContext().loops(1).monitor(monitor)
            .errorHandler((fault) -> { }).roomType(RoomType.of(TYPE, HOSTILE, 1, Framed::new))
            .service(SERVICE, HOSTILE.replaceAll("[^a-z]", ""), 1, () -> ConsoleTest::halve);
        context.trunks().ipc(true).secret(SECRET, true);
        return context;
    }

    @Test
    void shouldServeThePageToAnybodyAndDataToNobodyWithoutAToken() throws Exception
    {
        final HttpResponse<String> page = api.get("/", null);
        assertEquals(200, page.statusCode());
        assertTrue(page.body().startsWith("<!DOCTYPE html>"), page.body());
        for (final String path : List.of("/api/about", "/api/events", "/api/history?loop=0", "/api/room?id=1",
            "/api/rooms?loop=0&type=-1&from=0", "/api/costs?loop=0&type=-1", "/api/trunks", "/api/storage",
            "/api/counters", "/api/faults", "/api/view?id=1&type=7", "/api/slow?loop=0&second=1", "/api/past?id=1",
            "/api/past/view?id=1&turn=1", "/api/past/values?id=1&turn=1", "/api/past/lanes?id=1&from=1&to=2",
            "/api/past/log?id=1&turn=1", "/api/none"))
        {
            assertEquals(401, api.get(path, null).statusCode(), path);
            assertEquals(401, api.get(path, "0".repeat(32)).statusCode(), path);
            final String query = (path.contains("?") ? "&" : "?") + "token=" + api.operate();
            assertEquals(401, api.get(path + query, null).statusCode());
        }
        assertEquals(401, api.post("{\"action\":\"drain\",\"seconds\":\"0\"}", null).statusCode());
        assertEquals(404, api.get("/api/none", api.operate()).statusCode());
        assertTrue(engine.isAlive());
    }

    @Test
    void shouldSendContentTypesAndAPolicyWithoutInlineScript() throws Exception
    {
        final Map<String, String> typeByPathMap = Map.of("/", "text/html; charset=utf-8",
            "/console.js", "text/javascript; charset=utf-8", "/logic.js", "text/javascript; charset=utf-8",
            "/console.css", "text/css; charset=utf-8", "/uplot.js", "text/javascript; charset=utf-8",
            "/uplot.css", "text/css; charset=utf-8", "/icon.svg", "image/svg+xml",
            "/view/drawn/drawn.js", "text/javascript; charset=utf-8");
        for (final Map.Entry<String, String> entry : typeByPathMap.entrySet())
        {
            final HttpResponse<String> file = api.get(entry.getKey(), null);
            assertEquals(200, file.statusCode(), entry.getKey());
            assertEquals(entry.getValue(), Api.header(file, "Content-Type"));
            final String policy = Api.header(file, "Content-Security-Policy");
            assertTrue(policy.contains("default-src 'none'; script-src 'self';"), policy);
            assertFalse(policy.contains("unsafe"), policy);
            assertEquals("nosniff", Api.header(file, "X-Content-Type-Options"));
            assertEquals("no-referrer", Api.header(file, "Referrer-Policy"));
        }
        assertEquals("no-store", Api.header(api.get("/api/about", api.view()), "Cache-Control"));
        for (final String path : List.of("/../pom.xml", "/page/index.html", "/Console.class", "/%2e%2e/Console.class"))
        {
            assertEquals(401, api.get(path, null).statusCode(), path);
        }
    }

    /** As a page whose name was pointed at this host would have it. */
    @Test
    void shouldRefuseOtherHosts() throws IOException
    {
        final String token = "Authorization: Bearer " + api.operate();
        for (final String host : List.of("attacker.example", "127.0.0.1", "localhost.attacker.example:" + port(),
            "127.0.0.1:1", "console.example:80", ""))
        {
            assertEquals(421, raw("GET", "/", "Host: " + host, token), host);
            assertEquals(421, raw("GET", "/api/about", "Host: " + host, token), host);
        }
        for (final String host : List.of("127.0.0.1:" + port(), "localhost:" + port(), "LocalHost:" + port(),
            "[::1]:" + port(), "console.example"))
        {
            assertEquals(200, raw("GET", "/api/about", "Host: " + host, token), host);
            assertEquals(421, raw("GET", "/api/about", "Host: " + host, "Host: attacker.example", token), host);
        }
    }

    @Test
    void shouldRefuseOtherOrigins() throws IOException
    {
        final String host = "Host: 127.0.0.1:" + port();
        final String token = "Authorization: Bearer " + api.operate();
        for (final String origin : List.of("https://attacker.example", "null", "http://127.0.0.1:1",
            "https://127.0.0.1:" + port(), "http://localhost:" + port()))
        {
            assertEquals(403, raw("POST", "/api/operate", host, token, "Origin: " + origin,
                "Content-Type: application/json", "Content-Length: 0"), origin);
            assertEquals(403, raw("GET", "/api/about", host, token, "Origin: " + origin), origin);
        }
        assertEquals(403, raw("POST", "/api/operate", host, token, "Content-Length: 0"), "none");
        final String own = "Origin: http://127.0.0.1:" + port();
        assertEquals(403, raw("GET", "/api/about", host, token, own, "Origin: https://attacker.example"));
        assertEquals(200, raw("GET", "/api/about", host, token, "Origin: http://127.0.0.1:" + port()));
        assertEquals(405, raw("DELETE", "/api/about", host, token, "Origin: http://127.0.0.1:" + port()));
        assertEquals(405, raw("GET", "/api/operate", host, token));
    }

    @Test
    void shouldLetAViewerOperateNothing() throws Exception
    {
        assertEquals(Boolean.FALSE, Api.map(api.get("/api/about", api.view())).get("isOperator"));
        assertEquals(Boolean.TRUE, Api.map(api.get("/api/about", api.operate())).get("isOperator"));
        assertEquals(403, api.post("{\"action\":\"drain\",\"seconds\":\"0\"}", api.view()).statusCode());
        assertTrue(engine.isAlive());
    }

    @Test
    void shouldRefuseBadOperations() throws Exception
    {
        for (final String body : List.of("", "{", "[]", "{\"action\":\"drain\"}", "{\"action\":\"fly\"}",
            "{\"action\":\"drain\",\"seconds\":\"-1\"}", "{\"action\":\"drain\",\"seconds\":9}",
            "{\"action\":\"close\",\"room\":\"0\"}", "{\"action\":\"close\",\"room\":\"99999999999999999999\"}",
            "{\"action\":\"cap\",\"type\":\"8\",\"rate\":\"1\"}", "{\"action\":\"cap\",\"type\":\"7\",\"rate\":\"-1\"}",
            "{\"action\":\"kick\",\"room\":\"1\"}", "{\"action\":\"lock\"}", "{\"action\":\"lock\",\"type\":\"8\"}",
            "{\"action\":\"unlock\",\"room\":\"x\"}", "{\"action\":\"drain\",\"seconds\":\"0\"} ?"))
        {
            assertEquals(400, api.post(body, api.operate()).statusCode(), body);
        }
        final String large = "{\"action\":\"drain\",\"seconds\":\"0\",\"x\":\"" + "y".repeat(2_000) + "\"}";
        assertEquals(413, api.post(large, api.operate()).statusCode());
        final HttpRequest.Builder form = api.request("/api/operate", api.operate())
            .header("Content-Type", "text/plain").header("Origin", "http://127.0.0.1:" + port())
            .POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"drain\",\"seconds\":\"0\"}"));
        assertEquals(415, api.send(form).statusCode());
        final String nowhere = "\"room\":\"" + Long.MAX_VALUE + "\"}";
        assertEquals(503, api.post("{\"action\":\"close\"," + nowhere, api.operate()).statusCode());
        assertEquals(503, api.post("{\"action\":\"lock\"," + nowhere, api.operate()).statusCode());
        assertEquals(503, api.post("{\"action\":\"kick\",\"player\":\"5\"," + nowhere, api.operate()).statusCode());
        assertTrue(engine.isAlive());
    }

    @Test
    void shouldListARoomAndCloseIt() throws Exception
    {
        final long roomId = engine.openRoom(TYPE).roomId();
        Tests.await(() -> isOpen(roomId), "the room");
        final Map<?, ?> list = Api.map(api.get("/api/rooms?loop=0&type=" + TYPE + "&from=0", api.view()));
        assertTrue(((List<?>)list.get("rooms")).stream()
            .anyMatch((room) -> Long.toString(roomId).equals(((Map<?, ?>)room).get("id"))), list::toString);
        assertEquals(List.of(), Api.map(api.get("/api/rooms?loop=0&type=99&from=0", api.view())).get("rooms"));
        assertEquals(400, status("/api/rooms?loop=1&type=-1&from=0"));
        assertFalse(isOpen(roomId + 999));
        api.run("{ \"action\" : \"close\" , \"room\":\"" + roomId + "\"}");
        Tests.await(() -> !isOpen(roomId), "the close");
        final Map<?, ?> faults = Api.map(api.get("/api/faults", api.view()));
        assertTrue(faults.get("operations").toString().contains("close room " + roomId), faults::toString);
    }

    private boolean isOpen(final long roomId)
    {
        return null != api.data("/api/room?id=" + roomId).get("room");
    }

    @Test
    void shouldReportTrunksAndARoomWithItsSeats() throws Exception
    {
        assertEquals(List.of(), api.data("/api/trunks").get("trunks"));
        final long roomId = engine.openRoom(TYPE).roomId();
        try (Player player = new Player(engine, HOSTILE))
        {
            player.join(engine, roomId, Long.MAX_VALUE);
            Tests.await(() -> !List.of().equals(api.data("/api/trunks").get("trunks")), "an answer that is not shared");
            final Map<?, ?> trunk = (Map<?, ?>)((List<?>)api.data("/api/trunks").get("trunks")).get(0);
            assertEquals(HOSTILE, trunk.get("identity"));
            assertEquals("ipc", trunk.get("address"));
            assertEquals(true, trunk.get("isUp"));
            assertEquals(List.of(1.0, 1.0), List.of(trunk.get("seats"), trunk.get("loops")));
            assertEquals(0.0, trunk.get("queued"));
            assertEquals(0.0, trunk.get("refused"));
            assertTrue(List.of("sent", "received", "entries").stream().allMatch((name) -> (Double)trunk.get(name) > 0),
                trunk::toString);
            // The second keepalive has that of the first.
            Tests.await(() -> player.poll() && !api.data("/api/trunks").toString().contains("roundTripUs=0.0"),
                "a round trip");
            final Map<?, ?> room = api.data("/api/room?id=" + roomId);
            assertEquals(60.0, room.get("rate"));
            assertEquals(0.0, room.get("timers"));
            assertEquals(false, room.get("isLocked"));
            assertTrue((Double)room.get("ageSeconds") >= 0, room::toString);
            assertEquals(Map.of(), trunk.get("refusals"));
            assertEquals(0.0, trunk.get("statesDropped"));
            final String kick = "{\"action\":\"kick\",\"room\":\"" + roomId + "\",\"player\":\"5\"}";
            api.run(kick);
            Tests.await(() -> api.data("/api/room?id=" + roomId).toString().contains("NOT_JOINED"), "the refusal");
            assertTrue((Double)room.get("callbacks") > 0, room::toString);
            assertEquals(List.of(Map.of("index", 0.0, "player", Long.toString(Long.MAX_VALUE), "isPresent", true,
                "sequence", 0.0)), room.get("seats"));
            api.run("{\"action\":\"kick\",\"room\":\"" + roomId + "\",\"player\":\"" +
                Long.MAX_VALUE + "\"}");
            Tests.await(() -> List.of().equals(api.data("/api/room?id=" + roomId).get("seats")), "the kick");
        }
        Tests.await(() -> !api.data("/api/trunks").toString().contains("isUp=true"), "the end of the trunk");
        api.run("{\"action\":\"close\",\"room\":\"" + roomId + "\"}");
    }

    @Test
    void shouldReadARoomThatIsDrawn() throws Exception
    {
        final String path = "/api/view?type=" + TYPE + "&id=";
        final HttpResponse<String> answer = api.get(path + engine.openRoom(TYPE).roomId(), api.view());
        assertEquals(200, answer.statusCode());
        assertEquals("application/octet-stream", Api.header(answer, "Content-Type"));
        assertEquals(404, status("/api/view?type=8&id=1"), "a type without a view");
        assertEquals(404, status(path + 999_999), "no such room");
        assertEquals(400, status(path + "x"));
    }

    @Test
    void shouldLockJoinsOfARoomAndOfAType() throws Exception
    {
        final long roomId = engine.openRoom(TYPE).roomId();
        for (final String what : List.of("\"room\":\"" + roomId, "\"type\":\"" + TYPE))
        {
            api.run("{\"action\":\"lock\"," + what + "\"}");
            Tests.await(() -> isLocked(roomId), "the lock of " + what);
            api.run("{\"action\":\"unlock\"," + what + "\"}");
            Tests.await(() -> !isLocked(roomId), "the end of the lock of " + what);
        }
        final String operations = api.data("/api/faults").get("operations").toString();
        for (final String done : List.of("lock room " + roomId, "unlock room " + roomId,
            "lock all rooms of type " + TYPE, "unlock all rooms of type " + TYPE))
        {
            assertTrue(operations.contains("what=" + done), operations);
        }
        api.run("{\"action\":\"close\",\"room\":\"" + roomId + "\"}");
    }

    private boolean isLocked(final long roomId)
    {
        return Boolean.TRUE.equals(api.data("/api/room?id=" + roomId).get("isLocked"));
    }

    /** The room that computes in its frames is first, although it opened last. */
    @Test
    void shouldListTheRoomsThatCostMostFirst() throws Exception
    {
        final long idle = engine.openRoom(TYPE).roomId();
        final long busy = engine.openRoom(TYPE, BUSY, 0, BUSY.capacity()).roomId();
        try (InputStream events = api.stream().body())
        {
            Tests.await(() -> Long.toString(busy).equals(first("/api/costs?loop=0&type=" + TYPE).get("id")), "costs");
            final double share = (Double)first("/api/costs?loop=0&type=-1").get("share");
            assertTrue(share > 0 && share <= 1, () -> "share " + share);
            final List<?> all = (List<?>)api.data("/api/costs?loop=0&type=-1").get("rooms");
            assertTrue(all.toString().contains(Long.toString(idle)), "rooms that cost nothing are listed too");
            assertEquals(List.of(), api.data("/api/costs?loop=0&type=99").get("rooms"));
            assertTrue(events.read() >= 0);
        }
        for (final long roomId : List.of(idle, busy))
        {
            api.run("{\"action\":\"close\",\"room\":\"" + roomId + "\"}");
        }
    }

    private Map<?, ?> first(final String path)
    {
        final List<?> rooms = (List<?>)api.data(path).get("rooms");
        return rooms.isEmpty() ? Map.of() : (Map<?, ?>)rooms.get(0);
    }

    @Test
    void shouldReportServicesAndStorage() throws Exception
    {
        final double before = (Double)service().get("requests");
        final long roomId = engine.openRoom(TYPE, ASKING, 0, ASKING.capacity()).roomId();
        Tests.await(() -> (Double)service().get("requests") == before + 2, "two requests");
        final Map<?, ?> service = service();
        assertEquals(1.0, service.get("failed"));
        assertEquals(1.0, service.get("workers"));
        assertTrue((Double)service.get("busyMs") > 0, service::toString);
        final Map<?, ?> loop = (Map<?, ?>)((List<?>)api.data("/api/storage").get("loops")).get(0);
        assertEquals(0.0, loop.get("snapshots"));
        api.run("{\"action\":\"close\",\"room\":\"" + roomId + "\"}");
    }

    private Map<?, ?> service()
    {
        return (Map<?, ?>)((List<?>)api.data("/api/storage").get("services")).get(0);
    }

    /** Of an odd number it throws. */
    private static int halve(final AsyncService.Request request)
    {
        if (0 != (request.orderKey() & 1))
        {
            throw new IllegalArgumentException("odd");
        }
        return 0;
    }

    static <T> T await(final CompletableFuture<T> future)
    {
        Tests.await(future::isDone, "an answer");
        return future.join();
    }

    @Test
    void shouldCapTheFramesOfATypeAndLiftTheCap() throws Exception
    {
        final long roomId = engine.openRoom(TYPE).roomId();
        final String cap = "{\"action\":\"cap\",\"type\":\"" + TYPE + "\",\"rate\":\"";
        api.run(cap + "1\"}");
        Tests.await(() -> 1 == await(engine.operator().figures(roomId)).rateHz(), "the cap");
        api.run(cap + "0\"}");
        Tests.await(() -> 60 == await(engine.operator().figures(roomId)).rateHz(), "the room's own rate");
        api.run("{\"action\":\"close\",\"room\":\"" + roomId + "\"}");
    }

    @Test
    void shouldStreamSmallEventsWhoseNumbersChange() throws Exception
    {
        engine.openRoom(TYPE);
        final HttpResponse<InputStream> stream = api.stream();
        assertEquals(200, stream.statusCode());
        try (BufferedReader lines = new BufferedReader(
            new InputStreamReader(stream.body(), StandardCharsets.US_ASCII)))
        {
            Map<?, ?> loop = null;
            double frames = 0;
            double longest = 0;
            for (int i = 0; i < 10 && (0 == frames || 0 == curve(loop).size() || 0 == longest); i++)
            {
                final String line = lines.readLine();
                assertTrue(line.length() < MAX_EVENT, () -> line.length() + " bytes");
                loop = (Map<?, ?>)((List<?>)((Map<?, ?>)JsonReader.parse(line)).get("loops")).get(0);
                frames = (Double)loop.get("frames");
                longest = (Double)loop.get("longest");
            }
            assertTrue(longest > 0, "no longest turn");
            assertTrue(frames > 0, "no frames");
            assertFalse(curve(loop).isEmpty(), "no lateness");
        }
        final Map<?, ?> history = Api.map(api.get("/api/history?loop=0", api.view()));
        assertEquals(LatencyHistory.COLUMNS, ((List<?>)history.get("columns")).size());
    }

    @Test
    void shouldRefuseOneStreamTooManyAndTakeAnotherWhenOneEnds() throws Exception
    {
        final List<HttpResponse<InputStream>> open = new ArrayList<>();
        Tests.await(() -> console.streams().isEmpty(), "earlier streams to end");
        for (int i = 0; i < EventStreams.LIMIT; i++)
        {
            open.add(api.stream());
            assertEquals(200, open.get(i).statusCode());
        }
        assertEquals(503, api.stream().statusCode());
        // The others still get what they ask for.
        assertEquals(200, status("/api/about"));
        open.remove(0).body().close();
        Tests.await(() ->
        {
            final HttpResponse<InputStream> next = api.stream();
            open.add(next);
            return 200 == next.statusCode();
        }, "a place");
        for (final HttpResponse<InputStream> one : open)
        {
            one.body().close();
        }
        Tests.await(() -> console.streams().isEmpty(), "the streams to end");
    }

    /** Far more than the server's connections. */
    @Test
    void shouldAnswerWhileHalfSentRequestsAreHeld() throws Exception
    {
        try (HttpClients clients = new HttpClients(port()).sendHalf(300))
        {
            assertEquals(200, clients.status("127.0.0.1", "/"));
            assertEquals(200, status("/api/rooms?loop=0&type=-1&from=0"));
        }
    }

    @Test
    void shouldReadTokensFromAFile(@TempDir final Path directory) throws IOException
    {
        final Path file = Tests.writeSecret(directory.resolve("tokens"),
            "view=" + "v".repeat(32) + "\noperate=" + "o".repeat(40) + "\n");
        final Tokens tokens = Tokens.fromFile(file);
        assertEquals(Tokens.Role.VIEW, tokens.roleOf("Bearer " + "v".repeat(32)));
        assertEquals(Tokens.Role.OPERATE, tokens.roleOf("Bearer " + "o".repeat(40)));
        for (final String wrong : new String[]{null, "", "Bearer ", "Bearer v", "Basic " + "v".repeat(32),
            "v".repeat(32), "Bearer " + "v".repeat(33), "Bearer " + "\u00f6".repeat(40)})
        {
            assertNull(tokens.roleOf(wrong), wrong);
        }
        for (final String text : List.of("", "view=short\noperate=" + "o".repeat(40),
            "view=" + "o".repeat(40) + "\noperate=" + "o".repeat(40)))
        {
            Files.writeString(file, text);
            assertTrue(assertThrows(ConfigException.class, () -> Tokens.fromFile(file)).getMessage()
                .contains("tokenFile"));
        }
    }

    @Test
    void shouldNameAWrongOption() throws IOException
    {
        final MonitorContext monitor = new MonitorContext();
        assertMessage("console.engine: ", new ConsoleContext().observe(monitor));
        assertMessage("console.observe: ", new ConsoleContext().engine(engine));
        assertMessage("console.host: ", new ConsoleContext().observe(monitor).engine(engine).host("0.0.0.0"));
        assertMessage("console.tokenFile: ", new ConsoleContext().observe(monitor).engine(engine)
            .tokenFile(Path.of("/no/such/file")));
        final ConsoleContext taken = new ConsoleContext().observe(monitor).engine(engine).port(port());
        assertMessage("console.port: ", taken);
        final ConsoleContext concluded = new ConsoleContext().observe(monitor).port(Tests.freePort()).conclude();
        assertThrows(IllegalStateException.class, () -> concluded.port(1));
        try (ServerSocket socket = new ServerSocket(concluded.port(), 1, InetAddress.getLoopbackAddress()))
        {
            assertMessage("console.port: " + socket.getLocalPort() + ": name a free port (", concluded.engine(engine));
        }
    }

    /** Its thread may not have begun when somebody asks again. */
    @Test
    void shouldDrainOnce() throws HttpError
    {
        final AtomicInteger drains = new AtomicInteger();
        final Operations operations = new Operations(engine.operator(), (timeoutNs) -> drains.incrementAndGet());
        final Map<String, String> drain = Map.of("action", "drain", "seconds", "3");
        assertEquals("drain within 3 s", operations.run(drain, "a test"));
        assertEquals(409, assertThrows(HttpError.class, () -> operations.run(drain, "a test")).status());
        Tests.await(() -> 1 == drains.get(), "the drain");
    }

    /** Wherever it is pasted, a name is no markup. */
    @Test
    void shouldEscapeNamesInItsAnswers() throws Exception
    {
        final String about = api.get("/api/about", api.view()).body();
        assertTrue(about.contains("onerror"), about);
        for (final String sign : List.of("<", ">", "&", "'"))
        {
            assertFalse(about.contains(sign), about);
        }
        assertTrue(Api.map(api.get("/api/about", api.view())).toString().contains(HOSTILE));
    }

    /** The console's drain is the engine's, and the page is there until the program ends it. */
    @Test
    void shouldDrain() throws Exception
    {
        final MonitorContext monitor = new MonitorContext();
        final ConsoleContext context = new ConsoleContext().observe(monitor);
        try (Engine other = launch(monitor); Console open = Console.launch(context.engine(other)))
        {
            other.openRoom(TYPE);
            final URI uri = URI.create("http://127.0.0.1:" + open.port() + "/api/operate");
            final HttpRequest.Builder drain = HttpRequest.newBuilder(uri).header("Content-Type", "application/json")
                .header("Origin", "http://127.0.0.1:" + open.port())
                .header("Authorization", "Bearer " + Api.token(open.url()))
                .POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"drain\",\"seconds\":\"0\"}"));
            assertEquals(200, api.send(drain).statusCode());
            Tests.await(() -> !other.isAlive(), "the drain");
            assertEquals(409, api.send(drain).statusCode());
        }
    }

    private static void assertMessage(final String start, final ConsoleContext context)
    {
        final String message = assertThrows(ConfigException.class, () -> Console.launch(context)).getMessage();
        assertTrue(message.startsWith(start), message);
    }

    private static List<?> curve(final Map<?, ?> loop)
    {
        return null == loop ? List.of() : (List<?>)((List<?>)loop.get("curves")).get(0);
    }

    private static int port()
    {
        return console.port();
    }

    private int status(final String path)
    {
        try
        {
            return api.get(path, api.view()).statusCode();
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** A request with headers that the JDK's client would not send. Returns the status. */
    private static int raw(final String method, final String path, final String... headers) throws IOException
    {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port()))
        {
            socket.setSoTimeout((int)TimeUnit.SECONDS.toMillis(10));
            socket.getOutputStream().write((method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", headers) +
                "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            final String line = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
            return Integer.parseInt(line.split(" ")[1]);
        }
    }

    /** Runs frames and stays until it is closed. */
    private static final class Framed implements RoomLogic
    {
        private boolean isBusy;
        private double value;

        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            room.frameRate(60);
            isBusy = BUSY.capacity() == length;
            if (ASKING.capacity() == length)
            {
                room.async(SERVICE, 2, args, offset, length);
                room.async(SERVICE, 3, args, offset, length);
            }
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            for (int i = 0; isBusy && i < 200_000; i++)
            {
                value = Math.sqrt(value + i);
            }
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new IllegalStateException("nobody plays here");
        }
    }
}
