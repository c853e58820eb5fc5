package io.escapement.console;

import io.escapement.codecs.JsonWriter;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineOperator;
import io.escapement.http.HttpAnswer;
import io.escapement.http.HttpError;
import io.escapement.http.HttpHandler;
import io.escapement.http.HttpRequest;
import io.escapement.rooms.RoomType;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers requests: with the page's files for all clients, and with data for clients that have a token. */
final class Requests implements HttpHandler
{
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String JSON = "application/json";
    private static final String OPERATE = "/api/operate";
    private static final String BYTES = "application/octet-stream";
    private static final int MAX_STACK = 24;
    private static final int MAX_CAUSES = 2;
    private static final String CACHE = "Cache-Control";
    private static final Map<String, String> HEADERS = Map.of(
        "Content-Security-Policy", POLICY,
        "X-Content-Type-Options", "nosniff",
        "Referrer-Policy", "no-referrer",
        "Cross-Origin-Opener-Policy", "same-origin",
        "Cross-Origin-Resource-Policy", "same-origin",
        CACHE, "no-store");
    /** About the year 2242. */
    private static final long MAX_TIME_MS = 1L << 43;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int MEDIA_TYPE = 415;

    private final Page page;
    private final RoomViews views;
    private final PastRooms past;
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
        final PastRooms past)
    {
        this.page = page;
        this.past = past;
        views = past.views();
        this.engine = engine;
        operator = engine.operator();
        this.history = history;
        this.reports = reports;
        this.guard = guard;
        this.streams = streams;
        this.operations = operations;
    }

    @Override
    public List<String> methods()
    {
        return List.of("GET", "POST");
    }

    @Override
    public Map<String, String> headers()
    {
        return HEADERS;
    }

    /** A request refused here does not reach a worker. */
    @Override
    public HttpAnswer answerNow(final HttpRequest request) throws HttpError
    {
        guard.checkSite(request);
        final String path = request.path();
        final boolean isPost = "POST".equals(request.method());
        final Page.File file = isPost ? null : page.file(path);
        if (null != file)
        {
            return HttpAnswer.of(file.contentType(), file.bytes()).header(CACHE, "no-cache");
        }
        final Tokens.Role role = guard.checkToken(request);
        if (isPost != OPERATE.equals(path))
        {
            throw isPost || OPERATE.equals(path) ? new HttpError(HttpError.METHOD, "POST is for /api/operate alone") :
                new HttpError(NOT_FOUND, "nothing here");
        }
        if (isPost)
        {
            guard.checkOperator(role);
        }
        if (!"/api/events".equals(path))
        {
            return null;
        }
        if (streams.isFull())
        {
            throw new HttpError(HttpError.BUSY, "more than " + EventStreams.LIMIT + " pages are open");
        }
        return HttpAnswer.stream("application/x-ndjson", streams::enter);
    }

    @Override
    public HttpAnswer answer(final HttpRequest request) throws HttpError
    {
        final String path = request.path();
        final Map<String, String> query = query(request);
        return switch (path)
        {
            case "/api/about" -> about(guard.checkToken(request));
            case "/api/history" -> history(loop(query));
            case "/api/rooms" -> rooms(query);
            case "/api/costs" -> costs(query);
            case "/api/room" -> room(query);
            case "/api/view" -> HttpAnswer.of(BYTES,
                views.read(roomId(query), type(query), System.nanoTime()));
            case "/api/slow" -> json(reports.slow(loop(query), Operations.number(query, "second", 0, Long.MAX_VALUE)));
            case "/api/past" -> json(past.range(roomId(query)));
            case "/api/past/view" -> HttpAnswer.of(BYTES, past.view(roomId(query), PastRooms.move(query)));
            case "/api/past/values" -> json(past.values(roomId(query), PastRooms.move(query)));
            case "/api/past/lanes" -> json(past.lanes(roomId(query), Operations.number(query, "from", 0, MAX_TIME_MS),
                Operations.number(query, "to", 0, MAX_TIME_MS)));
            case "/api/past/log" -> pastLog(request, query);
            case "/api/trunks" -> share(path, reports::trunks);
            case "/api/storage" -> share(path, reports::storage);
            case "/api/counters" -> share(path, this::counters);
            case "/api/faults" -> share(path, this::faults);
            case OPERATE -> operate(request);
            default -> throw new HttpError(NOT_FOUND, "nothing here");
        };
    }

    private HttpAnswer about(final Tokens.Role role)
    {
        final JsonWriter json = new JsonWriter().begin('{')
            .name("isOperator").flag(Tokens.Role.OPERATE == role)
            .name("hasPast").flag(operator.hasPast())
            .name("loops").number((long)engine.loops())
            .name("pid").number(ProcessHandle.current().pid())
            .name("java").text(System.getProperty("java.vm.name") + " " + Runtime.version())
            .name("types").begin('[');
        for (final RoomType type : operator.roomTypes())
        {
            json.begin('{').name("id").number((long)type.id()).name("name").text(type.name())
                .name("seats").number((long)type.seats()).name("view").text(views.module(type.id())).end('}');
        }
        return json(json.end(']').end('}'));
    }

    private HttpAnswer history(final int loop)
    {
        final long second = history.second();
        final JsonWriter json = new JsonWriter().begin('{')
            .name("second").number(second).name("columns").begin('[');
        for (long i = second - LatencyHistory.COLUMNS + 1; i <= second; i++)
        {
            Sampler.column(json, history.column(loop, i));
        }
        return json(json.end(']').end('}'));
    }

    private HttpAnswer rooms(final Map<String, String> query) throws HttpError
    {
        final int loop = loop(query);
        final int type = type(query);
        final int from = (int)Operations.number(query, "from", 0, Integer.MAX_VALUE);
        return share("rooms " + loop + " " + type + " " + from, () -> reports.rooms(loop, type, from));
    }

    private HttpAnswer costs(final Map<String, String> query) throws HttpError
    {
        final int loop = loop(query);
        final int type = type(query);
        return share("costs " + loop + " " + type, () -> reports.costs(loop, type));
    }

    private HttpAnswer room(final Map<String, String> query) throws HttpError
    {
        final long roomId = roomId(query);
        return share("room " + roomId, () -> reports.room(roomId));
    }

    /** Viewers do not get it, because it contains messages from players. */
    private HttpAnswer pastLog(final HttpRequest request, final Map<String, String> query) throws HttpError
    {
        guard.checkOperator(guard.checkToken(request));
        return HttpAnswer.of(BYTES, past.log(roomId(query), PastRooms.move(query)));
    }

    private static long roomId(final Map<String, String> query) throws HttpError
    {
        return Operations.number(query, "id", 1, Long.MAX_VALUE);
    }

    private static int type(final Map<String, String> query) throws HttpError
    {
        return (int)Operations.number(query, "type", Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private int loop(final Map<String, String> query) throws HttpError
    {
        return (int)Operations.number(query, "loop", 0, engine.loops() - 1);
    }

    private JsonWriter counters()
    {
        final JsonWriter json = new JsonWriter().begin('[');
        operator.forEachCounter((typeId, label, isGauge, value) ->
            json.begin('{').name("type").number((long)typeId).name("label").text(label)
                .name("isGauge").flag(isGauge).name("value").number(value).end('}'));
        return json.end(']');
    }

    private JsonWriter faults()
    {
        final JsonWriter json = new JsonWriter().begin('{').name("faults").begin('[');
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
    private static void stack(final JsonWriter json, final Throwable fault)
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

    private HttpAnswer operate(final HttpRequest request) throws HttpError
    {
        final String type = request.headers().get("content-type");
        if (null == type || !JSON.equals(type.split(";", 2)[0].trim()))
        {
            throw new HttpError(MEDIA_TYPE, "use " + JSON);
        }
        final Map<String, String> values = FlatJson.parse(new String(request.body(), StandardCharsets.UTF_8));
        if (null == values)
        {
            throw new HttpError(BAD_REQUEST, "use one JSON object whose values are strings");
        }
        final String who = "operator at " + request.address().getHostAddress();
        final String done = operations.run(values, who);
        answers.forget();
        return json(new JsonWriter().begin('{').name("done").text(done).end('}'));
    }

    private static Map<String, String> query(final HttpRequest request)
    {
        final Map<String, String> values = new HashMap<>();
        for (final String part : request.query().split("&"))
        {
            final int at = part.indexOf('=');
            if (at > 0)
            {
                values.put(part.substring(0, at), part.substring(at + 1));
            }
        }
        return values;
    }

    /** Makes the text of an answer. */
    @FunctionalInterface
    private interface Report
    {
        JsonWriter make() throws HttpError;
    }

    private HttpAnswer share(final String question, final Report report) throws HttpError
    {
        return HttpAnswer.of(JSON, answers.get(question, System.nanoTime(),
            () -> report.make().toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static HttpAnswer json(final JsonWriter json)
    {
        return HttpAnswer.of(JSON, json.toString().getBytes(StandardCharsets.UTF_8));
    }
}
