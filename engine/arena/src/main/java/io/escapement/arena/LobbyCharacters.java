package io.escapement.arena;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.arena.codecs.CreateCharacterDecoder;
import io.escapement.arena.codecs.DeleteCharacterDecoder;
import io.escapement.arena.codecs.ListCharactersDecoder;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.rooms.Seat;
import org.agrona.concurrent.UnsafeBuffer;

/** The players' characters: the service is asked, and its answer handed on. */
final class LobbyCharacters
{
    private final LobbyRequests requests;
    private final CharacterRequests characters;
    private final LobbyProxy answers;
    private final UnsafeBuffer name = new UnsafeBuffer(new byte[ArenaMessages.MAX_NAME_LENGTH]);

    LobbyCharacters(final LobbyRequests requests, final CharacterRequests characters, final LobbyProxy answers)
    {
        this.requests = requests;
        this.characters = characters;
        this.answers = answers;
    }

    void onList(final Seat from, final ListCharactersDecoder list)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.LIST, from, list.requestId(), ListCharactersDecoder.TEMPLATE_ID);
        if (requests.mayAsk(from, request))
        {
            requests.asked(from, request, characters.list(from.playerId()));
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
            answers.refused(from, request.requestId, code, request.templateId);
        }
        else if (requests.mayAsk(from, request))
        {
            requests.asked(from, request, characters.create(from.playerId(), name, 0, length));
        }
    }

    void onDelete(final Seat from, final DeleteCharacterDecoder delete)
    {
        final LobbyRequest request =
            new LobbyRequest(CharacterStore.DELETE, from, delete.requestId(), DeleteCharacterDecoder.TEMPLATE_ID)
            .character(delete.characterId());
        if (requests.mayAsk(from, request))
        {
            requests.asked(from, request, characters.delete(from.playerId(), request.characterId));
        }
    }

    /** The service has done what was asked. */
    void onDone(final Seat seat, final LobbyRequest request)
    {
        switch (request.kind)
        {
            case CharacterStore.LIST -> answers.characters(seat, request.requestId, characters.answer());
            case CharacterStore.CREATE ->
                answers.characterCreated(seat, request.requestId, characters.answer().characterId(0));
            default -> answers.characterDeleted(seat, request.requestId, request.characterId);
        }
    }
}
