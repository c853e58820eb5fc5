package io.escapement.rooms.steps;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.lang.reflect.Proxy;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs that start, wait in each kind of wait, are cancelled, and end allocate nothing. */
class StepsAllocationTest
{
    private static final int ROOMS = 16;
    private static final int PROGRAMS = 32;
    private static final int ROUNDS = 6;
    private static final int TURNS = 2_000;
    private static final long TURN_NS = 10_000_000;

    private static final Steps<Busy> WORK = Steps.<Busy>named("work", 1)
        .repeat(3, (s) -> s.nextFrame().run(Busy::count))
        .after(TURN_NS)
        .untilMessage(1, Busy::isReady)
        .any((a) -> a.untilSignal((room, tag, from, buffer, offset, length) -> from == tag), (a) -> a.frames(5))
        .untilReply((room, tag) -> room.ask(), (room, tag, status, buffer, offset, length) -> room.count())
        .until(Busy::isReady)
        .when(Busy::isReady, (s) -> s.run(Busy::count))
        .any(
            (a) -> a.repeat(2, (s) -> s.any(StepsBuilder::nextFrame, (b) -> b.untilReply(
                (room, tag) -> room.ask(), (room, tag, status, buffer, offset, length) -> room.count())))
                .onCancel(Busy::count),
            (a) -> a.after(TURN_NS).repeatWhile(Busy::isOdd, (s) -> s.untilMessage(1)).onCancel(Busy::count))
        .everyFrameWhile(Busy::isOdd)
        .run((room, tag) -> room.again = true)
        .build();
    private static final Steps<Busy> CANCELLED = Steps.<Busy>named("cancelled", 1)
        .after(1_000 * TURN_NS).onCancel(Busy::count).build();

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[16]);
    private final long[] requests = new long[ROOMS + 1];
    private final long[] answers = new long[ROOMS + 1];
    private RoomHost host;
    private long nowNs;
    private long sequence;
    private long resumes;

    @Test
    void shouldNotAllocate()
    {
        host = new RoomHost(new HostContext().outputs(new Services())
            .roomType(RoomType.of(1, "busy", 1, Busy::new).seats(1).timers(3 * PROGRAMS).requests(4 * PROGRAMS)));
        host.beginTurn(0);
        command(encoder.linkUp(buffer, 0, 0, 0));
        for (int room = 1; room <= ROOMS; room++)
        {
            command(encoder.openRoom(buffer, 0, room, room, 0, 0, 1, payload, 0, 0));
            command(encoder.join(buffer, 0, room, 1, 0, 0, payload, 0, 0));
        }
        host.endTurn();
        payload.putShort(2, (short)1);
        turns();
        final long before = resumes;
        assertEquals(0, Allocations.least(ROUNDS, this::turns));
        assertTrue(resumes - before > TURNS, () -> "only " + (resumes - before) + " actions");
    }

    /** Its position, counters, timer, frame and request. */
    @Test
    void shouldTakeFewBytesForAWaitingProgram()
    {
        final int programs = 10_000;
        final long least = Allocations.least(ROUNDS, () -> new RunningSteps<>(
            (Room)Proxy.newProxyInstance(Room.class.getClassLoader(), new Class<?>[]{Room.class},
                (proxy, method, args) -> null), new Busy(), programs, 1, List.of(WORK, CANCELLED)));
        assertTrue(least > programs && least < 80 * programs, () -> least / programs + " bytes a program");
        if (Tests.isFull())
        {
            System.err.println(least / programs + " bytes a waiting program");
        }
    }

    private void turns()
    {
        for (int i = 0; i < TURNS; i++)
        {
            nowNs += TURN_NS;
            host.beginTurn(nowNs);
            final int room = 1 + i % ROOMS;
            command(encoder.message(buffer, 0, room, ++sequence, 0, 1, 0, payload, 0, 16));
            command(encoder.signal(buffer, 0, room, i % PROGRAMS, 0, payload, 0, 16));
            while (answers[room] < requests[room])
            {
                command(encoder.reply(buffer, 0, room, ++answers[room], 0, payload, 0, 16));
            }
            host.endTurn();
        }
    }

    private void command(final int length)
    {
        final int code = host.onCommand(buffer, 0, length);
        if (0 != code)
        {
            throw new IllegalStateException("refused: " + code);
        }
    }

    private final class Services extends NoOutputs
    {
        private static final int ROOM_ID = 8;

        @Override
        public void onCommand(final DirectBuffer bytes, final int offset, final int length)
        {
            requests[(int)bytes.getLong(offset + ROOM_ID)]++;
        }
    }

    private final class Busy implements RoomLogic
    {
        private final UnsafeBuffer empty = new UnsafeBuffer(0, 0);
        private Room room;
        private RunningSteps<Busy> steps;
        private long frame;
        private long cancelled;
        private boolean again;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            steps = new RunningSteps<>(room, this, PROGRAMS, 1, List.of(WORK, CANCELLED));
            for (int i = 0; i < PROGRAMS - 1; i++)
            {
                steps.start(WORK, i);
            }
            cancelled = steps.start(CANCELLED, 0);
            room.frameRate(60);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            steps.onMessage(from, message, offset, length);
            steps.onChange();
            steps.cancel(cancelled);
            cancelled = steps.start(CANCELLED, 0);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer signal, final int offset, final int length)
        {
            steps.onSignal(from, signal, offset, length);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer reply, final int offset, final int length)
        {
            steps.onReply(id, status, reply, offset, length);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            steps.onTimer(handle, kind, tag);
        }

        @Override
        public void onFrame(final long number, final long elapsedNs)
        {
            frame = number;
            steps.onFrame();
            while (again && RunningSteps.NO_STEPS != steps.start(WORK, number % PROGRAMS))
            {
                count();
            }
            again = false;
        }

        private void count()
        {
            resumes++;
        }

        private boolean isReady()
        {
            return true;
        }

        private boolean isOdd()
        {
            return 0 != (frame & 1);
        }

        private long ask()
        {
            return room.async(1, 1, empty, 0, 0);
        }
    }
}
