package io.escapement.arena.lobby;

import io.escapement.accounts.NameKeys;
import io.escapement.arena.common.CharacterStore;
import io.escapement.arena.common.Texts;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** A request of a player for which the lobby waits for an answer. */
final class LobbyRequest
{
    /** The kinds of the lobby. Smaller kinds belong to {@link CharacterStore}. */
    static final int OPEN = 16;
    static final int ENTER_AS = 17;
    static final int RESERVE = 18;
    /** The service reads the characters of a player that wants a match. */
    static final int MATCH_AS = 19;
    /** The matchmaker looks for a match. */
    static final int MATCH = 20;
    /** The player stopped waiting before the service answered. */
    static final int MATCH_CANCELLED = 21;

    int kind;
    int seatIndex;
    int generation;
    long playerId;
    long requestId;
    int templateId;
    long roomId;
    long characterId;
    int seats;
    byte[] name = {};
    byte[] mapName = {};
    long salt;
    byte[] hash = {};
    private NameKeys keys;

    LobbyRequest()
    {
    }

    LobbyRequest(final int kind, final Seat from, final long requestId, final int templateId)
    {
        this.kind = kind;
        seatIndex = from.index();
        generation = from.generation();
        playerId = from.playerId();
        this.requestId = requestId;
        this.templateId = templateId;
    }

    LobbyRequest character(final long newCharacterId)
    {
        characterId = newCharacterId;
        return this;
    }

    /** Of the arena's name, which does not change. */
    NameKeys keys()
    {
        keys = null == keys ? Texts.keys(name) : keys;
        return keys;
    }

    void write(final StateWriter writer)
    {
        writer.putInt(kind);
        writer.putInt(seatIndex);
        writer.putInt(generation);
        writer.putLong(playerId);
        writer.putLong(requestId);
        writer.putInt(templateId);
        writer.putLong(roomId);
        writer.putLong(characterId);
        writer.putInt(seats);
        writer.putLong(salt);
        Texts.write(writer, name);
        Texts.write(writer, mapName);
        Texts.write(writer, hash);
    }

    static LobbyRequest read(final StateReader reader)
    {
        final LobbyRequest request = new LobbyRequest();
        request.kind = reader.getInt();
        request.seatIndex = reader.getInt();
        request.generation = reader.getInt();
        request.playerId = reader.getLong();
        request.requestId = reader.getLong();
        request.templateId = reader.getInt();
        request.roomId = reader.getLong();
        request.characterId = reader.getLong();
        request.seats = reader.getInt();
        request.salt = reader.getLong();
        request.name = Texts.read(reader);
        request.mapName = Texts.read(reader);
        request.hash = Texts.read(reader);
        return request;
    }
}
