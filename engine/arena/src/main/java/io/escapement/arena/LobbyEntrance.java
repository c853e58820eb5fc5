package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.EnterRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;

/** The way into an arena: its password, the character, a word to the arena, and a seat that is kept for the player. */
final class LobbyEntrance
{
    /** How long a seat in an arena is kept for a player whom the lobby sent there. */
    static final long RESERVATION_NS = 10_000_000_000L;

    private static final int NS_PER_MS = 1_000_000;

    private final Room room;
    private final LobbySeats seats;
    private final LobbyArenas arenas;
    private final Places places;
    private final LobbyRequests requests;
    private final CharacterRequests characters;
    private final LobbyProxy answers;

    LobbyEntrance(
        final Room room,
        final LobbySeats seats,
        final LobbyArenas arenas,
        final Places places,
        final LobbyRequests requests,
        final CharacterRequests characters,
        final LobbyProxy answers)
    {
        this.room = room;
        this.seats = seats;
        this.arenas = arenas;
        this.places = places;
        this.requests = requests;
        this.characters = characters;
        this.answers = answers;
    }

    void onEnter(final Seat from, final EnterRoomDecoder enter)
    {
        final LobbyRequest request =
            new LobbyRequest(LobbyRequest.ENTER_AS, from, enter.requestId(), EnterRoomDecoder.TEMPLATE_ID)
            .character(enter.characterId());
        request.roomId = enter.roomId();
        final byte[] password = new byte[enter.passwordLength()];
        enter.getPassword(password, 0, password.length);

        final RoomEntry entry = arenas.shown(request.roomId);
        ArenaCode code = null == entry ? ArenaCode.UNKNOWN_ROOM : null;
        if (null == code && entry.hasPassword)
        {
            code = !seats.mayTryPassword(from, room.nowNs()) ? ArenaCode.PASSWORD_FLOOD :
                entry.isPassword(password) ? null : ArenaCode.WRONG_PASSWORD;
        }
        if (null == code && places.isElsewhere(from, request.roomId))
        {
            code = ArenaCode.SEATED_ELSEWHERE;
        }
        if (null != code)
        {
            answers.refused(from, request.requestId, code, request.templateId);
        }
        else if (requests.mayAsk(from, request))
        {
            // The service is asked each time: it alone knows what the character did in its last fight.
            requests.asked(from, request, characters.list(from.playerId()));
        }
    }

    /** The service has told of the player's characters. */
    void onCharacters(final Seat seat, final LobbyRequest request)
    {
        final int index = characters.answer().indexOf(request.characterId);
        final ArenaCode code = null == arenas.shown(request.roomId) ? ArenaCode.UNKNOWN_ROOM :
            index < 0 ? ArenaCode.UNKNOWN_CHARACTER : null;
        if (null != code)
        {
            answers.refused(seat, request.requestId, code, request.templateId);
        }
        else if (requests.mayAsk(seat, request))
        {
            answers.guest(request, characters.answer(), index);
            request.kind = LobbyRequest.RESERVE;
            requests.asked(seat, request, room.reserve(request.roomId, request.playerId, RESERVATION_NS));
        }
    }

    /** The arena's host has answered. */
    void onReserved(final Seat seat, final LobbyRequest request, final int status)
    {
        // Who has a seat there already may just join: it is held for a while after the connection is lost.
        if (0 == status || RefusalCode.ALREADY_JOINED.value() == status)
        {
            answers.seatReserved(seat, request.requestId, request.roomId, (int)(RESERVATION_NS / NS_PER_MS));
            return;
        }
        final ArenaCode code = RefusalCode.ROOM_FULL.value() == status ? ArenaCode.ROOM_FULL :
            RefusalCode.DRAINING.value() == status ? ArenaCode.STOPPING : ArenaCode.UNKNOWN_ROOM;
        answers.refused(seat, request.requestId, code, request.templateId);
    }
}
