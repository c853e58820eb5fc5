package io.escapement.rooms.host;

import io.escapement.codecs.MessageJoiner;
import io.escapement.codecs.MessageSplitter;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.LongMessages;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.output.ByteSink;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages of many parts between a room and its players, each seat's for itself. */
class LongMessagesTest
{
    private static final int LIMIT = 50_000;
    private static final int PAYLOAD = 512;
    /** The first byte of a message that the test does not keep. */
    private static final byte QUIET = 0x51;

    private final List<byte[]> received = new ArrayList<>();
    private final MessageSplitter splitter = new MessageSplitter();
    private final UnsafeBuffer part = new UnsafeBuffer(new byte[PAYLOAD]);

    private RoomType type(final int outputLimit)
    {
        return RoomType.of(1, "echo", 1, EchoRoom::new).seats(4).outputLimit(outputLimit);
    }

    private static byte[] message(final int length)
    {
        final byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    private void wrap(final byte[] message)
    {
        splitter.wrap(new UnsafeBuffer(message), 0, message.length, PAYLOAD);
    }

    private int sendNext(final BenchSeat seat)
    {
        final int code = seat.send(part, 0, splitter.encode(part, 0));
        splitter.advance();
        return code;
    }

    private void send(final BenchSeat seat, final byte[] message)
    {
        wrap(message);
        while (splitter.hasNext())
        {
            assertEquals(0, sendNext(seat));
        }
    }

    private static byte[] join(final List<byte[]> parts)
    {
        final MessageJoiner joiner = new MessageJoiner(LIMIT);
        for (final byte[] bytes : parts)
        {
            assertTrue(bytes.length <= Room.MAX_MESSAGE_LENGTH);
            assertEquals(0, joiner.onPart(new UnsafeBuffer(bytes), 0, bytes.length));
        }
        assertTrue(joiner.isComplete());
        final byte[] joined = new byte[joiner.length()];
        joiner.buffer().getBytes(0, joined);
        return joined;
    }

    @Test
    void shouldTakeAndSendLongMessages()
    {
        final RoomBench bench = RoomBench.of(type(64 * 1024));
        final BenchSeat first = bench.join(1);
        final BenchSeat second = bench.join(2);
        final byte[] message = message(LIMIT);
        send(first, message);
        assertArrayEquals(message, received.get(0));
        assertEquals(7, second.received().size());
        assertArrayEquals(message, join(second.received()));
        assertArrayEquals(message, join(first.received()));
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
    }

    /** The parts of two players come in turn, and a message of another kind comes between. */
    @Test
    void shouldKeepSeatsApart()
    {
        final RoomBench bench = RoomBench.of(type(64 * 1024));
        final BenchSeat[] seats = {bench.join(1), bench.join(2)};
        final byte[][] messages = {message(2_900), message(2_800)};
        final MessageSplitter[] splitters = {new MessageSplitter(), new MessageSplitter()};
        for (int i = 0; i < 2; i++)
        {
            splitters[i].wrap(new UnsafeBuffer(messages[i]), 0, messages[i].length, PAYLOAD);
        }
        while (splitters[0].hasNext())
        {
            for (int i = 0; i < 2; i++)
            {
                assertEquals(0, seats[i].send(part, 0, splitters[i].encode(part, 0)));
                splitters[i].advance();
                assertEquals(0, seats[i].send("short"));
            }
        }
        assertArrayEquals(messages[0], received.get(0));
        assertArrayEquals(messages[1], received.get(1));
        bench.replayAndCompare();
    }

    @Test
    void shouldRefuseHostileParts()
    {
        final RoomBench bench = RoomBench.of(type(64 * 1024));
        final BenchSeat seat = bench.join(1);
        wrap(message(3_000));
        splitter.advance();
        assertEquals(0, sendNext(seat));
        wrap(message(LIMIT + 1));
        sendNext(seat);
        assertEquals(List.of(RefusalCode.BAD_PART.value(), RefusalCode.TOO_LONG.value()), seat.refusals());
        assertEquals(List.of(), received);
        send(seat, message(3_000));
        assertEquals(1, received.size());
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
    }

    /** A player who returns, and one who has the seat next, begin with the first part. */
    @Test
    void shouldDropAMessageWhoseSeatGoesAway()
    {
        final RoomBench bench = RoomBench.of(type(64 * 1024).seats(1));
        final BenchSeat lost = bench.join(1);
        wrap(message(3_000));
        sendNext(lost);
        sendNext(lost);
        lost.disconnect();
        final BenchSeat back = bench.join(1);
        sendNext(back);
        assertEquals(List.of(RefusalCode.BAD_PART.value()), back.refusals());
        splitter.restart();
        sendNext(back);
        back.leave();
        final BenchSeat next = bench.join(2);
        assertEquals(lost.index(), next.index());
        sendNext(next);
        assertEquals(List.of(RefusalCode.BAD_PART.value()), next.refusals());
        assertEquals(List.of(), received);
    }

    /** A part without space puts the seat away, so that no client joins a message with a gap. */
    @Test
    void shouldSendAllPartsOrPutTheSeatAway()
    {
        final RoomBench bench = RoomBench.of(type(20_000));
        final BenchSeat seat = bench.join(1);
        send(seat, message(30_000));
        assertFalse(seat.isPresent());
        assertEquals(2, seat.received().size());
        final BenchSeat back = bench.join(1);
        send(back, message(10_000));
        assertArrayEquals(message(10_000), join(back.received()));
    }

    @Test
    void shouldGoOnInTheMiddleOfAMessageAfterARestore()
    {
        final HostRig rig = new HostRig(type(64 * 1024));
        rig.turn(1, () ->
        {
            rig.open(1, 1);
            rig.linkUp(0);
            rig.join(1, 1, 0);
        });
        wrap(message(1_500));
        for (int i = 1; i <= 2; i++)
        {
            final int number = i;
            rig.turn(1 + i, () -> assertEquals(0, rig.command(rig.encoder.message(
                rig.buffer, 0, 1, number, 0, 1, 0, part, 0, splitter.encode(part, 0)))));
            splitter.advance();
        }
        final ByteSink sink = new ByteSink();
        rig.host.snapshot(sink);
        final RoomHost restored = RoomHost.restore(rig.context(), sink.buffer(), 0, sink.length());
        assertEquals(rig.host.stateHash(), restored.stateHash());
        for (int i = 3; splitter.hasNext(); i++)
        {
            final int length = splitter.encode(part, 0);
            for (final RoomHost host : List.of(rig.host, restored))
            {
                host.beginTurn(i);
                assertEquals(0, host.onCommand(
                    rig.buffer, 0, rig.encoder.message(rig.buffer, 0, 1, i, 0, 1, 0, part, 0, length)));
                host.endTurn();
            }
            splitter.advance();
        }
        assertEquals(2, received.size());
        assertArrayEquals(message(1_500), received.get(0));
        assertArrayEquals(received.get(0), received.get(1));
        assertEquals(rig.host.stateHash(), restored.stateHash());
    }

    @Test
    void shouldAllocateNothing()
    {
        final HostRig rig = new HostRig(type(64 * 1024));
        final HostContext context = rig.context();
        final RoomHost host = new RoomHost(context);
        host.beginTurn(1);
        host.onCommand(rig.buffer, 0, rig.encoder.openRoom(rig.buffer, 0, 1, 1, 0, 0, 1, rig.payload, 0, 0));
        host.onCommand(rig.buffer, 0, rig.encoder.linkUp(rig.buffer, 0, 1, 0));
        host.onCommand(rig.buffer, 0, rig.encoder.join(rig.buffer, 0, 1, 1, 1, 0, rig.payload, 0, 0));
        host.endTurn();
        final UnsafeBuffer message = new UnsafeBuffer(message(20_000));
        message.putByte(0, QUIET);
        final long[] sequence = {0};
        final Runnable turns = () ->
        {
            for (int i = 0; i < 20; i++)
            {
                splitter.wrap(message, 0, 20_000, PAYLOAD);
                while (splitter.hasNext())
                {
                    final int length = splitter.encode(part, 0);
                    splitter.advance();
                    host.beginTurn(1 + ++sequence[0]);
                    host.onCommand(rig.buffer, 0, rig.encoder.message(
                        rig.buffer, 0, 1, sequence[0], 0, 1, 0, part, 0, length));
                    host.endTurn();
                }
            }
        };
        for (int i = 0; i < 20; i++)
        {
            turns.run();
        }
        assertEquals(0, Allocations.least(6, turns));
    }

    @Test
    void shouldRefuseMoreMemoryThanARoomMayHave()
    {
        final Quiet logic = new Quiet();
        final HostRig rig = new HostRig(RoomType.of(1, "large", 1, () -> logic).seats(200));
        rig.turn(1, () -> rig.open(1, 1));
        logic.onSignal = () -> assertThrows(IllegalArgumentException.class,
            () -> new LongMessages(
                logic.room, MessageSplitter.MAX_MESSAGE_LENGTH, (from, buffer, offset, length) -> { }));
        rig.turn(2, () -> rig.command(rig.encoder.signal(rig.buffer, 0, 1, 0, 0, rig.payload, 0, 0)));
        assertEquals(List.of(), rig.failures);
    }

    /** Sends each long message to everyone. */
    private final class EchoRoom extends Quiet
    {
        private LongMessages longMessages;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            longMessages = new LongMessages(opened, LIMIT, this::onWhole);
        }

        private void onWhole(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (QUIET != buffer.getByte(offset))
            {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                received.add(bytes);
            }
            longMessages.send(room.everyone(), buffer, offset, length);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final int code = LongMessages.isPart(buffer, offset, length) ?
                longMessages.onPart(from, buffer, offset, length) : 0;
            if (0 != code)
            {
                room.refuse(from, code);
            }
        }

        @Override
        public void onAway(final Seat seat)
        {
            longMessages.forget(seat);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            longMessages.forget(seat);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            longMessages.write(writer);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            longMessages = new LongMessages(restored, LIMIT, this::onWhole);
            longMessages.read(reader);
        }
    }
}
