package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CorrectionEncoder;
import io.escapement.arena.codecs.EnteredEncoder;
import io.escapement.arena.codecs.EventKind;
import io.escapement.arena.codecs.EventsEncoder;
import io.escapement.arena.codecs.FreedEncoder;
import io.escapement.arena.codecs.GoneEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.PongEncoder;
import io.escapement.arena.codecs.ScoreEncoder;
import io.escapement.arena.codecs.SeatedEncoder;
import io.escapement.arena.codecs.WelcomeEncoder;
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

/** Encodes the messages of an arena, in place: nothing is allocated. */
final class ArenaProxy
{
    /** Version of the numbers of {@link io.escapement.arena.simulation.ArenaRules}. */
    static final int RULES_VERSION = 1;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int DATA = 2;
    private static final int EVENTS_LENGTH = HEADER + EventsEncoder.BLOCK_LENGTH +
        EventsEncoder.EntriesEncoder.HEADER_SIZE;
    private static final EventKind[] KINDS = kinds();

    private final Room room;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final WelcomeEncoder welcome = new WelcomeEncoder();
    private final EnteredEncoder entered = new EnteredEncoder();
    private final GoneEncoder gone = new GoneEncoder();
    private final EventsEncoder events = new EventsEncoder();
    private final CorrectionEncoder correction = new CorrectionEncoder();
    private final ScoreEncoder score = new ScoreEncoder();
    private final PongEncoder pong = new PongEncoder();
    private final SeatedEncoder seated = new SeatedEncoder();
    private final FreedEncoder freed = new FreedEncoder();
    private final UnsafeBuffer signal = new UnsafeBuffer(new byte[HEADER + SeatedEncoder.BLOCK_LENGTH]);

    ArenaProxy(final Room room)
    {
        this.room = room;
    }

    void welcome(
        final Seat seat, final ArenaSimulation simulation, final DirectBuffer mapName, final DirectBuffer name)
    {
        final ArenaMap map = simulation.map();
        final int length = HEADER + WelcomeEncoder.BLOCK_LENGTH + 2 * DATA + mapName.capacity() + name.capacity();
        welcome.wrapAndApplyHeader(room.claimEvent(seat, length), 0, header)
            .roomId(room.roomId()).subStep(simulation.subStep()).mapFingerprint(map.fingerprint())
            .rulesVersion(RULES_VERSION).playerIndex((short)seat.index())
            .putMapName(mapName, 0, mapName.capacity()).putRoomName(name, 0, name.capacity());
        room.commit(length);
    }

    void entered(final Audience audience, final int slot, final CharacterTable table)
    {
        final int length = HEADER + EnteredEncoder.BLOCK_LENGTH + DATA + table.nameLengths[slot];
        entered.wrapAndApplyHeader(room.claimEvent(audience, length), 0, header)
            .playerId(table.playerId(slot)).characterId(table.characterIds[slot]).playerIndex((short)slot)
            .putName(table.names, table.nameOffset(slot), table.nameLengths[slot]);
        room.commit(length);
    }

    void gone(final int player, final long playerId)
    {
        final int length = HEADER + GoneEncoder.BLOCK_LENGTH;
        gone.wrapAndApplyHeader(room.claimEvent(room.everyone(), length), 0, header)
            .playerId(playerId).playerIndex((short)player);
        room.commit(length);
    }

    void score(final Audience audience, final int player, final int kills, final int deaths)
    {
        final int length = HEADER + ScoreEncoder.BLOCK_LENGTH;
        score.wrapAndApplyHeader(room.claimEvent(audience, length), 0, header)
            .playerIndex((short)player).kills(kills).deaths(deaths);
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
        events.wrapAndApplyHeader(room.claimEvent(room.everyone(), length), 0, header).subStep(subStep);
        final EventsEncoder.EntriesEncoder entries = events.entriesCount(count);
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
        final int length = HEADER + CorrectionEncoder.BLOCK_LENGTH;
        correction.wrapAndApplyHeader(room.claimEvent(seat, length), 0, header).subStep(simulation.subStep())
            .x(simulation.players().x(player)).y(simulation.players().y(player))
            .vx(simulation.players().vx(player)).vy(simulation.players().vy(player)).code(code);
        room.commit(length);
    }

    void pong(final Seat seat, final long stamp, final long received)
    {
        final int length = HEADER + PongEncoder.BLOCK_LENGTH;
        pong.wrapAndApplyHeader(room.claimEvent(seat, length), 0, header).stamp(stamp).received(received);
        room.commit(length);
    }

    void seated(final long lobbyRoomId, final Seat seat)
    {
        seated.wrapAndApplyHeader(signal, 0, header).playerId(seat.playerId()).trunkId(seat.trunkId());
        room.signal(lobbyRoomId, signal, 0, HEADER + SeatedEncoder.BLOCK_LENGTH);
    }

    void freed(final long lobbyRoomId, final long playerId, final boolean isSaved)
    {
        freed.wrapAndApplyHeader(signal, 0, header).playerId(playerId).isSaved((short)(isSaved ? 1 : 0));
        room.signal(lobbyRoomId, signal, 0, HEADER + FreedEncoder.BLOCK_LENGTH);
    }

    void delta(final Audience audience, final WorldWriter writer)
    {
        room.commit(writer.delta(room.claimState(audience, WorldWriter.MAX_LENGTH), 0));
    }

    void picture(final Audience audience, final WorldWriter writer)
    {
        room.commit(writer.picture(room.claimState(audience, WorldWriter.MAX_LENGTH), 0));
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
