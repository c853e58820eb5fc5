package io.escapement.arena.simulation;

/**
 * Meets every number of a simulation's state, always in the same order. What it returns becomes the number: who saves
 * or hashes returns the value, who restores returns what was saved.
 */
@FunctionalInterface
public interface StateVisitor
{
    /** Meet one number. */
    long visit(long value);
}
