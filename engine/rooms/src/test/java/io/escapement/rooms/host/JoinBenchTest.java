package io.escapement.rooms.host;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.JoinRequest;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.bench.BenchRequest;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Allocations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Joins that wait, on a bench: the guide's example, services that answer late or fail, and reloads. */
class JoinBenchTest
{
    private static final byte[] RED = "red".getBytes(StandardCharsets.US_ASCII);

    private final List<String> events = new ArrayList<>();

    @Test
    void shouldDoWhatTheGuideSays() throws IOException
    {
        final String page = Files.readString(Path.of("../guide/rooms-together.md"));
        final int begin = page.indexOf("```java\n", page.indexOf("# Admission that asks a service")) + 8;
        final String example = page.substring(begin, page.indexOf("```\n", begin));
        assertTrue(flat(Files.readString(Path.of("src/test/java/io/escapement/rooms/host/Door.java")))
            .contains(flat(example)), "the example is not in Door.java");

        final RoomBench bench = RoomBench.of(Door.TYPE).lateService(Door.TICKETS);
        final BenchSeat ann = bench.join(1);
        final BenchSeat ben = bench.join(2);
        final BenchSeat cat = bench.join(3);
        assertTrue(ann.isWaiting() && ben.isWaiting() && cat.isWaiting());
        assertEquals(-1, ann.index());
        final List<BenchRequest> requests = bench.requests();
        assertEquals(List.of(1L, 2L, 3L), requests.stream().map(BenchRequest::orderKey).collect(Collectors.toList()));
        assertEquals(0, requests.get(1).answer(0, RED));
        assertFalse(ben.isWaiting());
        assertTrue(ben.isPresent());
        assertEquals("red", new String(ben.answer(), StandardCharsets.US_ASCII));
        assertEquals(0, requests.get(0).refuse(RefusalCode.SERVICE_FAILED.value()));
        assertEquals(List.of(Door.NO_TICKET), ann.refusals());
        assertFalse(ann.isWaiting());
        assertEquals(0, ben.send("hello"));
        bench.runFor(3_000_000_000L);
        assertEquals(List.of(RefusalCode.JOIN_TIMEOUT.value()), cat.refusals());
        assertEquals(0, requests.get(2).answer(0, RED));
        assertEquals(-1, cat.index());
        assertEquals(RefusalCode.STALE_REPLY.value(), requests.get(2).answer(0, RED));
        assertEquals(List.of(), bench.requests());
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
    }

    @Test
    void shouldWithdrawAJoin()
    {
        final RoomBench bench = RoomBench.of(Door.TYPE).lateService(Door.TICKETS);
        final BenchSeat ann = bench.join(1);
        assertEquals(0, ann.cancelJoin());
        assertEquals(List.of(RefusalCode.JOIN_CANCELLED.value()), ann.refusals());
        assertFalse(ann.isWaiting());
        assertEquals(RefusalCode.NOT_JOINED.value(), ann.cancelJoin());
        final BenchSeat ben = bench.join(2);
        ben.disconnect();
        assertEquals(0, bench.host().seatsOccupied(bench.roomId()));
        bench.replayAndCompare();
    }

    @Test
    void shouldOutliveAReloadOfItsRoom()
    {
        final RoomType next = type(2, 2);
        final RoomBench bench = RoomBench.of(type(1, 2), next);
        final BenchSeat ann = bench.join(1);
        assertEquals(0, bench.reload(next));
        assertTrue(ann.isWaiting());
        tell(bench, 'b', 1);
        assertEquals("welcome", new String(ann.answer(), StandardCharsets.US_ASCII));
        bench.replayAndCompare();
    }

    @Test
    void shouldNotBeReloadedWithAnotherLimit()
    {
        final RoomType next = type(2, 3);
        final RoomBench bench = RoomBench.of(type(1, 2), next);
        assertEquals(RefusalCode.LIMIT_OVER_TYPE.value(), bench.reload(next));
        assertTrue(bench.failures().get(0).getMessage().contains("joinRequests"), bench.failures().toString());
    }

    /** A seat that stays reserved is not given to another player, which would be an object. */
    @Test
    void shouldAllocateNothing()
    {
        final RoomHost host = new RoomHost(new HostContext().outputs(new NoOutputs())
            .roomType(RoomType.of(1, "quiet", 1, QuietRoom::new).seats(4).joinRequests(4)));
        final RoomEncoder encoder = new RoomEncoder();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
        host.beginTurn(0);
        host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, 1, 1, 0, 0, 1, buffer, 0, 0));
        host.onCommand(buffer, 0, encoder.linkUp(buffer, 0, 50, 5));
        host.endTurn();
        final long[] nowNs = {0};
        final int[] refused = {0};
        final long allocated = Allocations.least(40, () ->
        {
            for (int i = 0; i < 2_000; i++)
            {
                host.beginTurn(++nowNs[0]);
                host.onCommand(buffer, 0, encoder.reserve(buffer, 0, 1, 7, 1_000_000_000_000L, 0, 0));
                host.onCommand(buffer, 0, encoder.join(buffer, 0, 1, 7, 9, 5, buffer, 0, 0));
                host.onCommand(buffer, 0, encoder.signal(buffer, 0, 1, 0, 0, buffer, 0, 8));
                host.onCommand(buffer, 0, encoder.join(buffer, 0, 1, 7, 9, 5, buffer, 0, 0));
                refused[0] += 0 == host.onCommand(buffer, 0, encoder.cancelJoin(buffer, 0, 1, 7, 9, 5)) ? 1 : 0;
                host.endTurn();
            }
        });
        assertEquals(0, allocated);
        assertTrue(refused[0] >= 2_000, "only " + refused[0]);
        assertTrue(host.refusals(AskingRoom.REFUSED) >= 2_000, "only " + host.refusals(AskingRoom.REFUSED));
    }

    private RoomType type(final int version, final int joins)
    {
        return RoomType.of(1, "asking", version, () -> new AskingRoom(events)).seats(4).joinRequests(joins);
    }

    private static void tell(final RoomBench bench, final char what, final long id)
    {
        final UnsafeBuffer data = new UnsafeBuffer(new byte[9]);
        data.putByte(0, (byte)what);
        data.putLong(1, id);
        final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);
        bench.command(command, 0, new RoomEncoder().signal(command, 0, bench.roomId(), 0, 0, data, 0, 9));
    }

    private static String flat(final String text)
    {
        return text.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }

    /** Lets every join wait, and refuses the last one at a signal. */
    private static final class QuietRoom implements RoomLogic
    {
        private Room room;
        private long last;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public int onJoinRequest(
            final JoinRequest request, final DirectBuffer args, final int offset, final int length)
        {
            last = request.id();
            return LATER;
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            room.refuse(last, AskingRoom.REFUSED);
        }
    }
}
