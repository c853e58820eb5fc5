package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes nodes of the wheel to a snapshot and restores them, with the sequence numbers by which the wheel orders timers
 * of one deadline. The nodes are set after all rooms have been read.
 */
final class NodeState
{
    private NodeState()
    {
    }

    /**
     * Write a node, or that no node is set. The order of setting depends on the host's other rooms. Therefore it is
     * part of snapshots but not of hashes: the hash of a room must not change if it is replayed without the others.
     */
    static void write(final StateWriter writer, final TimerWheel wheel, final int node, final boolean isSnapshot)
    {
        writer.putBoolean(EngineTimer.NO_NODE != node);
        if (EngineTimer.NO_NODE != node)
        {
            writer.putLong(wheel.deadlineNs(node));
            if (isSnapshot)
            {
                writer.putLong(wheel.sequence(node));
                writer.putLong(wheel.tick(node));
            }
        }
    }

    private static final class Saved
    {
        private final RoomInstance room;
        private final int id;
        private final long deadlineNs;
        private final long sequence;
        private final long tick;

        Saved(final RoomInstance room, final int id, final StateReader reader)
        {
            this.room = room;
            this.id = id;
            deadlineNs = reader.getLong();
            sequence = reader.getLong();
            tick = reader.getLong();
        }
    }

    /** Collects the nodes of all rooms, then sets them. */
    static final class Restorer
    {
        private final List<Saved> saved = new ArrayList<>();
        private RoomInstance room;

        void room(final RoomInstance next)
        {
            room = next;
        }

        boolean read(final StateReader reader, final int id)
        {
            final boolean isSet = reader.getBoolean();
            if (isSet)
            {
                saved.add(new Saved(room, id, reader));
            }
            return isSet;
        }

        void apply(final TimerWheel wheel)
        {
            for (final Saved node : saved)
            {
                Restored.check(node.sequence > 0 && node.sequence <= wheel.lastSequence() && !wheel.isPast(node.tick),
                    "node " + node.sequence + " of tick " + node.tick);
                node.room.restoredNode(node.id,
                    wheel.restore(node.deadlineNs, node.sequence, node.tick, node.room.slot(), node.id));
            }
        }
    }
}
