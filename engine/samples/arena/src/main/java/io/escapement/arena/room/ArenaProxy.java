package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.codecs.EventKind;
import io.escapement.arena.codecs.EventsEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaEvents;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaSimulation;
import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the messages of an arena in place, without allocation. */
final class ArenaProxy
{
    /** Version of the numbers of {@link io.escapement.arena.simulation.ArenaRules}. */
    static final int RULES_VERSION = 1;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int EVENTS_LENGTH = HEADER + EventsEncoder.BLOCK_LENGTH +
        EventsEncoder.EntriesEncoder.HEADER_SIZE;
    private static final EventKind[] KINDS = kinds();

    private final Room room;
    private final ArenaEncoder messages = new ArenaEncoder();
    private final UnsafeBuffer signal = new UnsafeBuffer(new byte[ArenaEncoder.seatedLength()]);

    ArenaProxy(final Room room)
    {
        this.room = room;
    }

    void welcome(
        final Seat seat, final ArenaSimulation simulation, final DirectBuffer mapName, final DirectBuffer name)
    {
        final ArenaMap map = simulation.map();
        final int length = ArenaEncoder.welcomeLength(mapName.capacity(), name.capacity());
        messages.welcome(room.claimEvent(seat, length), 0, room.roomId(), simulation.subStep(), map.fingerprint(),
            RULES_VERSION, seat.index(), mapName, 0, mapName.capacity(), name, 0, name.capacity());
        room.commit(length);
    }

    void entered(final Audience audience, final int slot, final CharacterTable table, final long newUntil)
    {
        final int length = ArenaEncoder.enteredLength(table.nameLengths[slot]);
        messages.entered(room.claimEvent(audience, length), 0, table.playerId(slot), table.characterIds[slot],
            newUntil, slot, table.names, table.nameOffset(slot), table.nameLengths[slot]);
        room.commit(length);
    }

    void gone(final int player, final long playerId)
    {
        final int length = ArenaEncoder.goneLength();
        messages.gone(room.claimEvent(room.everyone(), length), 0, playerId, player);
        room.commit(length);
    }

    void score(final Audience audience, final int player, final int kills, final int deaths)
    {
        final int length = ArenaEncoder.scoreLength();
        messages.score(room.claimEvent(audience, length), 0, player, kills, deaths);
        room.commit(length);
    }

    void round(final Audience audience, final long subStep, final Round round)
    {
        final int length = ArenaEncoder.roundLength();
        messages.round(
            room.claimEvent(audience, length), 0, subStep, round.endsAt(), round.winners(), round.isPause());
        room.commit(length);
    }

    /** Every event but corrections, which only the corrected client receives. */
    void events(final long subStep, final ArenaEvents list)
    {
        int count = 0;
        for (int i = 0; i < list.count(); i++)
        {
            count += ArenaEvents.CORRECTION == list.type(i) ? 0 : 1;
        }
        if (0 == count)
        {
            return;
        }
        final int length = EVENTS_LENGTH + count * EventsEncoder.EntriesEncoder.sbeBlockLength();
        final EventsEncoder.EntriesEncoder entries =
            messages.events(room.claimEvent(room.everyone(), length), 0, subStep).entriesCount(count);
        for (int i = 0; i < list.count(); i++)
        {
            if (ArenaEvents.CORRECTION != list.type(i))
            {
                final int other = list.other(i);
                entries.next().x(list.x(i)).y(list.y(i)).kind(KINDS[list.type(i)])
                    .playerIndex((short)list.player(i)).otherIndex(other < 0 ? RoomMessages.NO_INDEX : (short)other)
                    .value((short)list.value(i));
            }
        }
        room.commit(length);
    }

    void correction(final Seat seat, final ArenaSimulation simulation, final ArenaCode code)
    {
        final int player = seat.index();
        final int length = ArenaEncoder.correctionLength();
        messages.correction(room.claimEvent(seat, length), 0, simulation.subStep(), simulation.players().x(player),
            simulation.players().y(player), simulation.players().vx(player), simulation.players().vy(player), code);
        room.commit(length);
    }

    void pong(final Seat seat, final long stamp, final long received)
    {
        final int length = ArenaEncoder.pongLength();
        messages.pong(room.claimEvent(seat, length), 0, stamp, received);
        room.commit(length);
    }

    void seated(final long lobbyRoomId, final Seat seat)
    {
        room.signal(lobbyRoomId, signal, 0, messages.seated(signal, 0, seat.playerId(), seat.trunkId()));
    }

    void freed(final long lobbyRoomId, final long playerId, final boolean isSaved)
    {
        room.signal(lobbyRoomId, signal, 0, messages.freed(signal, 0, playerId, isSaved));
    }

    void delta(final Audience audience, final WorldWriter writer)
    {
        room.commit(writer.delta(room.claimState(audience, WorldWriter.MAX_LENGTH), 0));
    }

    void fullState(final Audience audience, final WorldWriter writer)
    {
        room.commit(writer.fullState(room.claimState(audience, WorldWriter.MAX_LENGTH), 0));
    }

    private static EventKind[] kinds()
    {
        final EventKind[] kinds = new EventKind[ArenaMessages.MAX_PLAYERS];
        for (final EventKind kind : EventKind.values())
        {
            if (kind.value() < kinds.length)
            {
                kinds[kind.value()] = kind;
            }
        }
        return kinds;
    }
}
