package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ChatEncoder;
import io.escapement.arena.codecs.ClosingEncoder;
import io.escapement.arena.codecs.CorrectionEncoder;
import io.escapement.arena.codecs.EnteredEncoder;
import io.escapement.arena.codecs.EventKind;
import io.escapement.arena.codecs.EventsEncoder;
import io.escapement.arena.codecs.FreedEncoder;
import io.escapement.arena.codecs.GoneEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.PongEncoder;
import io.escapement.arena.codecs.RefusedEncoder;
import io.escapement.arena.codecs.ScoreEncoder;
import io.escapement.arena.codecs.SeatedEncoder;
import io.escapement.arena.codecs.WelcomeEncoder;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.simulation.ArenaEvents;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaSimulation;
import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What an arena and the lobby say. Everything is written in place, nothing is allocated. */
final class ArenaProxy
{
    /** In the place of a player's index when there is none. */
    static final short NO_INDEX = 254;

    /** Version of the numbers of {@link io.escapement.arena.simulation.ArenaRules}. */
    static final int RULES_VERSION = 1;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int DATA = 2;
    private static final int NS_PER_MS = 1_000_000;
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
    private final ChatEncoder chat = new ChatEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();
    private final PongEncoder pong = new PongEncoder();
    private final ClosingEncoder closing = new ClosingEncoder();
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

    /** To one, or to all when there is none. */
    void entered(final Seat seat, final int place, final CharacterTable table)
    {
        final int length = HEADER + EnteredEncoder.BLOCK_LENGTH + DATA + table.nameLengths[place];
        entered.wrapAndApplyHeader(claim(seat, length), 0, header)
            .playerId(table.playerId(place)).characterId(table.characterIds[place]).playerIndex((short)place)
            .putName(table.names, table.nameOffset(place), table.nameLengths[place]);
        room.commit(length);
    }

    void gone(final int player, final long playerId)
    {
        final int length = HEADER + GoneEncoder.BLOCK_LENGTH;
        gone.wrapAndApplyHeader(claim(null, length), 0, header).playerId(playerId).playerIndex((short)player);
        room.commit(length);
    }

    /** To one, or to all when there is none. */
    void score(final Seat seat, final int player, final int kills, final int deaths)
    {
        final int length = HEADER + ScoreEncoder.BLOCK_LENGTH;
        score.wrapAndApplyHeader(claim(seat, length), 0, header)
            .playerIndex((short)player).kills(kills).deaths(deaths);
        room.commit(length);
    }

    /** All that happened but corrections, which are told to one. */
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
        events.wrapAndApplyHeader(claim(null, length), 0, header).subStep(subStep);
        final EventsEncoder.EntriesEncoder entries = events.entriesCount(count);
        for (int i = 0; i < list.count(); i++)
        {
            if (ArenaEvents.CORRECTION != list.type(i))
            {
                final int other = list.other(i);
                entries.next().x(list.x(i)).y(list.y(i)).kind(KINDS[list.type(i)])
                    .playerIndex((short)list.player(i)).otherIndex(other < 0 ? NO_INDEX : (short)other)
                    .value((short)list.value(i));
            }
        }
        room.commit(length);
    }

    void correction(final Seat seat, final ArenaSimulation simulation, final ArenaCode code)
    {
        final int player = seat.index();
        final int length = HEADER + CorrectionEncoder.BLOCK_LENGTH;
        correction.wrapAndApplyHeader(claim(seat, length), 0, header).subStep(simulation.subStep())
            .x(simulation.players().x(player)).y(simulation.players().y(player))
            .vx(simulation.players().vx(player)).vy(simulation.players().vy(player)).code(code);
        room.commit(length);
    }

    /** To everybody, the one who said it included. */
    void chat(final long playerId, final int player, final DirectBuffer text, final int textLength)
    {
        final int length = HEADER + ChatEncoder.BLOCK_LENGTH + DATA + textLength;
        chat.wrapAndApplyHeader(claim(null, length), 0, header).playerId(playerId).playerIndex((short)player)
            .putText(text, 0, textLength);
        room.commit(length);
    }

    void refused(final Seat seat, final long reference, final ArenaCode code, final int templateId)
    {
        final int length = HEADER + RefusedEncoder.BLOCK_LENGTH;
        refused.wrapAndApplyHeader(claim(seat, length), 0, header)
            .reference(reference).code(code).refusedTemplate(templateId);
        room.commit(length);
    }

    void pong(final Seat seat, final long stamp)
    {
        final int length = HEADER + PongEncoder.BLOCK_LENGTH;
        pong.wrapAndApplyHeader(claim(seat, length), 0, header).stamp(stamp);
        room.commit(length);
    }

    void closing(final ArenaCode code, final long leftNs)
    {
        final int length = HEADER + ClosingEncoder.BLOCK_LENGTH;
        closing.wrapAndApplyHeader(claim(null, length), 0, header).code(code)
            .leftMs((int)Math.max(0, Math.min(Integer.MAX_VALUE, leftNs / NS_PER_MS)));
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

    /** To a group, or to all when there is none. */
    void delta(final SeatGroup group, final WorldWriter writer)
    {
        final MutableDirectBuffer buffer =
            room.claimState(null == group ? room.everyone() : group, WorldWriter.MAX_LENGTH);
        room.commit(writer.delta(buffer, 0));
    }

    void picture(final Seat seat, final WorldWriter writer)
    {
        final MutableDirectBuffer buffer = room.claimState(seat, WorldWriter.MAX_LENGTH);
        room.commit(writer.picture(buffer, 0));
    }

    void picture(final SeatGroup group, final WorldWriter writer)
    {
        final MutableDirectBuffer buffer = room.claimState(group, WorldWriter.MAX_LENGTH);
        room.commit(writer.picture(buffer, 0));
    }

    private MutableDirectBuffer claim(final Seat seat, final int length)
    {
        return room.claimEvent(null == seat ? room.everyone() : seat, length);
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
