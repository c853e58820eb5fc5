package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.codecs.CharacterListEncoder;
import io.escapement.arena.codecs.LeadersEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.RoomPageEncoder;
import io.escapement.arena.common.CharacterAnswer;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.matchmaking.codecs.MatchmakingEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the lobby's answers to players and its signals to arenas. */
final class LobbyProxy
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private final Room room;
    private final RoomMessages messages;
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[ArenaMessages.LONGEST_MESSAGE]);
    private final ArenaEncoder answers = new ArenaEncoder();
    private final MatchmakingEncoder questions = new MatchmakingEncoder();

    LobbyProxy(final Room room, final RoomMessages messages)
    {
        this.room = room;
        this.messages = messages;
    }

    /** Count and send a refusal. */
    void refused(final Seat seat, final long requestId, final ArenaCode code, final int templateId)
    {
        room.count(code.value(), 1);
        messages.refused(seat, requestId, code, templateId);
    }

    void characters(final Seat seat, final long requestId, final CharacterAnswer answer)
    {
        final CharacterListEncoder list = answers.characterList(out, 0, requestId);
        final CharacterListEncoder.CharactersEncoder group = list.charactersCount(answer.count());
        for (int i = 0; i < answer.count(); i++)
        {
            group.next().characterId(answer.characterId(i)).kills(answer.kills(i)).deaths(answer.deaths(i))
                .putName(answer.names(), answer.nameOffset(i), answer.nameLength(i));
        }
        send(seat, HEADER + list.encodedLength());
    }

    void leaders(final Seat seat, final long requestId, final CharacterAnswer answer)
    {
        final LeadersEncoder list = answers.leaders(out, 0, requestId, answer.place());
        final LeadersEncoder.CharactersEncoder group = list.charactersCount(answer.count());
        for (int i = 0; i < answer.count(); i++)
        {
            group.next().characterId(answer.characterId(i)).kills(answer.kills(i)).deaths(answer.deaths(i))
                .putName(answer.names(), answer.nameOffset(i), answer.nameLength(i));
        }
        send(seat, HEADER + list.encodedLength());
    }

    void characterCreated(final Seat seat, final long requestId, final long characterId)
    {
        send(seat, answers.characterCreated(out, 0, requestId, characterId));
    }

    void characterDeleted(final Seat seat, final long requestId, final long characterId)
    {
        send(seat, answers.characterDeleted(out, 0, requestId, characterId));
    }

    void page(
        final Seat seat, final long requestId, final int number, final int pages, final int total,
        final List<RoomEntry> rooms)
    {
        final RoomPageEncoder page = answers.roomPage(out, 0, requestId, number, pages, total);
        final RoomPageEncoder.RoomsEncoder group = page.roomsCount(rooms.size());
        for (final RoomEntry entry : rooms)
        {
            group.next().roomId(entry.roomId).ownerId(entry.ownerId)
                .seats((short)entry.seats).seatsTaken((short)entry.seatsTaken)
                .hasPassword((short)(entry.hasPassword ? 1 : 0))
                .putName(entry.name, 0, entry.name.length).putMapName(entry.mapName, 0, entry.mapName.length);
        }
        send(seat, HEADER + page.encodedLength());
    }

    void roomCreated(final Seat seat, final long requestId, final long roomId)
    {
        send(seat, answers.roomCreated(out, 0, requestId, roomId));
    }

    void roomChanged(final Seat seat, final long requestId, final long roomId)
    {
        send(seat, answers.roomChanged(out, 0, requestId, roomId));
    }

    void roomDeleted(final Seat seat, final long requestId, final long roomId)
    {
        send(seat, answers.roomDeleted(out, 0, requestId, roomId));
    }

    void seatReserved(final Seat seat, final long requestId, final long roomId, final int ttlMs)
    {
        send(seat, answers.seatReserved(out, 0, requestId, roomId, ttlMs));
    }

    long openArena(final LobbyRequest open)
    {
        return room.openRoom(ArenaRoom.TYPE_BASE + open.seats, out, 0, answers.openArena(
            out, 0, room.roomId(), open.playerId, 0 != open.hash.length, open.name, open.mapName));
    }

    void changeArena(final RoomEntry entry)
    {
        signal(entry.roomId, answers.changeArena(out, 0, entry.hasPassword, entry.name));
    }

    void deleteArena(final RoomEntry entry)
    {
        signal(entry.roomId, answers.deleteArena(out, 0, entry.ownerId));
    }

    void guest(final LobbyRequest enter, final CharacterAnswer answer, final int index)
    {
        signal(enter.roomId, answers.guest(out, 0, enter.playerId, enter.characterId, answer.kills(index),
            answer.deaths(index), answer.names(), answer.nameOffset(index), answer.nameLength(index)));
    }

    void moved(final long arenaId, final long playerId, final long trunkId)
    {
        signal(arenaId, answers.moved(out, 0, playerId, trunkId));
    }

    /** Ask a matchmaker for a match. Returns the correlation id. */
    long match(final long matchmakerId, final long playerId, final int rating, final long timeoutNs)
    {
        return room.ask(matchmakerId, timeoutNs, out, 0, questions.enqueuePlayer(out, 0, playerId, rating));
    }

    void cancelMatch(final long matchmakerId, final long playerId)
    {
        signal(matchmakerId, questions.cancelPlayer(out, 0, playerId));
    }

    private void send(final Seat seat, final int length)
    {
        room.sendEvent(seat, out, 0, length);
    }

    private void signal(final long roomId, final int length)
    {
        room.signal(roomId, out, 0, length);
    }
}
