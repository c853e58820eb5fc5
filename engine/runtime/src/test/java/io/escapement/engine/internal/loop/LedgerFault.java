package io.escapement.engine.internal.loop;

/** A fault that is planted in a {@link LedgerRig}. */
enum LedgerFault
{
    NONE,
    /** A turn runs before the log has it. */
    ACK_BEFORE_APPEND,
    /** A turn that is not synced counts as committed. */
    SKIPPED_SYNC,
    /** The bytes that only the tail has are not written to the file. */
    TAIL_NOT_WRITTEN,
    /** A record that was torn by the kill is kept, and hides those behind it from the next recovery. */
    TORN_TAIL_KEPT,
    /** The signals of rooms to rooms of their loop are forgotten. */
    RETURNS_LOST,
    /** The requests of the last incarnation are not issued again. */
    REQUESTS_NOT_AGAIN,
    /** A sequence that is not above the last one is taken. */
    OLD_SEQUENCE_OFF,
    /** The links of the last incarnation stay up. */
    LINKS_NOT_DOWN,
    /** A host that computes other output goes on. */
    HASH_NOT_COMPARED,
    /** The proposals of a deposed leader run. */
    STALE_INCARNATION_TAKEN
}
