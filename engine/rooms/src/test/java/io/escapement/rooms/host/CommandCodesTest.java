package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryEncoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.NoOutputs;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The code that each command returns, and that the refusals of each code are counted. */
class CommandCodesTest
{
    private static final int TYPE = 1;
    private static final long ROOM = 1;
    private static final long NOWHERE = 99;
    private static final int UNKNOWN_ROOM = RefusalCode.UNKNOWN_ROOM.value();
    private static final int BAD_VALUE = RefusalCode.BAD_VALUE.value();
    private static final int NOT_RESERVED = RefusalCode.NOT_RESERVED.value();

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    private final RecordedEvents events = new RecordedEvents();
    private final RoomHost host = new RoomHost(new HostContext().outputs(new NoOutputs())
        .roomType(RoomType.of(TYPE, "plain", 1, Quiet::new).seats(2))
        .listener(events));

    @BeforeEach
    void beginATurn()
    {
        host.beginTurn(1);
    }

    @AfterEach
    void endTheTurn()
    {
        host.endTurn();
    }

    @Test
    void shouldRefuseEachCommandToARoomThatIsNotOpen()
    {
        assertCode(UNKNOWN_ROOM, encoder.message(buffer, 0, NOWHERE, 1, 0, 1, 0, bytes, 0, 8));
        assertCode(UNKNOWN_ROOM, encoder.signal(buffer, 0, NOWHERE, 0, 0, bytes, 0, 8));
        assertCode(UNKNOWN_ROOM, encoder.signal(buffer, 0, NOWHERE, 5, 1, bytes, 0, 8));
        assertCode(UNKNOWN_ROOM, encoder.reply(buffer, 0, NOWHERE, 1, 0, bytes, 0, 8));
        assertCode(UNKNOWN_ROOM, encoder.refusal(buffer, 0, NOWHERE, 1, RefusalCode.QUEUE_FULL.value()));
        assertCode(UNKNOWN_ROOM, encoder.join(buffer, 0, NOWHERE, 7, 1, 0, bytes, 0, 8));
        assertCode(UNKNOWN_ROOM, encoder.leave(buffer, 0, NOWHERE, 0, 1, 0));
        assertCode(UNKNOWN_ROOM, encoder.stateLost(buffer, 0, NOWHERE, 0, 1));
        assertCode(UNKNOWN_ROOM, encoder.reserve(buffer, 0, NOWHERE, 7, 1, 0, 0));
        assertCode(UNKNOWN_ROOM, entry(NOWHERE));
        assertCode(UNKNOWN_ROOM, encoder.closeRoom(buffer, 0, NOWHERE));
        assertCode(UNKNOWN_ROOM, encoder.kick(buffer, 0, NOWHERE, 7));
        assertEquals(12, host.refusals(UNKNOWN_ROOM));
        assertEquals(12, events.refusals.size());
        assertEquals(1, host.turn(), "a refused command is recorded, because the refusal is output");
    }

    @Test
    void shouldReturnTheCodesOfARoom()
    {
        open(ROOM, TYPE);
        assertCode(0, encoder.linkUp(buffer, 0, 1, 0));
        assertCode(0, encoder.signal(buffer, 0, ROOM, 0, 0, bytes, 0, 8));
        assertCode(0, entry(ROOM));
        assertCode(BAD_VALUE, entryOfUnknownChange());
        assertCode(RefusalCode.STALE_REPLY.value(), encoder.reply(buffer, 0, ROOM, 1, 0, bytes, 0, 8));
        assertCode(RefusalCode.STALE_REPLY.value(), encoder.refusal(buffer, 0, ROOM, 1, 1));
        assertCode(RefusalCode.STALE_SEAT.value(), encoder.stateLost(buffer, 0, ROOM, 0, 1));
        assertCode(RefusalCode.STALE_SEAT.value(), encoder.leave(buffer, 0, ROOM, 0, 1, 0));
        assertCode(RefusalCode.NOT_JOINED.value(), encoder.kick(buffer, 0, ROOM, 7));
        assertCode(RefusalCode.UNKNOWN_LINK.value(), encoder.join(buffer, 0, ROOM, 7, 1, 3, bytes, 0, 8));
        assertCode(BAD_VALUE, encoder.reserve(buffer, 0, ROOM, 7, -1, 0, 0));
        assertCode(NOT_RESERVED, encoder.reserve(buffer, 0, ROOM, 7, RoomCommands.RELEASE, 0, 0));
        assertCode(0, encoder.reserve(buffer, 0, ROOM, 7, 1, 0, 0));
        assertCode(0, encoder.reserve(buffer, 0, ROOM, 7, RoomCommands.RELEASE, 0, 0));
        assertCode(NOT_RESERVED, encoder.reserve(buffer, 0, ROOM, 7, RoomCommands.RELEASE, 0, 0));
        assertCode(0, encoder.reserve(buffer, 0, ROOM, 7, 1, 0, 0));
        assertCode(0, encoder.join(buffer, 0, ROOM, 7, 1, 0, bytes, 0, 8));
        assertCode(RefusalCode.ALREADY_JOINED.value(), encoder.reserve(buffer, 0, ROOM, 7, 1, 0, 0));
        assertCode(0, encoder.failedAt(buffer, 0, ROOM, 1_000));
        assertCode(0, encoder.kick(buffer, 0, ROOM, 7));
        assertCode(0, encoder.closeRoom(buffer, 0, ROOM));
        assertEquals(0, host.openRooms());
    }

