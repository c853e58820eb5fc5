package io.escapement.engine.internal.durable;

/**
 * The owner of a tail.
 *
 * @param journalId   random number of the journal.
 * @param bootId      random number of the machine's start, after which shared memory is empty.
 * @param loop        number of the loop.
 * @param incarnation of the engine that wrote it.
 */
record TailOwner(long journalId, long bootId, int loop, int incarnation)
{
}
