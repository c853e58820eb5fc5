package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.EnterRoomDecoder;
import io.escapement.arena.common.CharacterRequests;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;

/** Entering an arena: checks the password and the character, announces the player to the arena, reserves a seat. */
final class LobbyEntrance
{
    private static final int NS_PER_MS = 1_000_000;

    private final Room room;
    private final LobbySeats seats;
    private final LobbyArenas arenas;
    private final ArenaPlaces places;
    private final LobbyRequests requests;
    private final CharacterRequests characters;
    private final LobbyProxy proxy;

    LobbyEntrance(
        final Room room,
        final LobbySeats seats,
        final LobbyArenas arenas,
        final ArenaPlaces places,
        final LobbyRequests requests,
        final CharacterRequests characters,
        final LobbyProxy proxy)
    {
        this.room = room;
        this.seats = seats;
        this.arenas = arenas;
        this.places = places;
        this.requests = requests;
        this.characters = characters;
        this.proxy = proxy;
    }

    void onEnter(final Seat from, final EnterRoomDecoder enter)
    {
        final LobbyRequest request =
            new LobbyRequest(LobbyRequest.ENTER_AS, from, enter.requestId(), EnterRoomDecoder.TEMPLATE_ID)
            .character(enter.characterId());
        request.roomId = enter.roomId();
        final byte[] password = new byte[enter.passwordLength()];
        enter.getPassword(password, 0, password.length);

        final RoomEntry entry = arenas.visible(request.roomId);
        ArenaCode code = null == entry ? ArenaCode.UNKNOWN_ROOM : null;
        if (null == code && entry.hasPassword)
        {
            code = !seats.mayTryPassword(from) ? ArenaCode.PASSWORD_FLOOD :
                entry.isPassword(password) ? null : ArenaCode.WRONG_PASSWORD;
        }
        if (null == code && places.isElsewhere(from, request.roomId))
        {
            code = ArenaCode.SEATED_ELSEWHERE;
        }
        if (null == code && null != requests.matchOf(request.playerId))
        {
            code = ArenaCode.MATCH_AWAITED;
        }
        if (null != code)
        {
            proxy.refused(from, request.requestId, code, request.templateId);
        }
        else if (requests.admitOrRefuse(from, request))
        {
            // The lobby does not cache characters, because only the service has the result of a character's last fight.
            requests.add(from, request, characters.list(from.playerId()));
        }
    }

    /** The service has answered with the player's characters. */
    void onCharacters(final Seat seat, final LobbyRequest request)
    {
        final int index = characters.answer().indexOf(request.characterId);
        final ArenaCode code = null == arenas.visible(request.roomId) ? ArenaCode.UNKNOWN_ROOM :
            index < 0 ? ArenaCode.UNKNOWN_CHARACTER : null;
        if (null != code)
        {
            proxy.refused(seat, request.requestId, code, request.templateId);
        }
        else if (requests.admitOrRefuse(seat, request))
        {
            proxy.guest(request, characters.answer(), index);
            request.kind = LobbyRequest.RESERVE;
            requests.add(seat, request, room.reserve(request.roomId, request.playerId, ArenaRoom.RESERVATION_NS));
        }
    }

    /** The arena's host has answered. */
    void onReserved(final Seat seat, final LobbyRequest request, final int status)
    {
        // If a player's seat is held after a lost connection, the player may join without a reservation.
        if (0 == status || RefusalCode.ALREADY_JOINED.value() == status)
        {
            proxy.seatReserved(seat, request.requestId, request.roomId, (int)(ArenaRoom.RESERVATION_NS / NS_PER_MS));
            return;
        }
        final ArenaCode code = RefusalCode.ROOM_FULL.value() == status ? ArenaCode.ROOM_FULL :
            RefusalCode.DRAINING.value() == status ? ArenaCode.STOPPING : ArenaCode.UNKNOWN_ROOM;
        proxy.refused(seat, request.requestId, code, request.templateId);
    }
}
