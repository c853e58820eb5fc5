package io.escapement.engine.internal.loop;

/** The part of a loop in its log. */
enum Role
{
    /** Runs the turns of the log, without output. It drops the commands of its queues. */
    FOLLOWS,
    /** Has proposed the first turn of its incarnation, or will. Commands wait in the queues. */
    BEGINS,
    /** Proposes turns. */
    LEADS
}
