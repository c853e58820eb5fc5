package io.escapement.arena.room;

import io.escapement.arena.codecs.EnteredEncoder;
import io.escapement.arena.codecs.MessageHeaderEncoder;
import io.escapement.arena.codecs.WelcomeEncoder;
import io.escapement.arena.common.RoomMessages;
import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.RoomLogic;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An arena as somebody who only watches gets it: Welcome without an index, Entered of each player, and a picture, each
 * after its length in two bytes. Reading changes nothing.
 */
public final class ArenaPicture
{
    private static final int LENGTH = Short.BYTES;
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int TEXTS = 2 * (Short.BYTES + ArenaMessages.MAX_TEXT_LENGTH);
    private static final int CAPACITY = LENGTH + HEADER + WelcomeEncoder.BLOCK_LENGTH + TEXTS +
        ArenaMessages.MAX_PLAYERS * (LENGTH + HEADER + EnteredEncoder.BLOCK_LENGTH + TEXTS) +
        LENGTH + WorldWriter.MAX_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final byte[] bytes = new byte[CAPACITY];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private int position;

    private ArenaPicture()
    {
    }

    /**
     * Read an arena.
     *
     * @param logic of a room whose type is one of {@link ArenaRoom#isType}.
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
        final WelcomeEncoder welcome = new WelcomeEncoder().wrapAndApplyHeader(buffer, position + LENGTH, header)
            .roomId(shown.roomId()).subStep(shown.simulation().subStep())
            .mapFingerprint(shown.simulation().map().fingerprint())
            .rulesVersion(ArenaProxy.RULES_VERSION).playerIndex(RoomMessages.NO_INDEX)
            .putMapName(shown.settings().mapName, 0, shown.settings().mapName.capacity())
            .putRoomName(shown.settings().name, 0, shown.settings().name.capacity());
        end(HEADER + welcome.encodedLength());
    }

    void entered(final int player, final CharacterTable table)
    {
        final EnteredEncoder entered = new EnteredEncoder().wrapAndApplyHeader(buffer, position + LENGTH, header)
            .playerId(table.playerId(player)).characterId(table.characterIds[player]).playerIndex((short)player)
            .putName(table.names, table.nameOffset(player), table.nameLengths[player]);
        end(HEADER + entered.encodedLength());
    }

    void world(final WorldWriter writer)
    {
        end(writer.picture(buffer, position + LENGTH));
    }

    private void end(final int length)
    {
        buffer.putShort(position, (short)length, ByteOrder.LITTLE_ENDIAN);
        position += LENGTH + length;
    }
}
