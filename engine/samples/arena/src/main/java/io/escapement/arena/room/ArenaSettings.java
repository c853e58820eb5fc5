package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaLayout;
import io.escapement.arena.codecs.ChangeArenaDecoder;
import io.escapement.arena.codecs.MessageHeaderDecoder;
import io.escapement.arena.codecs.OpenArenaDecoder;
import io.escapement.arena.common.ArenaLabels;
import io.escapement.arena.common.ArenaMaps;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.codecs.Codes;
import io.escapement.matchmaking.codecs.OpenMatchDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The settings of an arena from its opening, which its owner may change, and its labels in the directory. */
final class ArenaSettings
{
    private static final byte[] DEFAULT_NAME = ArenaMessages.utf8("Arena");

    /** Wraps exactly the bytes of the name. */
    final UnsafeBuffer name = new UnsafeBuffer(DEFAULT_NAME);
    final UnsafeBuffer mapName = new UnsafeBuffer(ArenaMessages.utf8(ArenaMaps.DEFAULT));
    long lobbyRoomId;
    long ownerId;
    boolean hasPassword;

    /** Read the arguments of the opening by the lobby or a matchmaker. Without any: no owner and the default map. */
    void open(final DirectBuffer args, final int offset, final int length)
    {
        if (0 == length)
        {
            return;
        }
        final UnsafeBuffer view = new UnsafeBuffer(args, offset, length);
        if (length >= MessageHeaderDecoder.ENCODED_LENGTH &&
            OpenMatchDecoder.SCHEMA_ID == new MessageHeaderDecoder().wrap(view, 0).schemaId())
        {
            final OpenMatchDecoder match = new OpenMatchDecoder()
                .wrapAndApplyHeader(view, 0, new io.escapement.matchmaking.codecs.MessageHeaderDecoder());
            // The settings follow the players, which the lobby announces.
            match.players().forEach((player) -> {});
            final byte[] settings = new byte[match.settingsLength()];
            match.getSettings(settings, 0, settings.length);
            open(new UnsafeBuffer(settings), 0, settings.length);
            return;
        }
        final int code = ArenaLayout.RULES.validate(view, 0, length);
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(view, 0);
        if (0 != code || OpenArenaDecoder.TEMPLATE_ID != header.templateId())
        {
            throw new IllegalArgumentException("args of an arena: not an OpenArena message: " + Codes.nameOf(code));
        }
        final OpenArenaDecoder open = new OpenArenaDecoder().wrapAndApplyHeader(view, 0, header);
        lobbyRoomId = open.lobbyRoomId();
        ownerId = open.ownerId();
        hasPassword = 0 != open.hasPassword();
        final byte[] nameBytes = new byte[Math.min(open.nameLength(), ArenaMessages.NAME_LIMIT)];
        open.getName(nameBytes, 0, nameBytes.length);
        name.wrap(nameBytes);
        final byte[] mapBytes = new byte[open.mapNameLength()];
        open.getMapName(mapBytes, 0, mapBytes.length);
        mapName.wrap(mapBytes);
    }

    void change(final ChangeArenaDecoder change)
    {
        hasPassword = 0 != change.hasPassword();
        final byte[] bytes = new byte[Math.min(change.nameLength(), ArenaMessages.NAME_LIMIT)];
        change.getName(bytes, 0, bytes.length);
        name.wrap(bytes);
    }

    void publishLabels(final Room room)
    {
        final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
        room.label(ArenaLabels.NAME, name, 0, name.capacity());
        room.label(ArenaLabels.MAP, mapName, 0, mapName.capacity());
        value.putLong(0, ownerId, ByteOrder.LITTLE_ENDIAN);
        room.label(ArenaLabels.OWNER, value, 0, Long.BYTES);
        value.putByte(0, (byte)(hasPassword ? 1 : 0));
        room.label(ArenaLabels.PASSWORD, value, 0, 1);
    }

    void write(final StateWriter writer)
    {
        writer.putLong(lobbyRoomId);
        writer.putLong(ownerId);
        writer.putBoolean(hasPassword);
        writer.putBytes(name, 0, name.capacity());
        writer.putBytes(mapName, 0, mapName.capacity());
    }

    void read(final StateReader reader)
    {
        lobbyRoomId = reader.getLong();
        ownerId = reader.getLong();
        hasPassword = reader.getBoolean();
        read(reader, name);
        read(reader, mapName);
    }

    private static void read(final StateReader reader, final UnsafeBuffer to)
    {
        final byte[] bytes = new byte[Room.MAX_LABEL_LENGTH];
        final int length = reader.getBytes(new UnsafeBuffer(bytes), 0);
        to.wrap(bytes, 0, length);
    }
}
