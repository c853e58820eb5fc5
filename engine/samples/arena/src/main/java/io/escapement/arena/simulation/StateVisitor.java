package io.escapement.arena.simulation;

/**
 * Visits every number of a simulation's state, always in the same order. The returned value replaces the number: a
 * visitor that saves or hashes returns the number itself, one that restores returns the saved number.
 */
@FunctionalInterface
public interface StateVisitor
{
    /** Meet one number. */
    long visit(long value);
}
