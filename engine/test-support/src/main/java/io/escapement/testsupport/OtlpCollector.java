package io.escapement.testsupport;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector of OpenTelemetry that keeps the bodies of accepted exports. */
public final class OtlpCollector implements AutoCloseable
{
    private static final int OK = 200;

    private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
    private final List<String> types = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private volatile int status = OK;

    /** Listen on the loopback interface. */
    public OtlpCollector()
    {
        try
        {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
        server.createContext("/v1/metrics", (exchange) ->
        {
            final byte[] body = exchange.getRequestBody().readAllBytes();
            if (OK == status)
            {
                types.add(exchange.getRequestMethod() + " " + exchange.getRequestHeaders().getFirst("Content-Type"));
                bodies.add(body);
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    /** Its address without a path. */
    public String url()
    {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /**
     * Answer with this status from now on. Only 200 takes an export.
     *
     * @param value of HTTP.
     */
    public void status(final int value)
    {
        status = value;
    }

    /** The bodies of all exports. */
    public List<byte[]> bodies()
    {
        return bodies;
    }

    /** The methods and content types of all exports. */
    public List<String> types()
    {
        return types;
    }

    @Override
    public void close()
    {
        server.stop(0);
    }
}
