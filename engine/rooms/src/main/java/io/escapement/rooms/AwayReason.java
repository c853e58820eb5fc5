package io.escapement.rooms;

/** Why a seat went away while it is held. The order is part of the wire and of logs: new ones go to the end. */
public enum AwayReason
{
    /** The link was lost. */
    LINK_DOWN,

    /** The player joined again through another link. */
    MOVED,

    /** An event to the seat went over the room's output limit. */
    EVENT_LOST
}
