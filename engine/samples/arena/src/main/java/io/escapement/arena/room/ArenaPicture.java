package io.escapement.arena.room;

import io.escapement.arena.codecs.ArenaEncoder;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.RoomLogic;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An arena for a spectator: Welcome without an index, Entered of each player, and a picture, each after its length in
 * two bytes. Reading does not change the arena.
 */
public final class ArenaPicture
{
    private static final int LENGTH = Short.BYTES;
    private static final int CAPACITY =
        LENGTH + ArenaEncoder.welcomeLength(ArenaMessages.MAX_MAP_LENGTH, ArenaMessages.MAX_NAME_LENGTH) +
        ArenaMessages.MAX_PLAYERS * (LENGTH + ArenaEncoder.enteredLength(ArenaMessages.MAX_NAME_LENGTH)) +
        LENGTH + WorldWriter.MAX_LENGTH;

    private final ArenaEncoder messages = new ArenaEncoder();
    private final byte[] bytes = new byte[CAPACITY];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private int position;

    private ArenaPicture()
    {
    }

    /**
     * Read an arena.
     *
     * @param logic of a room with a type of {@link ArenaRoom#isType}.
     * @return the messages.
     */
    public static byte[] of(final RoomLogic logic)
    {
        final ArenaPicture picture = new ArenaPicture();
        ((ArenaRoom)logic).picture(picture);
        return Arrays.copyOf(picture.bytes, picture.position);
    }

    void welcome(final ArenaRoom.Shown shown)
    {
        final DirectBuffer mapName = shown.settings().mapName;
        final DirectBuffer name = shown.settings().name;
        end(messages.welcome(buffer, position + LENGTH, shown.roomId(), shown.simulation().subStep(),
            shown.simulation().map().fingerprint(), ArenaProxy.RULES_VERSION, RoomMessages.NO_INDEX, mapName, 0,
            mapName.capacity(), name, 0, name.capacity()));
    }

    void entered(final int player, final CharacterTable table, final long newUntil)
    {
        end(messages.entered(buffer, position + LENGTH, table.playerId(player), table.characterIds[player],
            newUntil, player, table.names, table.nameOffset(player), table.nameLengths[player]));
    }

    void world(final WorldWriter writer)
    {
        end(writer.fullState(buffer, position + LENGTH));
    }

    private void end(final int length)
    {
        buffer.putShort(position, (short)length, ByteOrder.LITTLE_ENDIAN);
        position += LENGTH + length;
    }
}
