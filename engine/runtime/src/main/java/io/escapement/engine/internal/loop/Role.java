package io.escapement.engine.internal.loop;

/**
 * The part of a loop in its log. A loop of a journal leads until it stops. A loop of a group changes in the order of
 * the group's log.
 */
enum Role
{
    /**
     * Runs the turns of the log, without output. It drops the commands of its queues. A link that is attached or
     * detached changes at once.
     */
    FOLLOWS,
    /** Has proposed the first turn of its incarnation, or will. Commands wait in the queues. */
    BEGINS,
    /** Proposes turns. */
    LEADS
}
