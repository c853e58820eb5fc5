package io.escapement.rooms.host;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs the same commands in two hosts. In one, rooms that are in step with their phase group have their frames run by
 * it. In the other no room ever is, because each has a callback that has to fail, in the far future.
 */
class FramesInStepTest
{
    private static final int ROOMS = 24;
    private static final int TURNS = 1_500;
    private static final int[] RATES = {60, 30, 0};

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[8]);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRunAsIfEachRoomRanItsFrames(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final Side inStep = new Side(false);
        final Side apart = new Side(true);
        long nowNs = 0;
        for (int turn = 0; turn < TURNS; turn++)
        {
            nowNs += 0 == random.nextInt(40) ? random.nextLong(90_000_000) : random.nextLong(6_000_000);
            final long roomId = 1 + random.nextInt(ROOMS);
            final int act = random.nextInt(8);
            final int value = random.nextInt(100);
            inStep.turn(nowNs, roomId, act, value);
            apart.turn(nowNs, roomId, act, value);
            final String at = "seed " + seed + ", turn " + turn;
            assertEquals(apart.seen, inStep.seen, at);
            assertEquals(apart.host.turn(), inStep.host.turn(), at);
            for (int i = 1; i <= ROOMS; i++)
            {
                assertEquals(apart.host.stateHash(i), inStep.host.stateHash(i), at + ", room " + i);
            }
            if (0 == random.nextInt(50))
            {
                inStep.restore();
                apart.restore();
            }
        }
        assertTrue(inStep.events.failures.size() > 10, "only " + inStep.events.failures.size() + " rooms failed");
        assertTrue(inStep.events.frames > TURNS, "only " + inStep.events.frames + " frames ran");
    }

    private final class Side
    {
        private final boolean isApart;
        private final List<String> seen = new ArrayList<>();
        private final RecordedEvents events = new RecordedEvents(seen);
        private RoomHost host;

        Side(final boolean isApart)
        {
            this.isApart = isApart;
            host = new RoomHost(context());
        }

        HostContext context()
        {
            return new HostContext().phaseGroups(2).listener(events).outputs(new CapturedOutputs())
                .roomType(RoomType.of(1, "restless", 1, () -> new Restless(this)).catchUp(3))
                .roomType(RoomType.of(2, "flushed", 1, () -> new Restless(this)).flush(RoomType.Flush.FRAME));
        }

        void turn(final long nowNs, final long roomId, final int act, final int value)
        {
            seen.clear();
            host.beginTurn(nowNs);
            switch (act)
            {
                case 0, 1 -> open(roomId, 0 == value % 8 ? 2 : 1);
                case 2 ->
                {
                    payload.putInt(0, RATES[value % RATES.length]);
                    host.onCommand(buffer, 0, encoder.signal(buffer, 0, roomId, 0, 0, payload, 0, Integer.BYTES));
                }
                case 3 -> host.onCommand(buffer, 0, encoder.setRate(buffer, 0, 1, 0 == value % 2 ? 0 : 30));
                default ->
                {
                }
            }
            host.endTurn();
        }

        void open(final long roomId, final int typeId)
        {
            if (isApart)
            {
                host.onCommand(buffer, 0, encoder.failedAt(buffer, 0, roomId, Long.MAX_VALUE));
            }
            host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, roomId, roomId, 0, 0, typeId, payload, 0, 0));
        }

        /** Go on in a host from a snapshot. */
        void restore()
        {
            final ByteSink snapshot = new ByteSink();
            host.snapshot(snapshot);
            final long[] open = host.openRoomIds();
            final long nowNs = host.nowNs();
            host = RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length());
            host.beginTurn(nowNs);
            for (final long roomId : isApart ? open : new long[0])
            {
                host.onCommand(buffer, 0, encoder.failedAt(buffer, 0, roomId, Long.MAX_VALUE));
            }
            host.endTurn();
        }
    }

    /** A room that does at random all that takes a room out of step. */
    private static final class Restless implements RoomLogic
    {
        private final Side side;
        private Room room;
        private long timer;

        Restless(final Side side)
        {
            this.side = side;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            timer = reader.getLong();
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(timer);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            throw new IllegalStateException("this test has no players");
        }

        @Override
        public void onSignal(final long from, final DirectBuffer message, final int offset, final int length)
        {
            room.frameRate(message.getInt(offset));
            see("signal", room.frame());
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            see("timer", room.frame());
            timer = 0;
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            see("frame +" + elapsedNs + ", " + room.missedFrames(), frame);
            assertEquals(frame, room.frame());
            switch (room.random().nextInt(64))
            {
                case 0 -> timer = room.everyFrames(1 + room.random().nextInt(4), 1, 0);
                case 1 -> room.cancel(timer);
                case 2 -> room.frameRate(30);
                case 3 ->
                {
                    room.frameRate(0);
                    room.frameRate(60);
                }
                case 4 -> timer = room.after(1 + room.random().nextInt(20_000_000), 2, 0);
                case 5 -> room.sendState(room.everyone(), new UnsafeBuffer(new byte[16]), 0, 16);
                case 6 -> fail();
                case 7 -> room.close();
                default ->
                {
                }
            }
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            see("closed " + reason, room.frame());
        }

        private void fail()
        {
            if (0 == room.random().nextInt(4))
            {
                throw new IllegalStateException("planned");
            }
        }

        private void see(final String event, final long frame)
        {
            side.seen.add(room.roomId() + ": " + event + " at frame " + frame);
        }
    }
}
