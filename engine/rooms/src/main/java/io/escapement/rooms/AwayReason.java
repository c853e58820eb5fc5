package io.escapement.rooms;

/** Why a player cannot be reached. Ordinals are on the wire and in logs: append new reasons at the end. */
public enum AwayReason
{
    /** The connection was lost. */
    LINK_DOWN,

    /** The player rejoined through another link. */
    MOVED,

    /** An event to the seat exceeded the room's output limit. */
    EVENT_LOST
}
