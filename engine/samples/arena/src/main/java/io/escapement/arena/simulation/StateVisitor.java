package io.escapement.arena.simulation;

/**
 * Visits every number of a simulation's state, always in the same order. The returned value replaces the number. A
 * saving or hashing visitor returns the number itself. A restoring visitor returns the saved number.
 */
@FunctionalInterface
public interface StateVisitor
{
    /** Meet one number. */
    long visit(long value);
}
