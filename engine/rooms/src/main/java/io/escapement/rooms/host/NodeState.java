package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.timers.TimerWheel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How a node of the wheel goes into a snapshot and comes back. Nodes are restored all at once in the order they were
 * set, over all rooms, so that timers of one tick fire in the order they would have.
 */
final class NodeState
{
    private NodeState()
    {
    }

    /**
     * Write a node, or that there is none. The order of setting is the host's, not the room's, so it goes into
     * snapshots but not into hashes, which must be the same for a room that is replayed alone.
     */
    static void write(final StateWriter writer, final TimerWheel wheel, final int node, final boolean isSnapshot)
    {
        writer.putBoolean(SeatState.NO_NODE != node);
        if (SeatState.NO_NODE != node)
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

    /** Gathers the nodes of all rooms, then sets them. */
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
            saved.sort(Comparator.comparingLong((final Saved node) -> node.sequence));
            for (final Saved node : saved)
            {
                node.room.restoredNode(node.id,
                    wheel.restore(node.deadlineNs, node.sequence, node.tick, node.room.slot(), node.id));
            }
        }
    }
}
