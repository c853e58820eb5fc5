package io.escapement.simulator;

import java.util.EnumSet;
import java.util.Set;

/** Kinds of faults. */
enum Fault
{
    /** Datagrams are lost. */
    LOSS,
    /** Datagrams arrive twice. */
    DOUBLING,
    /** Datagrams overtake others. */
    REORDERING,
    /** A host is cut off. */
    PARTITION,
    /** Datagrams of others arrive again, changed and from another address. */
    FORGERY,
    /** A node or a host of clients pauses. */
    PAUSE,
    /** The wall clock steps. */
    CLOCK,
    /** A node is killed. */
    KILL,
    /** The machine of a node loses power: unsynced data is lost, whole or torn. */
    POWER,
    /** Another node leads. */
    LEADER,
    /** A disk has no space. */
    FULL_DISK,
    /** A disk takes its time. */
    SLOW_DISK,
    /** A disk does not read. */
    READ_ERROR,
    /** Players leave without a word, lie, or do not read. */
    PLAYERS;

    private static final Set<Fault> OF_DISKS = EnumSet.of(FULL_DISK, SLOW_DISK, READ_ERROR);

    /** Whether an engine in this mode can have the fault, and promises something then. */
    boolean isOf(final Mode mode)
    {
        return switch (this)
        {
            case KILL -> Mode.MEMORY != mode;
            case POWER -> Mode.SYNCED == mode;
            case LEADER -> Mode.GROUP == mode;
            default -> !OF_DISKS.contains(this) || mode.isJournal();
        };
    }
}
