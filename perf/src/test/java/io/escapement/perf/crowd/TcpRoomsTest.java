package io.escapement.perf.crowd;

import io.escapement.testsupport.Tests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The TCP peer on a channel without a socket; time is stepped by hand. */
class TcpRoomsTest
{
    private static final int SEATS = 2;
    private static final int STATE = 64;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CrowdPlan plan = CommandLine.populateCommand(
        new CrowdPlan(), "--rooms=3", "--seats=" + SEATS, "--hz=50", "--state=" + STATE, "--trunks=1")
        .forRun(0, 3, 2, 0, List.of(List.of(new LoadPhase(1, 1))));
    private final CachedNanoClock clock = new CachedNanoClock();
    private final TcpRooms rooms = new TcpRooms(plan, clock);
    private final EmbeddedChannel timer = new EmbeddedChannel();
    private final EmbeddedChannel channel = new EmbeddedChannel(new TcpConnection(rooms, 100));

    @BeforeEach
    void start()
    {
        clock.update(1);
        timer.freezeTime();
        rooms.start(timer.eventLoop());
        rooms.isMeasuring = true;
    }

    @AfterEach
    void close()
    {
        channel.finishAndReleaseAll();
        timer.finishAndReleaseAll();
    }

    @Test
    void shouldAnswerAMoveAtOnceAndSendItInTheNextState()
    {
        receive(channel, join(4, 1), join(5, 1));
        assertEquals(List.of("joined 4 in 1 at 0", "joined 5 in 1 at 1"), sent(channel));

        receive(channel, move(5, 77));
        assertEquals(List.of("answer 5: 77"), sent(channel));

        passFrames(1);
        assertEquals(List.of("state of 1: 1, moves 0 77"), sent(channel), "one for both players");
        passFrames(1);
        assertEquals(List.of("state of 1: 2, moves 0 77"), sent(channel));
        assertEquals(4, rooms.statesSent.sum(), "counted once per player");
    }

    @Test
    void shouldSendAStateOnceToEachConnection()
    {
        final EmbeddedChannel other = new EmbeddedChannel(new TcpConnection(rooms, 100));
        receive(channel, join(0, 0), join(2, 2));
        receive(other, join(1, 0));
        sent(channel);
        sent(other);
        passFrames(1);
        assertEquals(List.of("state of 0: 1, moves 0 0", "state of 2: 1, moves 0 0"), sent(channel));
        assertEquals(List.of("state of 0: 1, moves 0 0"), sent(other));

        receive(other, move(1, 3));
        other.finishAndReleaseAll();
        receive(channel, join(1, 0));
        assertEquals(List.of("joined 1 in 0 at 1"), sent(channel), "the seat of a closed connection is free");
        passFrames(1);
        assertEquals(List.of("state of 0: 2, moves 0 0", "state of 2: 2, moves 0 0"), sent(channel));
    }

    @Test
    void shouldDecodeFramesSplitAnywhere()
    {
        final long seed = Tests.seed();
        final SplittableRandom random = new SplittableRandom(seed);
        receive(channel, join(0, 0));
        sent(channel);
        final List<String> expected = new ArrayList<>();
        final ByteBuf stream = Unpooled.buffer();
        for (int i = 1; i <= 200; i++)
        {
            stream.writeBytes(move(0, i));
            expected.add("answer 0: " + i);
        }
        while (stream.isReadable())
        {
            receive(channel, stream.readBytes(Math.min(stream.readableBytes(), 1 + random.nextInt(60))));
        }
        stream.release();
        assertEquals(expected, sent(channel), "seed " + seed);
    }

    @Test
    void shouldDropStatesOfAConnectionThatIsNotWritable()
    {
        receive(channel, join(0, 0), join(1, 0));
        sent(channel);
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        assertFalse(channel.config().isAutoRead(), "moves are still read");
        passFrames(3);
        assertEquals(List.of(), sent(channel));
        assertEquals(3, rooms.statesDropped.get());

        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();
        assertTrue(channel.config().isAutoRead());
        passFrames(1);
        assertEquals(List.of("state of 0: 4, moves 0 0"), sent(channel));
        assertEquals(8, rooms.statesSent.sum(), "dropped states are not delivered");
    }

    @Test
    void shouldCountFramesThatNeverRan()
    {
        passFrames(1);
        assertEquals(0, rooms.missed.get());
        pass(5 * PERIOD_NS + 3_000);
        assertEquals(4 * plan.rooms, rooms.missed.get());
        assertEquals(6 * plan.rooms, rooms.lateness.getIntervalHistogram().getTotalCount());

        pass(PERIOD_NS - 3_000);
        assertEquals(4 * plan.rooms, rooms.missed.get(), "the next frame is on the grid");
        assertEquals(7 * plan.rooms, 6 * plan.rooms + rooms.lateness.getIntervalHistogram().getTotalCount());
    }

