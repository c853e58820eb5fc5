package io.escapement.codecs;

/**
 * Why a gateway itself refused a player's request. The numbers continue those of
 * {@link io.escapement.codecs.trunk.TrunkCode}. Codes of the trunk, the engine and the application pass through a
 * gateway unchanged.
 */
public enum GatewayCode
{
    /** Join before a log-in that succeeded. */
    NOT_LOGGED_IN(192),

    /** The session has another player, or another log-in is open. */
    ALREADY_LOGGED_IN(193),

    /** The connection or its address exceeds its log-ins. */
    TOO_MANY_LOG_INS(194),

    /** The session exceeds its rooms. */
    TOO_MANY_ROOMS(195),

    /** The gateway has no trunk to the engine now, or no answer in time. */
    ENGINE_UNREACHABLE(196),

    /** The gateway's queue is full. */
    TRY_LATER(197);

    private final int value;

    GatewayCode(final int value)
    {
        this.value = value;
    }

    /** The code on the wire. */
    public int value()
    {
        return value;
    }
}
