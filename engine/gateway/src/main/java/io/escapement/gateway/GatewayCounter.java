package io.escapement.gateway;

import io.escapement.codecs.player.CloseCode;
import io.escapement.http.Metrics;
import java.util.Locale;
import java.util.Map;

/**
 * The counters of a gateway. The metric of a counter has the same name, in lower case after {@code escapement_gateway_}
 * and before {@code _total}. Counters of closes are one metric, {@code closes}, with the code as its label.
 */
enum GatewayCounter
{
    CONNECTIONS_ACCEPTED("Sockets that were accepted."),
    /** The next attempt is a second later. */
    ACCEPTS_FAILED("Attempts to accept a socket that failed because no descriptor was left."),
    CONNECTIONS_OVER_LIMIT("Connections over the limit of greeted connections, refused with 503 or FULL."),
    CONNECTIONS_DISPLACED("Sockets without a Hello that were closed to make room for another socket."),
    CONNECTIONS_OVER_ADDRESS_LIMIT("Sockets over the limits of their address or network, closed at once."),
    CONNECTIONS_OVER_TOTAL_QUEUE(
        "Connections that were closed as SLOW_CONSUMER because all queues of their worker together were too long."),
    CONNECTIONS_MOVED("Connections that resume a session of another worker, to which they moved."),
    PROXY_HEADERS_REFUSED("Connections of configured proxies whose header names no client address."),
    REQUESTS("HTTP requests."),
    HOSTS_REFUSED("Upgrades with a Host that is not allowed, with several, or with none."),
    ORIGINS_REFUSED("Upgrades with an Origin that is not allowed, or with several."),
    WEBSOCKETS_REFUSED("Upgrades to another version of WebSockets, or without a valid key."),
    RESUME_TOKENS_UNKNOWN("Upgrades with a resume token of no session."),
    REQUESTS_REFUSED("HTTP requests that are answered with an error."),
    MESSAGES_RECEIVED("Messages of players."),
    RECEIVED_BYTES("Bytes of players' messages."),
    MESSAGES_SENT("Messages to players."),
    SENT_BYTES("Bytes of messages to players."),
    REQUESTS_OF_PLAYERS_REFUSED("Requests of players that the gateway refused."),
    RATE_LIMITED("Messages over the rate of their connection."),
    LOG_INS("Log-ins that succeeded."),
    LOG_INS_REFUSED("Log-ins that were refused."),
    SESSIONS_OPENED("Sessions that were opened."),
    SESSIONS_RESUMED("Sessions that were resumed on another connection."),
    SESSIONS_EXPIRED("Sessions that expired without a connection."),
    SESSIONS_REPLACED("Sessions that another log-in of the same player closed."),
    STATES_DROPPED("States that a player's full queue did not take."),
    STATE_LOST_SENT("StateLost messages to rooms whose states were dropped."),
    /** Reading stops then. */
    BACK_PRESSURED("Batches of the trunk that the engine did not take at once."),
    TRUNK_LOST("Trunks that were lost."),
    FEED_GAPS("Gaps in the numbers of packets of the engine's feeds."),
    FEEDS_LEFT("Feeds that fell silent, so that states came on the trunk again."),
    CLOSED_NORMAL(CloseCode.NORMAL),
    CLOSED_GOING_AWAY(CloseCode.GOING_AWAY),
    CLOSED_PROTOCOL_ERROR(CloseCode.PROTOCOL_ERROR),
    CLOSED_TEXT(CloseCode.TEXT),
    CLOSED_TOO_BIG(CloseCode.TOO_BIG),
    CLOSED_FULL(CloseCode.FULL),
    CLOSED_HANDSHAKE_TIMEOUT(CloseCode.HANDSHAKE_TIMEOUT),
    CLOSED_PROTOCOL_VERSION(CloseCode.PROTOCOL_VERSION),
    CLOSED_MALFORMED(CloseCode.MALFORMED),
    CLOSED_FLOOD(CloseCode.FLOOD),
    CLOSED_SLOW_CONSUMER(CloseCode.SLOW_CONSUMER),
    CLOSED_REPLACED(CloseCode.REPLACED),
    CLOSED_ENGINE_LOST(CloseCode.ENGINE_LOST),
    CLOSED_IDLE(CloseCode.IDLE),
    CLOSED_NOT_LOGGED_IN(CloseCode.NOT_LOGGED_IN),
    CLOSED_STOPPING(CloseCode.STOPPING);

    private final String metric;
    private final String help;
    private final Map<String, String> labels;

    GatewayCounter(final String help)
    {
        metric = name().toLowerCase(Locale.ROOT);
        this.help = help;
        labels = Map.of();
    }

    GatewayCounter(final CloseCode code)
    {
        metric = "closes";
        help = "Connections of players that were closed, by code.";
        labels = Map.of("code", code.name());
    }

    /** Add this counter to the metrics. */
    void put(final Metrics metrics, final long value)
    {
        metrics.counter(GatewayMetrics.PREFIX + metric + "_total", help).value(labels, value);
    }
}
