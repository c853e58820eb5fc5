package io.escapement.console;

import io.escapement.http.HttpError;
import io.escapement.http.HttpRequest;
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

    RequestGuard(final Tokens tokens, final List<String> hosts)
    {
        this.tokens = tokens;
        this.hosts = List.copyOf(hosts);
    }

    /** Refuse a request that reached this server by a foreign name, or was sent from another site's page. */
    void checkSite(final HttpRequest request) throws HttpError
    {
        final String host = request.headers().getOrDefault("host", "").toLowerCase(Locale.ROOT);
        final boolean isLoopback = isLoopbackName(host, request.port());
        if (!isLoopback && !hosts.contains(host))
        {
            throw new HttpError(MISDIRECTED, "no such host here: use a loopback name, or allow the host");
        }
        final String origin = request.headers().get("origin");
        final boolean isNeeded = !"GET".equals(request.method());
        // A proxy that ends TLS has https.
        final boolean isOwn = null == origin ? !isNeeded :
            origin.equals("http://" + host) || !isLoopback && origin.equals("https://" + host);
        if (!isOwn)
        {
            throw new HttpError(FORBIDDEN, "not from a page of this server");
        }
    }

    /** The role of a request, by its token. */
    Tokens.Role checkToken(final HttpRequest request) throws HttpError
    {
        final Tokens.Role role = tokens.roleOf(request.headers().get("authorization"));
        if (null == role)
        {
            throw new HttpError(UNAUTHORIZED, "needs a token: open the URL that the server printed");
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

    private static boolean isLoopbackName(final String host, final int port)
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