    @Test
    void shouldCloseAConnectionThatBreaksTheProtocol()
    {
        final EmbeddedChannel owner = new EmbeddedChannel(new TcpConnection(rooms, 100));
        receive(owner, join(3, 0));
        assertCloses("another's player", move(3, 1));
        assertCloses("no player", move(-1, 1));
        assertCloses("too many players", join(6, 0));
        assertCloses("a seat taken twice", join(3, 1));
        assertCloses("no room", join(2, 9));
        assertCloses("an unknown type", frame(9, 0, TcpWire.HEADER));
        assertCloses("a move of another length", frame(TcpWire.MOVE, 3, TcpWire.MOVE_LENGTH - 1));
        assertCloses("no length", frame(TcpWire.MOVE, 3, 0));
        assertCloses("a long frame", frame(TcpWire.MOVE, 3, 60_000));
        assertTrue(owner.isOpen());
        owner.finishAndReleaseAll();
    }

    private void assertCloses(final String what, final ByteBuf bytes)
    {
        final EmbeddedChannel bad = new EmbeddedChannel(new TcpConnection(rooms, 100));
        receive(bad, bytes);
        // Once more, because a frame may look incomplete.
        if (bad.isOpen())
        {
            receive(bad, Unpooled.wrappedBuffer(new byte[64]));
        }
        assertFalse(bad.isOpen(), what);
        assertEquals(List.of(), sent(bad), what);
        bad.finishAndReleaseAll();
    }

    private void passFrames(final int frames)
    {
        for (int i = 0; i < frames; i++)
        {
            pass(PERIOD_NS);
        }
    }

    private void pass(final long ns)
    {
        clock.advance(ns);
        timer.advanceTimeBy(ns, TimeUnit.NANOSECONDS);
        timer.runScheduledPendingTasks();
    }

    private static void receive(final EmbeddedChannel channel, final ByteBuf... frames)
    {
        channel.writeInbound((Object)Unpooled.wrappedBuffer(frames));
    }

    private ByteBuf join(final int player, final int room)
    {
        return frame(TcpWire.JOIN, player, TcpWire.JOIN_LENGTH).writeLongLE(plan.roomId(room));
    }

    private static ByteBuf move(final int player, final int number)
    {
        final byte[] payload = new byte[CrowdMessages.MOVE_LENGTH];
        CrowdMessages.move(new UnsafeBuffer(payload), 123_456, number, player);
        return frame(TcpWire.MOVE, player, TcpWire.MOVE_LENGTH).writeBytes(payload);
    }

    private static ByteBuf frame(final int type, final int id, final int length)
    {
        return Unpooled.buffer().writeShortLE(length).writeShortLE(type).writeIntLE(id);
    }

    /** Frames that were flushed, in words. */
    private static List<String> sent(final EmbeddedChannel channel)
    {
        final ByteBuf all = Unpooled.buffer();
        for (ByteBuf out = channel.readOutbound(); null != out; out = channel.readOutbound())
        {
            all.writeBytes(out);
            out.release();
        }
        final UnsafeBuffer bytes = new UnsafeBuffer(all.array(), 0, all.readableBytes());
        final List<String> frames = new ArrayList<>();
        int offset = 0;
        while (offset < bytes.capacity())
        {
            final int length = bytes.getShort(offset);
            final int id = bytes.getInt(offset + TcpWire.ID);
            final int payload = offset + TcpWire.HEADER;
            frames.add(switch (bytes.getShort(offset + TcpWire.TYPE))
            {
                case TcpWire.JOINED -> "joined " + id + " in " + bytes.getInt(payload) + " at " +
                    bytes.getInt(payload + Integer.BYTES);
                case TcpWire.ANSWER -> "answer " + id + ": " + CrowdMessages.number(bytes, payload);
                case TcpWire.STATE -> state(id, bytes, payload, length - TcpWire.HEADER);
                default -> "unknown";
            });
            offset += length;
        }
        all.release();
        return frames;
    }

    private static String state(final int room, final DirectBuffer bytes, final int offset, final int length)
    {
        assertEquals(STATE, length);
        assertTrue(CrowdMessages.isWholeState(bytes, offset, length, SEATS), "a broken state");
        assertTrue(CrowdMessages.isMeasured(bytes, offset));
        return "state of " + room + ": " + CrowdMessages.stateNumber(bytes, offset) + ", moves " +
            CrowdMessages.lastMove(bytes, offset, 0) + " " + CrowdMessages.lastMove(bytes, offset, 1);
    }
}
