package io.escapement.rooms;

/** Why a seat was freed. Ordinals are on the wire and in logs: append new reasons at the end. */
public enum LeaveReason
{
    /** The player left. */
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
