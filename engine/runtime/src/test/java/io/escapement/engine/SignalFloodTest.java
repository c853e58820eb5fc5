package io.escapement.engine;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two loops flood each other with signals through full inboxes: neither waits, and what is refused is said. */
@RealTime("a flood through an engine with threads")
class SignalFloodTest
{
    private static final int TYPE = 1;
    private static final int A_FRAME = 120;
    private static final boolean IS_FULL = Tests.isFull();
    private static final int FRAMES = IS_FULL ? 2_000 : 60;
    private static final int PAIRS = 3;
    private static final int LENGTH = 1_900;

    private final List<Flooding> rooms = new ArrayList<>();
    private volatile boolean isOver;

    @Test
    void shouldKeepOrderAndCountRefusals()
    {
        for (final ThreadingMode mode : List.of(ThreadingMode.INVOKER, ThreadingMode.SHARED))
        {
            rooms.clear();
            isOver = false;
            try (TestEngine engine = new TestEngine(new EngineContext().loops(2).inboxSlots(16).ringSlots(16)
                .roomType(RoomType.of(TYPE, "flooding", 1, this::room).requests(4_096)), mode))
            {
                final RoomHandle[] handles = new RoomHandle[2 * PAIRS];
                for (int i = 0; i < handles.length; i++)
                {
                    handles[i] = open(engine, i);
                }
                final UnsafeBuffer other = new UnsafeBuffer(new byte[Long.BYTES]);
                for (int i = 0; i < handles.length; i++)
                {
                    other.putLong(0, handles[i ^ 1].roomId());
                    final RoomHandle handle = handles[i];
                    engine.await("the inbox", () -> handle.signal(other, 0, Long.BYTES));
                }
                // How many get through in a frame is the host's affair: the flood lasts until there were enough.
                engine.await("signals to come through", () -> 0, this::isEnough);
                isOver = true;
                engine.await("the flood to end", this::isDone);
                final DrainReport report = engine.drain(() -> {}, TimeUnit.SECONDS.toNanos(5));
                assertTrue(report.isClean(), report::toString);
            }
            long refused = 0;
            for (int i = 0; i < 2 * PAIRS; i++)
            {
                final Flooding room = rooms.get(i);
                assertEquals(null, room.wrong, mode.toString());
                assertEquals(room.sent, rooms.get(i ^ 1).received + room.refused, mode + ": sent = received + refused");
                refused += room.refused;
            }
            assertTrue(refused > 0, mode + ": the inbox was never full");
        }
    }

    /** One after the other, so that they lie on the two loops in turn and are known by their place. */
    private RoomHandle open(final TestEngine engine, final int place)
    {
        final RoomHandle handle = engine.engine().openRoom(TYPE);
        engine.await("a room", () -> place + 1 == rooms());
        return handle;
    }

    private boolean isEnough()
    {
        return rooms.stream().allMatch((room) ->
            null != room.wrong || room.frames >= FRAMES && room.received > FRAMES);
    }

    private boolean isDone()
    {
        for (int i = 0; i < rooms.size(); i++)
        {
            final Flooding from = rooms.get(i);
            if (null == from.wrong && !(from.isSilent && from.sent == rooms.get(i ^ 1).received + from.refused))
            {
                return false;
            }
        }
        return true;
    }

    private synchronized int rooms()
    {
        return rooms.size();
    }

    private synchronized RoomLogic room()
    {
        final Flooding room = new Flooding();
        rooms.add(room);
        return room;
    }

    /** Sends the other many numbered signals a frame, and looks at the numbers that come. */
    private final class Flooding implements RoomLogic
    {
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[LENGTH]);
        private Room room;
        private long otherRoomId;
        private long lastHeard;
        private volatile int frames;
        private volatile boolean isSilent;
        private volatile long sent;
        private volatile long received;
        private volatile long refused;
        private volatile String wrong;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(1_000);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            // Nobody is here.
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            isSilent = isOver;
            if (0 != otherRoomId && !isSilent)
            {
                frames++;
                for (int i = 0; i < A_FRAME; i++)
                {
                    out.putLong(0, ++sent);
                    room.signal(otherRoomId, out, 0, LENGTH);
                }
            }
        }

        @Override
        public void onSignal(
            final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 == fromRoomId)
            {
                otherRoomId = buffer.getLong(offset);
                return;
            }
            received++;
            final long number = buffer.getLong(offset);
            if (number <= lastHeard)
            {
                wrong = number + " after " + lastHeard;
            }
            lastHeard = number;
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            refused++;
            if (RefusalCode.QUEUE_FULL.value() != status)
            {
                wrong = "status " + status;
            }
        }
    }
}
