package io.escapement.http;

import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.util.List;

/** A whole request. */
public final class HttpRequest
{
    private final io.netty.handler.codec.http.HttpRequest head;
    private final byte[] body;
    private final InetAddress address;
    private final int port;

    HttpRequest(
        final io.netty.handler.codec.http.HttpRequest head,
        final byte[] body,
        final InetAddress address,
        final int port)
    {
        this.head = head;
        this.body = body;
        this.address = address;
        this.port = port;
    }

    /** The method, in upper case. */
    public String method()
    {
        return head.method().name();
    }

    /** The target before its question mark, as it was sent. */
    public String path()
    {
        final int at = head.uri().indexOf('?');
        return at < 0 ? head.uri() : head.uri().substring(0, at);
    }

    /** The target after its question mark, as it was sent. Empty if it has none. */
    public String query()
    {
        return head.uri().substring(Math.min(path().length() + 1, head.uri().length()));
    }

    /**
     * A header's first value.
     *
     * @param name in any case.
     * @return the value, or null.
     */
    public String header(final String name)
    {
        return headers().get(name);
    }

    /**
     * A header's values.
     *
     * @param name in any case.
     * @return the values, in their order.
     */
    public List<String> headers(final String name)
    {
        return headers().getAll(name);
    }

    /** The body. Empty if the request has none. */
    public byte[] body()
    {
        return body;
    }

    /** The client's address. */
    public InetAddress address()
    {
        return address;
    }

    /** The server's port. */
    public int port()
    {
        return port;
    }

    private HttpHeaders headers()
    {
        return head.headers();
    }
}
