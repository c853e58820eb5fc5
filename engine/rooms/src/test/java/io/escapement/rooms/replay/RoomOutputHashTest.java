package io.escapement.rooms.replay;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.FeedBeginsDecoder;
import io.escapement.codecs.trunk.JoinedEncoder;
import io.escapement.codecs.trunk.LeftEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RefusedEncoder;
import io.escapement.codecs.trunk.SeatAwayEncoder;
import io.escapement.codecs.trunk.SeatResumedEncoder;
import io.escapement.codecs.trunk.TurnDecoder;
import io.escapement.rooms.output.Outputs;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The hash has every kind of output of its room, with all its values, and no output of another room. */
class RoomOutputHashTest
{
    private static final long ROOM = 5;
    private static final long OTHER = 6;
    private static final int AT = 8;
    private static final int MAX_ID = 65_535;
    private static final int TRUNK_HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final RoomEncoder commands = new RoomEncoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @Test
    void shouldDifferForEveryOutputOfItsRoom()
    {
        final Set<Long> hashes = new HashSet<>();
        hashes.add(new RoomOutputHash(ROOM).value());
        final List<Consumer<Outputs>> outputs = outputsOf(ROOM);
        for (int i = 0; i < outputs.size(); i++)
        {
            final RoomOutputHash hash = new RoomOutputHash(ROOM);
            outputs.get(i).accept(hash);
            assertTrue(hashes.add(hash.value()), "output " + i);
        }
    }

    @Test
    void shouldIgnoreOutputOfOtherRooms()
    {
        final RoomOutputHash hash = new RoomOutputHash(ROOM);
        final long empty = hash.value();
        final List<Consumer<Outputs>> outputs = outputsOf(OTHER);
        for (int i = 0; i < outputs.size(); i++)
        {
            outputs.get(i).accept(hash);
            assertEquals(empty, hash.value(), "output " + i);
        }
        // The refusal of a signal is the answer of no room, not even of the one that gets it.
        hash.onCommand(buffer, AT, commands.refusal(buffer, AT, ROOM, 1, 2));
        hash.flush();
        assertEquals(empty, hash.value());
    }

    @Test
    void shouldRefuseOutputThatIsNone()
    {
        final RoomOutputHash hash = new RoomOutputHash(ROOM);
        final long empty = hash.value();
        final SchemaWalk trunk = new SchemaWalk("trunk.xml");
        // The loop sends these itself, from no room's output.
        final Set<Integer> own =
            Set.of(AcceptedDecoder.TEMPLATE_ID, TurnDecoder.TEMPLATE_ID, FeedBeginsDecoder.TEMPLATE_ID);
        trunk.walk((id) -> trunk.has(id, TrunkMessages.FIRST_LOOP_MESSAGE, MAX_ID) && !own.contains(id),
            (message, length) -> hash.toLink(1, message, 0, length));
        final SchemaWalk room = new SchemaWalk("room.xml");
        room.walk((id) -> room.isBetweenRooms(id) || OpenRoomDecoder.TEMPLATE_ID == id ||
            RequestDecoder.TEMPLATE_ID == id, (message, length) -> hash.onCommand(message, 0, length));
        room.walk((id) -> DirectoryEntryDecoder.TEMPLATE_ID == id || RequestDecoder.TEMPLATE_ID != id &&
                room.has(id, RoomCommands.FIRST_REQUEST_TEMPLATE_ID, RoomCommands.FIRST_LOG_TEMPLATE_ID),
            (message, length) -> hash.toEdge(message, 0, length));
        assertEquals(empty, hash.value());
    }

    private List<Consumer<Outputs>> outputsOf(final long room)
    {
        return List.of(
            (to) -> to.message(1, room, Outputs.EVENT, Outputs.ALL, 0, bytes, 0, 8),
            (to) -> to.message(2, room, Outputs.EVENT, Outputs.ALL, 0, bytes, 0, 8),
            (to) -> to.message(1, room, Outputs.STATE, Outputs.ALL, 0, bytes, 0, 8),
            (to) -> to.message(1, room, Outputs.EVENT, Outputs.MASK, 0, bytes, 0, 8),
            (to) -> to.message(1, room, Outputs.EVENT, Outputs.ALL, 3, bytes, 0, 8),
            (to) -> to.message(1, room, Outputs.EVENT, Outputs.ALL, 0, bytes, 0, 7),
            (to) -> to.toLink(1, buffer, AT, joined(room)),
            (to) -> to.toLink(2, buffer, AT, joined(room)),
            (to) -> to.toLink(1, buffer, AT, resumed(room)),
            (to) -> to.toLink(1, buffer, AT, away(room)),
            (to) -> to.toLink(1, buffer, AT, left(room)),
            (to) -> to.toLink(1, buffer, AT, refused(room)),
            (to) -> to.onCommand(buffer, AT, commands.signal(buffer, AT, 7, room, 1, bytes, 0, 8)),
            (to) -> to.onCommand(buffer, AT, commands.signal(buffer, AT, 8, room, 1, bytes, 0, 8)),
            (to) -> to.onCommand(buffer, AT, commands.reserve(buffer, AT, 7, 1, 1, room, 1)),
            (to) -> to.onCommand(buffer, AT, reply(room)),
            (to) -> to.onCommand(buffer, AT, commands.openRoom(buffer, AT, 0, 0, room, 1, 1, bytes, 0, 8)),
            (to) -> to.toEdge(buffer, AT, commands.subscribe(buffer, AT, room)),
            (to) -> to.toEdge(buffer, AT, commands.directoryEntry(
                buffer, AT, 0, room, 1, 1, 1, 1, DirectoryChange.LABEL, bytes, 0, 8)),
            (to) -> to.toApplication(buffer, AT, commands.reply(buffer, AT, 0, 1, 0, room, bytes, 0, 8)),
            (to) -> to.onCommand(buffer, AT, commands.request(buffer, AT, room, 1, 1, 1, bytes, 0, 8)),
            (to) -> to.onCommand(buffer, AT, commands.request(buffer, AT, room, 1, 1, 2, bytes, 0, 8)),
            (to) -> to.onCommand(buffer, AT, commands.request(buffer, AT, room, 1, 2, 1, bytes, 0, 8)));
    }

    private int joined(final long room)
    {
        return TRUNK_HEADER + new JoinedEncoder().wrapAndApplyHeader(buffer, AT, header).roomId(room).encodedLength();
    }

    private int resumed(final long room)
    {
        return TRUNK_HEADER +
            new SeatResumedEncoder().wrapAndApplyHeader(buffer, AT, header).roomId(room).encodedLength();
    }

    private int away(final long room)
    {
        return TRUNK_HEADER + new SeatAwayEncoder().wrapAndApplyHeader(buffer, AT, header).roomId(room).encodedLength();
    }

    private int left(final long room)
    {
        return TRUNK_HEADER + new LeftEncoder().wrapAndApplyHeader(buffer, AT, header).roomId(room).encodedLength();
    }

    private int refused(final long room)
    {
        return TRUNK_HEADER + new RefusedEncoder().wrapAndApplyHeader(buffer, AT, header).roomId(room).encodedLength();
    }

    private int reply(final long room)
    {
        final UnsafeBuffer id = new UnsafeBuffer(new byte[8]);
        id.putLong(0, room, ByteOrder.LITTLE_ENDIAN);
        return commands.reply(buffer, AT, 7, 1, 0, id, 0, 8);
    }
}
