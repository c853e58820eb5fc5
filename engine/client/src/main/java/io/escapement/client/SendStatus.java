package io.escapement.client;

/** What became of something that was to be sent. */
public enum SendStatus
{
    /** It is in the frame that leaves next. */
    SENT,
    /** The way to the engine is full: poll, and try again. */
    BACK_PRESSURED,
    /** The trunk is not up, or the way to this loop is just being made: poll, and try again. */
    NOT_READY,
    /** Longer than the engine takes. */
    TOO_LONG
}
