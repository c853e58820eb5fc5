package io.escapement.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineOperator;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Answers requests: the page's files for anybody who reaches this server, data for whoever has a token. */
final class Requests implements HttpHandler
{
    /** An operation has a few short values. */
    static final int MAX_BODY = 1_024;

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";
    private static final int MAX_STACK = 24;
    private static final int MAX_CAUSES = 2;
    private static final String RETRY_SECONDS = "1";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD = 405;
    private static final int TOO_LARGE = 413;
    private static final int MEDIA_TYPE = 415;

    private final Page page;
    private final RoomViews views;
    private final Engine engine;
    private final EngineOperator operator;
    private final LatencyHistory history;
    private final Reports reports;
    private final RequestGuard guard;
    private final EventStreams streams;
    private final Operations operations;
    private final SharedAnswers answers = new SharedAnswers();

    Requests(
        final Engine engine,
        final LatencyHistory history,
        final Reports reports,
        final RequestGuard guard,
        final EventStreams streams,
        final Operations operations,
        final Page page,
        final RoomViews views)
    {
        this.page = page;
        this.views = views;
        this.engine = engine;
        operator = engine.operator();
        this.history = history;
        this.reports = reports;
        this.guard = guard;
        this.streams = streams;
        this.operations = operations;
    }

