package io.escapement.rooms.replay;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RecordedHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The commands of a log that concern one room: its own, and each kind that concerns the whole host. */
class RoomCutCommandsTest
{
    private static final long ROOM_ID = 5;
    private static final long OTHER_ROOM_ID = 6;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final ByteSink whole = new ByteSink();
    private final ByteSink own = new ByteSink();
    private final RecordedHost recorded = new RecordedHost(context().outputs(NoOutputs.NONE), whole);
    private final List<UnsafeBuffer> expected = new ArrayList<>();

    @Test
    void shouldKeepTheCommandsThatConcernARoom()
    {
        recorded.turn(100, () ->
        {
            kept(encoder.linkUp(buffer, 0, 101, 1));
            command(encoder.openRoom(buffer, 0, OTHER_ROOM_ID, 1, 0, 0, 7, buffer, 0, 0));
            kept(encoder.openRoom(buffer, 0, ROOM_ID, 1, 0, 0, 7, buffer, 0, 0));
        });
        recorded.turn(200, () ->
        {
            command(encoder.failedAt(buffer, 0, OTHER_ROOM_ID, 2));
            command(signal(OTHER_ROOM_ID));
        });
        recorded.turn(300, () ->
        {
            expected.add(bytes(encoder.failedAt(buffer, 0, ROOM_ID, 2)));
            command(encoder.failedAt(buffer, 0, OTHER_ROOM_ID, 3));
            command(encoder.failedAt(buffer, 0, ROOM_ID, 2));
            kept(encoder.linkDown(buffer, 0, 1));
            kept(encoder.linkResumed(buffer, 0, 101, 2, 1));
            kept(encoder.linkStateLost(buffer, 0, 2));
            kept(encoder.setRate(buffer, 0, 7, 30));
            // Its first field is a time, which is no room's id.
            kept(encoder.drain(buffer, 0, ROOM_ID));
            kept(signal(ROOM_ID));
        });
        recorded.close();
        final RoomCut cut = new RoomCut(
            LogFile.open(whole.buffer(), 0, whole.length()), ROOM_ID, RoomCutCommandsTest::context, own).run();
        assertTrue(cut.isSame(), cut.difference());
        assertEquals(2, cut.commands());
        assertEquals(2, cut.ownTurns());
        assertEquals(0, cut.stateHash(), "it has failed");
        final LoggedTurns turns = new LoggedTurns(LogFile.open(own.buffer(), 0, own.length()));
        final List<UnsafeBuffer> actual = new ArrayList<>();
        final List<Long> times = new ArrayList<>();
        while (turns.next())
        {
            times.add(turns.proposal.nowNs());
            turns.forEachCommand((source, offset, length) -> actual.add(new UnsafeBuffer(source, offset, length)));
        }
        assertEquals(expected, actual);
        assertEquals(List.of(100L, 300L), times);
        assertFalse(cut.isCutOff());
    }

    private void kept(final int length)
    {
        expected.add(bytes(length));
        command(length);
    }

    private void command(final int length)
    {
        recorded.onCommand(buffer, 0, length);
    }

    private UnsafeBuffer bytes(final int length)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, buffer, 0, length);
        return copy;
    }

    private int signal(final long roomId)
    {
        return encoder.signal(buffer, 0, roomId, 0, 0, buffer, 0, 0);
    }

    private static HostContext context()
    {
        return new HostContext().roomType(RoomType.of(7, "quiet", 1, () -> new RoomLogic()
        {
            @Override
            public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
            {
            }

            @Override
            public void onMessage(final Seat from, final DirectBuffer source, final int offset, final int length)
            {
            }

            @Override
            public void onSnapshot(final StateWriter writer)
            {
            }
        }));
    }
}
