package io.escapement.client;

/** The result of a call that sends. */
public enum SendStatus
{
    /** Queued in the next batch of its stream. A join may wait for its stream first. */
    SENT,
    /** The batch is full and the engine does not accept it: poll, then retry. */
    BACK_PRESSURED,
    /** The trunk is not up or the loop's stream is not attached yet: poll, then retry. */
    NOT_READY,
    /** The engine has fewer loops than the room id names: there is no such room. */
    NO_ROOM,
    /** Longer than the protocol allows. */
    TOO_LONG,
    /**
     * Messages that the engine has not accepted fill {@link TrunkContext#resendLength}: poll, then retry. If away seats
     * fill it, it stays full until they return, are freed or are forgotten.
     */
    RESEND_FULL
}