    @Test
    void shouldReturnTheCodesOfTheHost()
    {
        assertCode(RefusalCode.TOO_SHORT.value(), 3);
        assertCode(RefusalCode.UNKNOWN_LINK.value(), encoder.linkResumed(buffer, 0, 1, 0, 1));
        assertCode(0, encoder.linkUp(buffer, 0, 1, 0));
        assertCode(RefusalCode.LINK_IN_USE.value(), encoder.linkResumed(buffer, 0, 1, 0, 1));
        assertCode(0, encoder.drain(buffer, 0, 1));
        assertEquals(1, host.refusals(RefusalCode.LINK_IN_USE.value()));
    }

    @Test
    void shouldRefuseToOpenARoomByItsIdOrType()
    {
        open(ROOM, TYPE);
        events.refusals.clear();
        assertCode(RefusalCode.ROOM_EXISTS.value(), opening(ROOM, TYPE));
        assertCode(RefusalCode.UNKNOWN_ROOM_TYPE.value(), opening(3, 9));
        assertCode(BAD_VALUE, opening(0, TYPE));
        assertCode(BAD_VALUE, opening(-1, TYPE));
        assertEquals(List.of("open 1 " + RefusalCode.ROOM_EXISTS.value(), "refused " + RefusalCode.ROOM_EXISTS.value(),
            "open 3 " + RefusalCode.UNKNOWN_ROOM_TYPE.value(), "refused " + RefusalCode.UNKNOWN_ROOM_TYPE.value(),
            "open 0 " + BAD_VALUE, "refused " + BAD_VALUE, "open -1 " + BAD_VALUE, "refused " + BAD_VALUE),
            events.refusals);
        assertEquals(1, host.openRooms());
    }

    @Test
    void shouldAnswerARepeatedRequestForARoomWithTheFirst()
    {
        open(ROOM, TYPE);
        assertCode(0, encoder.openRoom(buffer, 0, 2, 0, ROOM, 5, TYPE, bytes, 0, 0));
        final int answers = host.loopState().returns();
        events.refusals.clear();
        assertCode(0, encoder.openRoom(buffer, 0, 3, 0, ROOM, 5, TYPE, bytes, 0, 0));
        assertEquals(List.of("open 3 " + RefusalCode.ROOM_EXISTS.value()), events.refusals);
        assertEquals(2, host.openRooms());
        assertEquals(answers + 1, host.loopState().returns(), "it is answered again");
        assertCode(0, encoder.openRoom(buffer, 0, 2, 0, ROOM, 5, TYPE, bytes, 0, 0));
        assertEquals(1, events.refusals.size(), "the edge knows the room by this id");
    }

    @Test
    void shouldTakeCodesOfTheApplicationOnly()
    {
        open(ROOM, TYPE);
        assertCode(BAD_VALUE, encoder.kick(buffer, 0, ROOM, 7, Codes.FIRST_APPLICATION_CODE - 1));
        assertCode(RefusalCode.NOT_JOINED.value(), encoder.kick(buffer, 0, ROOM, 7, Codes.FIRST_APPLICATION_CODE));
        assertCode(RefusalCode.NOT_JOINED.value(), encoder.kick(buffer, 0, ROOM, 7, Codes.LAST_CODE));
        assertCode(BAD_VALUE, encoder.kick(buffer, 0, ROOM, 7, Codes.LAST_CODE + 1));
        assertCode(BAD_VALUE, encoder.closeRoom(buffer, 0, ROOM, Codes.FIRST_APPLICATION_CODE - 1));
        assertEquals(1, host.openRooms());
        assertCode(0, encoder.closeRoom(buffer, 0, ROOM, Codes.LAST_CODE));
        assertEquals(0, host.openRooms());
    }

    @Test
    void shouldReadACarriedCommandFromItsOffset()
    {
        final RoomHost second = new RoomHost(new HostContext().outputs(new NoOutputs())
            .loopState(LoopLimits.of(0, 2)).roomType(RoomType.of(TYPE, "plain", 1, Quiet::new)));
        second.beginTurn(1);
        second.onCommand(buffer, 0, opening(ROOM, TYPE));
        final UnsafeBuffer carrier = new UnsafeBuffer(new byte[512]);
        final int carried = encoder.signal(buffer, 0, ROOM, 1L << 54, 1, bytes, 0, 8);
        final int length = encoder.loopCommand(carrier, 24, 1, 1, buffer, 0, carried);
        assertEquals(0, second.onCommand(carrier, 24, length));
        assertEquals(RefusalCode.OLD_SEQUENCE.value(), second.onCommand(carrier, 24, length));
        second.endTurn();
    }

    private void open(final long roomId, final int type)
    {
        assertCode(0, opening(roomId, type));
    }

    private int opening(final long roomId, final int type)
    {
        return encoder.openRoom(buffer, 0, roomId, 1, 0, 0, type, bytes, 0, 0);
    }

    private int entry(final long roomId)
    {
        return encoder.directoryEntry(buffer, 0, roomId, 9, 1, 1, 1, 0, DirectoryChange.OPENED, bytes, 0, 0);
    }

    private int entryOfUnknownChange()
    {
        final int length = entry(ROOM);
        buffer.putByte(
            MessageHeaderEncoder.ENCODED_LENGTH + DirectoryEntryEncoder.changeEncodingOffset(), (byte)77);
        return length;
    }

    private void assertCode(final int expected, final int length)
    {
        final long before = host.refusals(expected);
        assertEquals(expected, host.onCommand(buffer, 0, length));
        assertEquals(0 == expected ? 0 : before + 1, host.refusals(expected));
    }
}
