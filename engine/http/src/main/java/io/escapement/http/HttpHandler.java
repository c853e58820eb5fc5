package io.escapement.http;

import java.util.List;
import java.util.Map;

/** Answers the requests of a server. */
public interface HttpHandler
{
    /**
     * Answer a request in the thread of all connections, or leave it to a worker. This method must not wait.
     *
     * @param request whole.
     * @return the answer, or null to have {@link #answer} called in a worker.
     * @throws HttpError to answer with an error.
     */
    HttpAnswer answerNow(HttpRequest request) throws HttpError;

    /**
     * Answer a request in a worker. This method may wait. It is interrupted when the server is closed.
     *
     * @param request to which {@link #answerNow} returned null.
     * @return the answer.
     * @throws HttpError to answer with an error.
     */
    HttpAnswer answer(HttpRequest request) throws HttpError;

    /** Methods of requests. A request with another method is refused. */
    default List<String> methods()
    {
        return List.of("GET", "HEAD");
    }

    /** Headers of each answer that does not set them itself, errors included. */
    default Map<String, String> headers()
    {
        return Map.of();
    }
}
