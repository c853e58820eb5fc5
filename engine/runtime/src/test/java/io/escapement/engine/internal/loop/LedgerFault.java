package io.escapement.engine.internal.loop;

/** A fault that is planted in a {@link LedgerRig}. */
enum LedgerFault
{
    NONE("nothing"),
    /** A turn runs before the log has it. */
    ACK_BEFORE_APPEND("acknowledged, and is lost"),
    /** A turn that is not synced counts as committed. */
    SKIPPED_SYNC("acknowledged, and is lost"),
    /** The bytes that only the tail has are not written to the file. */
    TAIL_NOT_WRITTEN("acknowledged, and is lost"),
    /** A record that was torn by the kill is kept, and hides those behind it from the next recovery. */
    TORN_TAIL_KEPT("acknowledged, and is lost"),
    /** The signals of rooms to rooms of their loop are forgotten. */
    RETURNS_LOST("signals"),
    /** The requests of the last incarnation are not issued again. */
    REQUESTS_NOT_AGAIN("has no effect"),
    /** A sequence that is not above the last one is taken. */
    OLD_SEQUENCE_OFF("runs behind"),
    /** The links of the last incarnation stay up. */
    LINKS_NOT_DOWN("nobody sent it"),
    /** A host that computes other output goes on. */
    HASH_NOT_COMPARED("answered with position"),
    /** The proposals of a deposed leader run. */
    STALE_INCARNATION_TAKEN("out of order");

    private final String finding;

    LedgerFault(final String finding)
    {
        this.finding = finding;
    }

    /** Part of the text by which it is found. */
    String finding()
    {
        return finding;
    }
}
