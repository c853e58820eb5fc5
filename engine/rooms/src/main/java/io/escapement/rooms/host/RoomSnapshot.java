package io.escapement.rooms.host;

import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.internal.timers.TimerWheel;

/** Writes, reads and hashes the engine's part of a room's state. */
final class RoomSnapshot
{
    private RoomSnapshot()
    {
    }

    /** Hash of everything that the room's future depends on, without the rest of its host. */
    static long hash(final RoomInstance room, final TimerWheel wheel)
    {
        final StateHash hash = new StateHash();
        hash.putLong(room.roomId());
        hash.putInt(room.type().id());
        if (room.identity.isReloaded())
        {
            hash.putInt(room.type().version());
        }
        write(room, wheel, hash, false);
        hash.putLong(room.invoker.stateHash());
        return hash.value();
    }

    static void write(
        final RoomInstance room, final TimerWheel wheel, final StateWriter writer, final boolean isSnapshot)
    {
        writer.putLong(room.random.state());
        writer.putLong(room.invoker.count() + room.uncounted());
        writer.putBoolean(room.isLocked());
        // Otherwise it is no part of the hash, as in logs of rooms that no operator could lock.
        if (isSnapshot || room.isLockedByOperator())
        {
            writer.putBoolean(room.isLockedByOperator());
        }
        if (isSnapshot)
        {
            room.writeOrigin(writer);
        }
        writer.putBoolean(room.output.hasLostState());
        writer.putBoolean(room.output.isDirty());
        room.writeFrames(writer);
        room.seats.write(writer, wheel, isSnapshot);
        // Otherwise they are no part of the hash, as in logs of rooms that decided at once.
        if (isSnapshot || room.membership.joins.isAllowed())
        {
            room.membership.joins.write(writer);
        }
        room.timers.write(writer, isSnapshot);
        room.requests.write(writer);
        room.labels().write(writer);
        room.output.write(writer);
        room.groups().write(writer);
        NodeState.write(writer, wheel, room.output.flushNode(), isSnapshot);
        NodeState.write(writer, wheel, room.requests.refusalsNode(), isSnapshot);
        room.membership.writeEmptyTimer(writer, wheel, isSnapshot);
        final RoomQuestions questions = room.requests.questions;
        if (isSnapshot || questions.isHashed())
        {
            questions.write(writer);
            NodeState.write(writer, wheel, questions.node(), isSnapshot);
        }
    }

    static void read(
        final RoomInstance room, final LinkTable links, final StateReader reader, final NodeState.Restorer nodes)
    {
        room.random.state(reader.getLong());
        room.invoker.count(reader.getLong());
        room.lock(reader.getBoolean());
        room.lockByOperator(reader.getBoolean());
        room.readOrigin(reader);
        room.output.hasLostState(reader.getBoolean());
        final boolean wasDirty = reader.getBoolean();
        room.readFrames(reader);
        room.seats.read(reader, nodes);
        room.membership.joins.read(reader);
        room.timers.read(reader, nodes);
        room.requests.read(reader);
        RoomLabels.read(reader, room);
        room.output.read(reader, wasDirty);
        RoomGroups.read(reader, room);
        nodes.read(reader, EngineTimer.FLUSH.id());
        Restored.check(nodes.read(reader, EngineTimer.REFUSALS.id()) == (0 != room.requests.refusedCount()),
            "the timer of refusals");
        room.membership.readEmptyTimer(reader, nodes);
        room.requests.questions.read(reader);
        Restored.check(nodes.read(reader, EngineTimer.QUESTIONS.id()) == (0 != room.requests.questions.open()),
            "the timer of questions");
        for (int i = 0; i < room.seats.limit(); i++)
        {
            final SeatState seat = room.seats.at(i);
            if (SeatState.NO_LINK != seat.link())
            {
                links.add(seat, seat.link());
            }
        }
    }
}
