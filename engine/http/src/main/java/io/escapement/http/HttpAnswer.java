package io.escapement.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** An answer: a status with a body, or a stream. */
public final class HttpAnswer
{
    private static final int OK = 200;

    private final int status;
    private final byte[] body;
    private final Consumer<HttpStream> opened;
    private final Map<String, String> valueByHeaderMap = new HashMap<>();

    private HttpAnswer(
        final int status, final String contentType, final byte[] body, final Consumer<HttpStream> opened)
    {
        this.status = status;
        this.body = body;
        this.opened = opened;
        header("Content-Type", contentType);
    }

    /**
     * An answer with a body.
     *
     * @param contentType of the body.
     * @param body        which does not change any more.
     */
    public static HttpAnswer of(final String contentType, final byte[] body)
    {
        return new HttpAnswer(OK, contentType, body, null);
    }

    /**
     * An answer with a line of text.
     *
     * @param status of the answer.
     * @param line   without its end.
     */
    public static HttpAnswer text(final int status, final String line)
    {
        return new HttpAnswer(
            status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8), null);
    }

    /**
     * A stream, which lasts until the client or the server is gone. Only {@link HttpHandler#answerNow} may return it.
     *
     * @param contentType of the stream.
     * @param opened      is given the stream when its head is sent. In the thread of the connections.
     */
    public static HttpAnswer stream(final String contentType, final Consumer<HttpStream> opened)
    {
        return new HttpAnswer(OK, contentType, new byte[0], opened);
    }

    /**
     * Set a header.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return this answer.
     */
    public HttpAnswer header(final String name, final String value)
    {
        valueByHeaderMap.put(name, value);
        return this;
    }

    int status()
    {
        return status;
    }

    byte[] body()
    {
        return body;
    }

    Consumer<HttpStream> opened()
    {
        return opened;
    }

    Map<String, String> headers()
    {
        return valueByHeaderMap;
    }
}
