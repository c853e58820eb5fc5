package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.ChangeArenaEncoder;
import io.escapement.arena.codecs.CharacterCreatedEncoder;
import io.escapement.arena.codecs.CharacterDeletedEncoder;
import io.escapement.arena.codecs.CharacterListEncoder;
import io.escapement.arena.codecs.DeleteArenaEncoder;
import io.escapement.arena.codecs.GuestEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.MovedEncoder;
import io.escapement.arena.codecs.OpenArenaEncoder;
import io.escapement.arena.codecs.RoomChangedEncoder;
import io.escapement.arena.codecs.RoomCreatedEncoder;
import io.escapement.arena.codecs.RoomDeletedEncoder;
import io.escapement.arena.codecs.RoomPageEncoder;
import io.escapement.arena.codecs.SeatReservedEncoder;
import io.escapement.arena.common.CharacterAnswer;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.matchmaking.codecs.CancelPlayerEncoder;
import io.escapement.matchmaking.codecs.EnqueuePlayerEncoder;
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
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final io.escapement.matchmaking.codecs.MessageHeaderEncoder matchHeader =
        new io.escapement.matchmaking.codecs.MessageHeaderEncoder();
    private final CharacterListEncoder list = new CharacterListEncoder();
    private final RoomPageEncoder page = new RoomPageEncoder();
    private final GuestEncoder guest = new GuestEncoder();

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
        final CharacterListEncoder.CharactersEncoder group = list.wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).charactersCount(answer.count());
        for (int i = 0; i < answer.count(); i++)
        {
            group.next().characterId(answer.characterId(i)).kills(answer.kills(i)).deaths(answer.deaths(i))
                .putName(answer.names(), answer.nameOffset(i), answer.nameLength(i));
        }
        send(seat, list.encodedLength());
    }

    void characterCreated(final Seat seat, final long requestId, final long characterId)
    {
        send(seat, new CharacterCreatedEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).characterId(characterId).encodedLength());
    }

    void characterDeleted(final Seat seat, final long requestId, final long characterId)
    {
        send(seat, new CharacterDeletedEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).characterId(characterId).encodedLength());
    }

    void page(
        final Seat seat, final long requestId, final int number, final int pages, final int total,
        final List<RoomEntry> rooms)
    {
        final RoomPageEncoder.RoomsEncoder group = page.wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).page(number).pages(pages).total(total).roomsCount(rooms.size());
        for (final RoomEntry entry : rooms)
        {
            group.next().roomId(entry.roomId).ownerId(entry.ownerId)
                .seats((short)entry.seats).seatsTaken((short)entry.seatsTaken)
                .hasPassword((short)(entry.hasPassword ? 1 : 0))
                .putName(entry.name, 0, entry.name.length).putMapName(entry.mapName, 0, entry.mapName.length);
        }
        send(seat, page.encodedLength());
    }

    void roomCreated(final Seat seat, final long requestId, final long roomId)
    {
        send(seat, new RoomCreatedEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).roomId(roomId).encodedLength());
    }

    void roomChanged(final Seat seat, final long requestId, final long roomId)
    {
        send(seat, new RoomChangedEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).roomId(roomId).encodedLength());
    }

    void roomDeleted(final Seat seat, final long requestId, final long roomId)
    {
        send(seat, new RoomDeletedEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).roomId(roomId).encodedLength());
    }

    void seatReserved(final Seat seat, final long requestId, final long roomId, final int ttlMs)
    {
        send(seat, new SeatReservedEncoder().wrapAndApplyHeader(out, 0, header)
            .requestId(requestId).roomId(roomId).ttlMs(ttlMs).encodedLength());
    }

    long openArena(final LobbyRequest open)
    {
        final int length = new OpenArenaEncoder().wrapAndApplyHeader(out, 0, header)
            .lobbyRoomId(room.roomId()).ownerId(open.playerId).hasPassword((short)(0 == open.hash.length ? 0 : 1))
            .putName(open.name, 0, open.name.length).putMapName(open.mapName, 0, open.mapName.length)
            .encodedLength();
        return room.openRoom(ArenaRoom.TYPE_BASE + open.seats, out, 0, HEADER + length);
    }

    void changeArena(final RoomEntry entry)
    {
        signal(entry.roomId, new ChangeArenaEncoder().wrapAndApplyHeader(out, 0, header)
            .hasPassword((short)(entry.hasPassword ? 1 : 0)).putName(entry.name, 0, entry.name.length)
            .encodedLength());
    }

    void deleteArena(final RoomEntry entry)
    {
        signal(entry.roomId, new DeleteArenaEncoder().wrapAndApplyHeader(out, 0, header)
            .ownerId(entry.ownerId).encodedLength());
    }

    void guest(final LobbyRequest enter, final CharacterAnswer answer, final int index)
    {
        signal(enter.roomId, guest.wrapAndApplyHeader(out, 0, header)
            .playerId(enter.playerId).characterId(enter.characterId)
            .kills(answer.kills(index)).deaths(answer.deaths(index))
            .putName(answer.names(), answer.nameOffset(index), answer.nameLength(index)).encodedLength());
    }

    void moved(final long arenaId, final long playerId, final long trunkId)
    {
        signal(arenaId, new MovedEncoder().wrapAndApplyHeader(out, 0, header)
            .playerId(playerId).trunkId(trunkId).encodedLength());
    }

    /** Ask a matchmaker for a match; returns the correlation id. */
    long match(final long matchmakerId, final long playerId, final int rating, final long timeoutNs)
    {
        new EnqueuePlayerEncoder().wrapAndApplyHeader(out, 0, matchHeader).playerId(playerId).rating(rating);
        return room.ask(matchmakerId, timeoutNs, out, 0, HEADER + EnqueuePlayerEncoder.BLOCK_LENGTH);
    }

    void cancelMatch(final long matchmakerId, final long playerId)
    {
        new CancelPlayerEncoder().wrapAndApplyHeader(out, 0, matchHeader).playerId(playerId);
        signal(matchmakerId, CancelPlayerEncoder.BLOCK_LENGTH);
    }

    private void send(final Seat seat, final int length)
    {
        room.sendEvent(seat, out, 0, HEADER + length);
    }

    private void signal(final long roomId, final int length)
    {
        room.signal(roomId, out, 0, HEADER + length);
    }
}
