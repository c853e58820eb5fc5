package io.escapement.rooms;

/** Why a room closed. Ordinals are on the wire and in logs: append new reasons at the end. */
public enum CloseReason
{
    /** Its logic closed it. */
    BY_LOGIC,

    /** A command closed it. */
    BY_COMMAND,

    /** Its logic threw. */
    ERROR,

    /** The room was empty for as long as its type allows. */
    EMPTY
}
