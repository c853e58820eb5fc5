package io.escapement.rooms.host;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.replay.Replay;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The connection of one player is lost while its trunk is up. */
class SeatDownTest
{
    private static final long ROOM = 1;
    private static final long GRACE_NS = 1_000_000_000;
    private static final int LINK = 3;
    private static final int OTHER_LINK = 4;
    private static final long TRUNK = 30;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final List<String> calls = new ArrayList<>();
    private final List<String> toLinks = new ArrayList<>();
    private final ByteSink log = new ByteSink();
    private RecordedHost recorded = new RecordedHost(context(), log);
    private RoomHost host = recorded.host;
    private long nowNs;

    SeatDownTest()
    {
        turn(encoder.openRoom(buffer, 0, ROOM, 1, 0, 0, 1, buffer, 0, 0), 0);
        turn(encoder.linkUp(buffer, 0, TRUNK, LINK), 0);
        turn(encoder.linkUp(buffer, 0, 40, OTHER_LINK), 0);
        turn(join(7, LINK), 0);
        turn(join(8, LINK), 0);
        toLinks.clear();
        calls.clear();
    }

    private HostContext context()
    {
        return new HostContext().build("test").roomType(RoomType.of(1, "noting", 1, Noting::new).graceNs(GRACE_NS))
            .outputs(new Links());
    }

    @Test
    void shouldHoldTheSeatAndReportItsEndToTheTrunk()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        assertEquals(List.of("away 7"), take(calls));
        assertEquals(List.of(), take(toLinks), "the trunk reported it itself");
        turn(encoder.message(buffer, 0, ROOM, 1, 0, 1, LINK, buffer, 0, 0), RefusalCode.SEAT_AWAY.value());
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), RefusalCode.SEAT_AWAY.value());
        assertEquals(List.of("3: refused 4 SEAT_AWAY", "3: refused 5 SEAT_AWAY"), take(toLinks));

        pass(2 * GRACE_NS);
        assertEquals(List.of("leave 7 GRACE_EXPIRED"), take(calls));
        assertEquals(List.of("3: left 0/1 GRACE_EXPIRED"), take(toLinks));
        assertReplays();
    }

    @Test
    void shouldReturnByAJoinThroughTheSameTrunk()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        turn(join(7, LINK), 0);
        assertEquals(List.of("away 7", "back 7"), take(calls));
        assertEquals(List.of("3: joined 0/1"), take(toLinks));
        pass(2 * GRACE_NS);
        assertEquals(List.of(), calls);
        assertReplays();
    }

    @Test
    void shouldReportToTheTrunkThatTheSeatMoved()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        turn(join(7, OTHER_LINK), 0);
        assertEquals(List.of("away 7", "back 7"), take(calls));
        assertEquals(List.of("3: away 0/1 MOVED", "4: joined 0/1"), take(toLinks));
        assertReplays();
    }

    @Test
    void shouldNotReturnWithItsTrunkButStillReportItsEnd()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        turn(encoder.linkDown(buffer, 0, LINK), 0);
        turn(encoder.linkResumed(buffer, 0, TRUNK, 5, LINK), 0);
        assertEquals(List.of("away 7", "away 8", "back 8"), take(calls));
        assertEquals(List.of("5: resumed 1/1"), take(toLinks));
        pass(2 * GRACE_NS);
        assertEquals(List.of("5: left 0/1 GRACE_EXPIRED"), take(toLinks));
        assertReplays();
    }

    @Test
    void shouldStayAwayInASnapshot()
    {
        turn(encoder.seatDown(buffer, 0, ROOM, 0, 1, LINK), 0);
        final long hash = host.stateHash();
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        recorded = new RecordedHost(RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length()));
        host = recorded.host;
        assertEquals(hash, host.stateHash());
        take(calls);
        turn(encoder.linkDown(buffer, 0, LINK), 0);
        turn(encoder.linkResumed(buffer, 0, TRUNK, LINK, LINK), 0);
        assertEquals(List.of("away 8", "back 8"), take(calls));
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
        assertEquals(List.of("4: refused 5 FOREIGN_SEAT", "3: refused 5 STALE_SEAT", "3: refused 5 STALE_SEAT",
            "3: refused 5 UNKNOWN_ROOM", "4: refused 6 FOREIGN_SEAT", "3: refused 6 UNKNOWN_ROOM"), toLinks);
        turn(encoder.stateLost(buffer, 0, ROOM, 0, 1, LINK), 0);
        assertEquals(List.of("lost 7"), calls);
        assertReplays();
    }

    private int join(final long player, final int link)
    {
        return encoder.join(buffer, 0, ROOM, player, player, link, buffer, 0, 0);
    }

    private void turn(final int length, final int code)
    {
        assertEquals(code, recorded.turn(++nowNs, buffer, length));
    }

    private void pass(final long ns)
    {
        nowNs += ns;
        recorded.turn(nowNs, buffer, 0);
    }

    private void assertReplays()
    {
        recorded.close();
        final Replay replay = new Replay(LogFile.open(log.buffer(), 0, log.length()), context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(host.stateHash(), replay.host().stateHash());
    }

    private static List<String> take(final List<String> list)
    {
        final List<String> taken = List.copyOf(list);
        list.clear();
        return taken;
    }

    /** Decodes what trunks receive. */
    private final class Links extends CountingOutputs
    {
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();

        @Override
        public void toLink(final int link, final DirectBuffer bytes, final int offset, final int length)
        {
            toLinks.add(link + ": " + switch (SchemaRules.templateId(bytes, offset))
            {
                case JoinedDecoder.TEMPLATE_ID ->
                {
                    final JoinedDecoder joined = new JoinedDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "joined " + joined.seatIndex() + "/" + joined.generation();
                }
                case SeatResumedDecoder.TEMPLATE_ID ->
                {
                    final SeatResumedDecoder seat = new SeatResumedDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "resumed " + seat.seatIndex() + "/" + seat.generation();
                }
                case SeatAwayDecoder.TEMPLATE_ID ->
                {
                    final SeatAwayDecoder away = new SeatAwayDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "away " + away.seatIndex() + "/" + away.generation() + " " +
                        AwayReason.values()[away.reason()];
                }
                case LeftDecoder.TEMPLATE_ID ->
                {
                    final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "left " + left.seatIndex() + "/" + left.generation() + " " +
                        LeaveReason.values()[left.reason()];
                }
                default ->
                {
                    final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "refused " + refused.templateId() + " " + RefusalCode.get(refused.code());
                }
            });
        }
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
