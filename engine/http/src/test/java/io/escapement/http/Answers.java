package io.escapement.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A handler, with workers whose steps the test runs. */
final class Answers implements HttpHandler, Executor
{
    static final String TYPE = "text/html";

    final List<HttpRequest> requests = new ArrayList<>();
    final List<HttpStream> streams = new ArrayList<>();
    final Deque<Runnable> queue = new ArrayDeque<>();
    boolean isFull;

    @Override
    public HttpAnswer answerNow(final HttpRequest request) throws HttpError
    {
        requests.add(request);
        return switch (request.path())
        {
            case "/health" -> HttpAnswer.text(200, "yes");
            case "/slow" -> null;
            case "/stream" -> HttpAnswer.stream("application/x-ndjson", streams::add);
            case "/fault" -> throw new IllegalStateException("a fault of the handler");
            default -> throw new HttpError(404, "nothing here");
        };
    }

    @Override
    public HttpAnswer answer(final HttpRequest request) throws HttpError
    {
        if (request.query().contains("busy"))
        {
            throw new HttpError(HttpError.BUSY, "busy");
        }
        return HttpAnswer.of(TYPE, "slow work".getBytes(StandardCharsets.US_ASCII)).header("X-One", "own");
    }

    @Override
    public List<String> methods()
    {
        return List.of("GET", "HEAD", "POST");
    }

    @Override
    public Map<String, String> headers()
    {
        return Map.of("X-One", "of all", "X-Two", "of all");
    }

    @Override
    public void execute(final Runnable task)
    {
        if (isFull)
        {
            throw new RejectedExecutionException("full");
        }
        queue.add(task);
    }

    void work()
    {
        queue.remove().run();
    }
}