    @Override
    public void handle(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            headers(exchange.getResponseHeaders());
            try
            {
                answer(exchange);
            }
            catch (final HttpError ex)
            {
                if (METHOD == ex.status())
                {
                    exchange.getResponseHeaders().set("Allow", "GET, POST");
                }
                if (HttpError.BUSY == ex.status())
                {
                    exchange.getResponseHeaders().set("Retry-After", RETRY_SECONDS);
                }
                send(exchange, ex.status(), "text/plain; charset=utf-8", ex.getMessage() + "\n");
            }
        }
    }

    private void answer(final HttpExchange exchange) throws HttpError, IOException
    {
        guard.checkSite(exchange);
        final String path = exchange.getRequestURI().getPath();
        final boolean isPost = "POST".equals(exchange.getRequestMethod());
        if (!isPost && !"GET".equals(exchange.getRequestMethod()))
        {
            throw new HttpError(METHOD, "use GET or POST");
        }
        final Page.File file = isPost ? null : page.file(path);
        if (null != file)
        {
            exchange.getResponseHeaders().set("Cache-Control", "no-cache");
            send(exchange, OK, file.contentType(), file.bytes());
            return;
        }
        final Tokens.Role role = guard.checkToken(exchange);
        if (isPost != "/api/operate".equals(path))
        {
            throw isPost || "/api/operate".equals(path) ? new HttpError(METHOD, "POST is for /api/operate alone") :
                new HttpError(NOT_FOUND, "nothing here");
        }
        switch (path)
        {
            case "/api/about" -> about(exchange, role);
            case "/api/events" -> events(exchange);
            case "/api/history" -> history(exchange);
            case "/api/rooms" -> rooms(exchange);
            case "/api/costs" -> costs(exchange);
            case "/api/room" -> room(exchange);
            case "/api/view" -> view(exchange);
            case "/api/trunks" -> share(exchange, path, reports::trunks);
            case "/api/storage" -> share(exchange, path, reports::storage);
            case "/api/counters" -> share(exchange, path, this::counters);
            case "/api/faults" -> share(exchange, path, this::faults);
            case "/api/operate" -> operate(exchange, role);
            default -> throw new HttpError(NOT_FOUND, "nothing here");
        }
    }

    private void about(final HttpExchange exchange, final Tokens.Role role) throws IOException
    {
        final JsonText json = new JsonText(1_024).begin('{')
            .name("isOperator").flag(Tokens.Role.OPERATE == role)
            .name("loops").number((long)engine.loops())
            .name("pid").number(ProcessHandle.current().pid())
            .name("java").text(System.getProperty("java.vm.name") + " " + Runtime.version())
            .name("types").begin('[');
        for (final RoomType type : operator.roomTypes())
        {
            json.begin('{').name("id").number((long)type.id()).name("name").text(type.name())
                .name("seats").number((long)type.seats()).name("view").text(views.module(type.id())).end('}');
        }
        send(exchange, json.end(']').end('}'));
    }

    private void events(final HttpExchange exchange) throws HttpError, IOException
    {
        final int place = streams.enter();
        if (EventStreams.LIMIT == place)
        {
            throw new HttpError(HttpError.BUSY, "more than " + EventStreams.LIMIT + " pages are open");
        }
        try
        {
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
            exchange.sendResponseHeaders(OK, 0);
            streams.run(place, exchange.getResponseBody());
        }
        finally
        {
            streams.leave(place);
        }
    }

    private void history(final HttpExchange exchange) throws IOException, HttpError
    {
        final int loop = loop(query(exchange));
        final long second = history.second();
        final JsonText json = new JsonText(LatencyHistory.COLUMNS * 64).begin('{')
            .name("second").number(second).name("columns").begin('[');
        for (long i = second - LatencyHistory.COLUMNS + 1; i <= second; i++)
        {
            Sampler.column(json, history.column(loop, i));
        }
        send(exchange, json.end(']').end('}'));
    }

    private void rooms(final HttpExchange exchange) throws IOException, HttpError
    {
        final Map<String, String> query = query(exchange);
        final int loop = loop(query);
        final int type = type(query);
        final int from = (int)Operations.number(query, "from", 0, Integer.MAX_VALUE);
        share(exchange, "rooms " + loop + " " + type + " " + from, () -> reports.rooms(loop, type, from));
    }

    private void costs(final HttpExchange exchange) throws IOException, HttpError
    {
        final Map<String, String> query = query(exchange);
        final int loop = loop(query);
        final int type = type(query);
        share(exchange, "costs " + loop + " " + type, () -> reports.costs(loop, type));
    }

    private void room(final HttpExchange exchange) throws IOException, HttpError
    {
        final long roomId = Operations.number(query(exchange), "id", 1, Long.MAX_VALUE);
        share(exchange, "room " + roomId, () -> reports.room(roomId));
    }

    private void view(final HttpExchange exchange) throws IOException, HttpError
    {
        final Map<String, String> query = query(exchange);
        send(exchange, OK, BYTES,
            views.read(Operations.number(query, "id", 1, Long.MAX_VALUE), type(query), System.nanoTime()));
    }

    private static int type(final Map<String, String> query) throws HttpError
    {
        return (int)Operations.number(query, "type", Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private int loop(final Map<String, String> query) throws HttpError
    {
        return (int)Operations.number(query, "loop", 0, engine.loops() - 1);
    }

    private JsonText counters()
    {
        final JsonText json = new JsonText(16_384).begin('[');
        operator.forEachCounter((typeId, label, isGauge, value) ->
            json.begin('{').name("type").number((long)typeId).name("label").text(label)
                .name("isGauge").flag(isGauge).name("value").number(value).end('}'));
        return json.end(']');
    }

    private JsonText faults()
    {
        final JsonText json = new JsonText(8_192).begin('{').name("faults").begin('[');
        for (final EngineOperator.Fault fault : operator.faults())
        {
            final Throwable cause = fault.cause();
            json.begin('{').name("timeMs").number(fault.timeMs()).name("kind").text(cause.getClass().getSimpleName())
                .name("text").text(cause.getMessage()).name("stack").begin('[');
            stack(json, cause);
            json.end(']').end('}');
        }
        json.end(']').name("operations").begin('[');
        for (final Operations.Done one : operations.last())
        {
            json.begin('{').name("timeMs").number(one.timeMs()).name("who").text(one.who())
                .name("what").text(one.what()).end('}');
        }
        return json.end(']').end('}');
    }

    /** Where a fault was thrown, and its causes: a failure of a room has the throw of the room's code as its cause. */
    private static void stack(final JsonText json, final Throwable fault)
    {
        Throwable thrown = fault;
        for (int depth = 0; null != thrown && depth <= MAX_CAUSES; depth++)
        {
            if (thrown != fault)
            {
                json.text("Caused by: " + thrown);
            }
            final StackTraceElement[] stack = thrown.getStackTrace();
            for (int i = 0; i < Math.min(MAX_STACK, stack.length); i++)
            {
                json.text(stack[i].toString());
            }
            thrown = thrown.getCause();
        }
    }

    private void operate(final HttpExchange exchange, final Tokens.Role role) throws IOException, HttpError
    {
        guard.checkOperator(role);
        final String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (null == type || !JSON.equals(type.split(";", 2)[0].trim()))
        {
            throw new HttpError(MEDIA_TYPE, "use " + JSON);
        }
        final byte[] body;
        try (InputStream in = exchange.getRequestBody())
        {
            body = in.readNBytes(MAX_BODY + 1);
            if (body.length > MAX_BODY)
            {
                throw new HttpError(TOO_LARGE, "at most " + MAX_BODY + " bytes");
            }
        }
        final Map<String, String> request = FlatJson.parse(new String(body, StandardCharsets.UTF_8));
        if (null == request)
        {
            throw new HttpError(BAD_REQUEST, "use one JSON object whose values are strings");
        }
        final String who = "operator at " + exchange.getRemoteAddress().getAddress().getHostAddress();
        final String done = operations.run(request, who);
        answers.forget();
        send(exchange, new JsonText(128).begin('{').name("done").text(done).end('}'));
    }

    private static Map<String, String> query(final HttpExchange exchange)
    {
        final Map<String, String> values = new HashMap<>();
        final String query = exchange.getRequestURI().getRawQuery();
        for (final String part : null == query ? new String[0] : query.split("&"))
        {
            final int at = part.indexOf('=');
            if (at > 0)
            {
                values.put(part.substring(0, at), part.substring(at + 1));
            }
        }
        return values;
    }

    private static void headers(final Headers headers)
    {
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /** Makes the text of an answer. */
    @FunctionalInterface
    private interface Report
    {
        JsonText make() throws HttpError;
    }

    private void share(final HttpExchange exchange, final String question, final Report report)
        throws IOException, HttpError
    {
        send(exchange, OK, JSON, answers.get(question, System.nanoTime(),
            () -> report.make().toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static void send(final HttpExchange exchange, final JsonText json) throws IOException
    {
        send(exchange, OK, JSON, json.toString());
    }

    private static void send(
        final HttpExchange exchange, final int status, final String contentType, final String text) throws IOException
    {
        send(exchange, status, contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(
        final HttpExchange exchange, final int status, final String contentType, final byte[] bytes) throws IOException
    {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
