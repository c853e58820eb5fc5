package io.escapement.rooms;

/** Why a seat was freed. The order is part of the wire and of logs: new ones go to the end. */
public enum LeaveReason
{
    /** The player asked to leave. */
    LEFT,

    /** The room or an operator removed the player. */
    KICKED,

    /** The player was away for longer than the grace. */
    GRACE_EXPIRED,

    /** The room closed. */
    ROOM_CLOSED,

    /** The room's logic threw. */
    ROOM_FAILED
}
