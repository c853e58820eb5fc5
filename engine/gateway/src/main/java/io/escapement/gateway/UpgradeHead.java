package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The head of an upgrade to a WebSocket: its required headers, and its optional resume token. */
final class UpgradeHead
{
    /** The version that all browsers have. */
    static final String VERSION = "13";
    /** 16 bytes in base64. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");

    private final HttpHeaders headers;
    private final GatewayContext context;
    private final GatewayCounters counters;

    UpgradeHead(final HttpHeaders headers, final GatewayContext context, final GatewayCounters counters)
    {
        this.headers = headers;
        this.context = context;
        this.counters = counters;
    }

    /** The status with which the upgrade is refused, and counted. Null if it is accepted. */
    HttpResponseStatus refusal()
    {
        final List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        final boolean hasOneHost = 1 == hosts.size();
        if (!hasOneHost || !context.hosts().has(hosts.get(0)))
        {
            counters.increment(GatewayCounter.HOSTS_REFUSED);
            return hasOneHost ? HttpResponseStatus.MISDIRECTED_REQUEST : HttpResponseStatus.BAD_REQUEST;
        }
        if (!isAllowed(headers.getAll(HttpHeaderNames.ORIGIN), hosts.get(0), context.origins()))
        {
            counters.increment(GatewayCounter.ORIGINS_REFUSED);
            return HttpResponseStatus.FORBIDDEN;
        }
        if (!headers.containsValue(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, PlayerMessages.SUBPROTOCOL, false))
        {
            return HttpResponseStatus.BAD_REQUEST;
        }
        final boolean isVersion = List.of(VERSION).equals(headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION));
        final List<String> keys = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        if (!isVersion || 1 != keys.size() || !KEY.matcher(keys.get(0)).matches())
        {
            counters.increment(GatewayCounter.WEBSOCKETS_REFUSED);
            return isVersion ? HttpResponseStatus.BAD_REQUEST : HttpResponseStatus.UPGRADE_REQUIRED;
        }
        return null;
    }

    /** A page of this gateway, a listed origin, or a client that is no browser. */
    static boolean isAllowed(final List<String> values, final String host, final List<String> origins)
    {
        if (values.isEmpty())
        {
            return true;
        }
        final String lower = values.get(0).toLowerCase(Locale.ROOT);
        final String lowerHost = host.toLowerCase(Locale.ROOT);
        return 1 == values.size() && (lower.equals("https://" + lowerHost) || lower.equals("http://" + lowerHost) ||
            origins.contains(lower));
    }

    /** The resume token among the subprotocols, in hexadecimal digits, or null. */
    String resumeToken()
    {
        for (final String header : headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL))
        {
            for (final String offered : header.split(","))
            {
                if (offered.trim().startsWith(PlayerMessages.RESUME_SUBPROTOCOL))
                {
                    return offered.trim().substring(PlayerMessages.RESUME_SUBPROTOCOL.length());
                }
            }
        }
        return null;
    }
}
