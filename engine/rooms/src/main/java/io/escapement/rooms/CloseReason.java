package io.escapement.rooms;

/** Why a room closed. The order is part of the wire and of logs: new ones go to the end. */
public enum CloseReason
{
    /** Its logic closed it. */
    BY_LOGIC,

    /** A command closed it. */
    BY_COMMAND,

    /** Its logic threw. */
    ERROR
}
