package io.escapement.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An answer: a status with a body, or a stream, which lasts until the client or the server is gone.
 *
 * @param status  of the answer.
 * @param headers by name. More can be put.
 * @param body    which does not change any more.
 * @param opened  is given the stream when its head is sent, in the thread of the connections. Null for no stream.
 */
public record HttpAnswer(int status, Map<String, String> headers, byte[] body, Consumer<HttpStream> opened)
{
    private static final int OK = 200;

    private static HttpAnswer of(
        final int status, final String contentType, final byte[] body, final Consumer<HttpStream> opened)
    {
        return new HttpAnswer(status, new HashMap<>(Map.of("Content-Type", contentType)), body, opened);
    }

    /**
     * An answer with a body.
     *
     * @param contentType of the body.
     * @param body        which does not change any more.
     */
    public static HttpAnswer of(final String contentType, final byte[] body)
    {
        return of(OK, contentType, body, null);
    }

    /**
     * An answer with a line of text.
     *
     * @param status of the answer.
     * @param line   without its end.
     */
    public static HttpAnswer text(final int status, final String line)
    {
        return of(status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8), null);
    }

    /**
     * A stream. Only {@link HttpHandler#answerNow} may return it.
     *
     * @param contentType of the stream.
     * @param opened      is given the stream when its head is sent, in the thread of the connections.
     */
    public static HttpAnswer stream(final String contentType, final Consumer<HttpStream> opened)
    {
        return of(OK, contentType, new byte[0], opened);
    }

    /**
     * Put a header.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this answer.
     */
    public HttpAnswer header(final String name, final String value)
    {
        headers.put(name, value);
        return this;
    }
}
