package io.escapement.gateway;

import java.util.Locale;

/** The counters of a gateway. Their metrics have the same names, in lower case behind {@code escapement_gateway_}. */
enum GatewayCounter
{
    /** Sockets that were accepted. */
    CONNECTIONS_ACCEPTED,
    /** Attempts to accept a socket that failed: no descriptor was left. The next is a second later. */
    ACCEPTS_FAILED,
    /** Connections over the limit of greeted connections: refused with 503 or FULL. */
    CONNECTIONS_OVER_LIMIT,
    /** Sockets without a Hello that were closed to make room for another one. */
    CONNECTIONS_DISPLACED,
    /** Sockets that were closed at once: too many of their address or their network. */
    CONNECTIONS_OVER_ADDRESS_LIMIT,
    /** Connections that were closed as SLOW_CONSUMER since all queues of their worker together were too long. */
    CONNECTIONS_OVER_TOTAL_QUEUE,
    /** Connections that resume a session of another worker, to which they went. */
    CONNECTIONS_MOVED,
    /** Connections of configured proxies whose header names no client's address. */
    PROXY_HEADERS_REFUSED,
    /** Requests of HTTP. */
    REQUESTS,
    /** Upgrades with a Host that is not allowed, with several, or with none. */
    HOSTS_REFUSED,
    /** Upgrades with an Origin that is not let in, or with several. */
    ORIGINS_REFUSED,
    /** Upgrades to another version of WebSockets, or without a valid key. */
    WEBSOCKETS_REFUSED,
    /** Upgrades with a resume token of no session, which is of no use to them. */
    RESUME_TOKENS_UNKNOWN,
    /** Requests that are answered with an error. */
    REQUESTS_REFUSED,
    MESSAGES_RECEIVED,
    BYTES_RECEIVED,
    MESSAGES_SENT,
    BYTES_SENT,
    /** Requests of players that the gateway refused. */
    REQUESTS_OF_PLAYERS_REFUSED,
    /** Messages over the rate of their connection. */
    RATE_LIMITED,
    LOG_INS,
    LOG_INS_REFUSED,
    SESSIONS_OPENED,
    SESSIONS_RESUMED,
    SESSIONS_EXPIRED,
    /** Sessions that another log-in of the same player ended. */
    SESSIONS_REPLACED,
    /** States that a player's full queue did not take. */
    STATES_DROPPED,
    STATE_LOST_SENT,
    /** Batches of the trunk that the engine did not take at once: reading stopped. */
    BACK_PRESSURED,
    TRUNK_LOST,
    CLOSED_NORMAL,
    CLOSED_GOING_AWAY,
    CLOSED_PROTOCOL_ERROR,
    CLOSED_TEXT,
    CLOSED_TOO_BIG,
    CLOSED_FULL,
    CLOSED_HANDSHAKE_TIMEOUT,
    CLOSED_PROTOCOL_VERSION,
    CLOSED_MALFORMED,
    CLOSED_FLOOD,
    CLOSED_SLOW_CONSUMER,
    CLOSED_REPLACED,
    CLOSED_ENGINE_LOST,
    CLOSED_IDLE,
    CLOSED_NOT_LOGGED_IN,
    CLOSED_STOPPING;

    String metric()
    {
        return "escapement_gateway_" + name().toLowerCase(Locale.ROOT) + "_total";
    }
}
