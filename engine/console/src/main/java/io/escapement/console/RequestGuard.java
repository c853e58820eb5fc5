package io.escapement.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Locale;

/** Checks who asks, and through which name, before a request reaches anything. */
final class RequestGuard
{
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;
    private static final List<String> LOOPBACK_NAMES = List.of("127.0.0.1", "localhost", "[::1]");

    private final Tokens tokens;
    private final List<String> hosts;
    private final int port;

    RequestGuard(final Tokens tokens, final List<String> hosts, final int port)
    {
        this.tokens = tokens;
        this.hosts = List.copyOf(hosts);
        this.port = port;
    }

    /** Refuse a request that reached this server by a name that is not its own, or comes from another site's page. */
    void checkSite(final HttpExchange exchange) throws HttpError
    {
        final Headers headers = exchange.getRequestHeaders();
        final List<String> named = headers.getOrDefault("Host", List.of());
        final String host = 1 == named.size() ? named.get(0).toLowerCase(Locale.ROOT) : "";
        final boolean isLoopback = isLoopbackName(host);
        if (!isLoopback && !hosts.contains(host))
        {
            throw new HttpError(MISDIRECTED, "no such host here: use a loopback name, or allow the host");
        }
        final List<String> origins = headers.getOrDefault("Origin", List.of());
        final boolean isNeeded = !"GET".equals(exchange.getRequestMethod());
        // A proxy that ends TLS has https.
        final boolean isOwn = origins.isEmpty() ? !isNeeded : origins.equals(List.of("http://" + host)) ||
            !isLoopback && origins.equals(List.of("https://" + host));
        if (!isOwn)
        {
            throw new HttpError(FORBIDDEN, "not from a page of this server");
        }
    }

    /** The role of a request, which has one of the tokens. */
    Tokens.Role checkToken(final HttpExchange exchange) throws HttpError
    {
        final Tokens.Role role = tokens.roleOf(exchange.getRequestHeaders().getFirst("Authorization"));
        if (null == role)
        {
            throw new HttpError(UNAUTHORIZED, "needs a token: open the URL that the program printed");
        }
        return role;
    }

    /** Refuse a request of somebody who may only look. */
    void checkOperator(final Tokens.Role role) throws HttpError
    {
        if (Tokens.Role.OPERATE != role)
        {
            throw new HttpError(FORBIDDEN, "this token may look, and operate nothing");
        }
    }

    private boolean isLoopbackName(final String host)
    {
        for (final String name : LOOPBACK_NAMES)
        {
            if (host.equals(name + ":" + port))
            {
                return true;
            }
        }
        return false;
    }
}
