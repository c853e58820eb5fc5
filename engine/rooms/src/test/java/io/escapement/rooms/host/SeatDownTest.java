package io.escapement.rooms.host;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The connection of one player is lost while its trunk is up. */
class SeatDownTest
{
    private static final long ROOM = 1;
    private static final long GRACE_NS = 1_000_000_000;
    private static final int LINK = 3;
    private static final int OTHER_LINK = 4;
    private static final long TRUNK = 30;

    private final List<String> calls = new ArrayList<>();
    private final HostRig rig = new HostRig(RoomType.of(1, "noting", 1, Noting::new).graceNs(GRACE_NS));
    private final RoomEncoder encoder = rig.encoder;
    private final UnsafeBuffer buffer = rig.buffer;

    SeatDownTest()
    {
        rig.open(ROOM, 1);
        turn(encoder.linkUp(buffer, 0, TRUNK, LINK), 0);
        turn(encoder.linkUp(buffer, 0, 40, OTHER_LINK), 0);
        rig.join(7, LINK);
        rig.join(8, LINK);
        rig.outputs.take();
        calls.clear();
    }

    @Test
    void shouldHoldTheSeatAndReportItsEndToTheTrunk()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        assertEquals(List.of("away 7"), HostRig.take(calls));
        assertEquals(List.of(), toLinks(), "the trunk reported it itself");
        turn(encoder.message(buffer, 0, ROOM, 1, 0, 1, LINK, buffer, 0, 0), RefusalCode.SEAT_AWAY.value());
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), RefusalCode.SEAT_AWAY.value());
        assertEquals(List.of("3: refused 1 SEAT_AWAY of 4", "3: refused 0 SEAT_AWAY of 5"), toLinks());

        rig.pass(2 * GRACE_NS);
        assertEquals(List.of("leave 7 GRACE_EXPIRED"), HostRig.take(calls));
        assertEquals(List.of("3: left 0/1 GRACE_EXPIRED 0"), toLinks());
        rig.assertReplays();
    }

    @Test
    void shouldReturnByAJoinThroughTheSameTrunk()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        assertEquals(0, rig.join(7, LINK));
        assertEquals(List.of("away 7", "back 7"), HostRig.take(calls));
        assertEquals(List.of("3: joined 107 0/1"), toLinks());
        rig.pass(2 * GRACE_NS);
        assertEquals(List.of(), calls);
        rig.assertReplays();
    }

    @Test
    void shouldReportToTheTrunkThatTheSeatMoved()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        assertEquals(0, rig.join(7, OTHER_LINK));
        assertEquals(List.of("away 7", "back 7"), HostRig.take(calls));
        assertEquals(List.of("3: away 0/1 MOVED", "4: joined 107 0/1"), toLinks());
        rig.assertReplays();
    }

    @Test
    void shouldNotReturnWithItsTrunkButStillReportItsEnd()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        turn(encoder.linkDown(buffer, 0, LINK), 0);
        turn(encoder.linkResumed(buffer, 0, TRUNK, 5, LINK), 0);
        assertEquals(List.of("away 7", "away 8", "back 8"), HostRig.take(calls));
        assertEquals(List.of("5: resumed 1/1"), toLinks());
        rig.pass(2 * GRACE_NS);
        assertEquals(List.of("5: left 0/1 GRACE_EXPIRED 0"), toLinks());
        rig.assertReplays();
    }

    @Test
    void shouldStayAwayInASnapshot()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        rig.restore();
        HostRig.take(calls);
        turn(encoder.linkDown(buffer, 0, LINK), 0);
        turn(encoder.linkResumed(buffer, 0, TRUNK, LINK, LINK), 0);
        assertEquals(List.of("away 8", "back 8"), HostRig.take(calls));
    }

    @Test
    void shouldRefuseAnotherTrunksSeatAndOneThatIsFree()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, OTHER_LINK), RefusalCode.FOREIGN_SEAT.value());
        turn(encoder.seatDown(buffer, 0, ROOM, 9, 1, LINK), RefusalCode.STALE_SEAT.value());
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 2, LINK), RefusalCode.STALE_SEAT.value());
        turn(encoder.seatDown(buffer, 0, 99, 0, 1, LINK), RefusalCode.UNKNOWN_ROOM.value());
        turn(encoder.stateLost(buffer, 0, ROOM, 0, 1, OTHER_LINK), RefusalCode.FOREIGN_SEAT.value());
        turn(encoder.stateLost(buffer, 0, 99, 0, 1, LINK), RefusalCode.UNKNOWN_ROOM.value());
        assertEquals(List.of(), calls);
        assertEquals(List.of("4: refused 0 FOREIGN_SEAT of 5", "3: refused 0 STALE_SEAT of 5",
            "3: refused 0 STALE_SEAT of 5", "3: refused 0 UNKNOWN_ROOM of 5", "4: refused 0 FOREIGN_SEAT of 6",
            "3: refused 0 UNKNOWN_ROOM of 6"), toLinks());
        turn(encoder.stateLost(buffer, 0, ROOM, 0, 1, LINK), 0);
        assertEquals(List.of("lost 7"), calls);
        rig.assertReplays();
    }

    private void turn(final int length, final int code)
    {
        assertEquals(code, rig.command(length));
    }

    /** The output to trunks, and of a refusal the template of the refused message. */
    private List<String> toLinks()
    {
        return rig.outputs.take(RecordedOutputs.Kind.LINK, (output) ->
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(output.bytes());
            final String text = RecordedOutputs.toLink(output);
            return RefusedDecoder.TEMPLATE_ID != SchemaRules.templateId(bytes, 0) ? text : text + " of " +
                new RefusedDecoder().wrapAndApplyHeader(bytes, 0, new MessageHeaderDecoder()).templateId();
        });
    }

    private final class Noting implements RoomLogic
    {
        @Override
        public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
        {
            calls.clear();
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putInt(1);
        }

        @Override
        public void onRestore(final Room room, final int version, final StateReader reader)
        {
            assertEquals(1, reader.getInt());
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            calls.add("message " + from.playerId());
        }

        @Override
        public void onAway(final Seat seat)
        {
            calls.add("away " + seat.playerId());
        }

        @Override
        public void onBack(final Seat seat)
        {
            calls.add("back " + seat.playerId());
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            calls.add("leave " + seat.playerId() + " " + reason);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            calls.add("lost " + seat.playerId());
        }
    }
}
