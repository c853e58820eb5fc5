package io.escapement.arena.lobby;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CreateCharacterDecoder;
import io.escapement.arena.codecs.DeleteCharacterDecoder;
import io.escapement.arena.codecs.ListCharactersDecoder;
import io.escapement.arena.codecs.ListLeadersDecoder;
import io.escapement.arena.common.CharacterRequests;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.common.Texts;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.rooms.Seat;
import org.agrona.concurrent.UnsafeBuffer;

/** Forwards requests for characters to the service, and its proxy to the players. */
final class LobbyCharacters
{
    private final LobbySeats seats;
    private final LobbyRequests requests;
    private final CharacterRequests characters;
    private final LobbyProxy proxy;
    private final UnsafeBuffer name = new UnsafeBuffer(new byte[ArenaMessages.MAX_NAME_LENGTH]);

    LobbyCharacters(
        final LobbySeats seats,
        final LobbyRequests requests,
        final CharacterRequests characters,
        final LobbyProxy proxy)
    {
        this.seats = seats;
        this.requests = requests;
        this.characters = characters;
        this.proxy = proxy;
    }

    void onList(final Seat from, final ListCharactersDecoder list)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.LIST, from, list.requestId(), ListCharactersDecoder.TEMPLATE_ID);
        if (requests.admitOrRefuse(from, request))
        {
            requests.add(from, request, characters.list(from.playerId()));
        }
    }

    void onLeaders(final Seat from, final ListLeadersDecoder list)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.LEADERS, from, list.requestId(), ListLeadersDecoder.TEMPLATE_ID);
        if (!seats.mayListLeaders(from))
        {
            proxy.refused(from, request.requestId, ArenaCode.LEADERS_FLOOD, request.templateId);
        }
        else if (requests.admitOrRefuse(from, request))
        {
            requests.add(from, request, characters.leaders(from.playerId()));
        }
    }

    void onCreate(final Seat from, final CreateCharacterDecoder create)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.CREATE, from, create.requestId(), CreateCharacterDecoder.TEMPLATE_ID);
        final int length = create.getName(name, 0, name.capacity());
        final ArenaCode code = Texts.nameCode(name, length);
        if (null != code)
        {
            proxy.refused(from, request.requestId, code, request.templateId);
        }
        else if (requests.admitOrRefuse(from, request))
        {
            requests.add(from, request, characters.create(from.playerId(), name, 0, length));
        }
    }

    void onDelete(final Seat from, final DeleteCharacterDecoder delete)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.DELETE, from, delete.requestId(), DeleteCharacterDecoder.TEMPLATE_ID)
            .character(delete.characterId());
        if (requests.admitOrRefuse(from, request))
        {
            requests.add(from, request, characters.delete(from.playerId(), request.characterId));
        }
    }

    /** The service has executed the request. */
    void onDone(final Seat seat, final LobbyRequest request)
    {
        switch (request.kind)
        {
            case CharacterStore.LIST -> proxy.characters(seat, request.requestId, characters.answer());
            case CharacterStore.LEADERS -> proxy.leaders(seat, request.requestId, characters.answer());
            case CharacterStore.CREATE ->
                proxy.characterCreated(seat, request.requestId, characters.answer().characterId(0));
            case CharacterStore.DELETE -> proxy.characterDeleted(seat, request.requestId, request.characterId);
            default -> throw new IllegalStateException("no request for characters: " + request.kind);
        }
    }
}
