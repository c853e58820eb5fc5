package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.ResumeTicket;
import io.escapement.client.SendStatus;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.replay.Replay;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A live run of two loops with everything that can come to a room, recorded, is run again from its logs: each turn has
 * to put out the same bytes, and the end has to be the same state. The logs hold no secret.
 */
@RealTime("a crowd of threads, for seconds")
class RecordedRunTest
{
    private static final int TYPE = 1;
    private static final int SERVICE = 9;
    private static final long LARGE = -1;
    private static final long SMALL = -2;
    private static final byte[] CREDENTIALS = "the password of a player".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGE_STATES = 8;
    private static final int MESSAGES = Tests.isFull() ? 200_000 : 4_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private final AtomicInteger signals = new AtomicInteger();
    private final AtomicInteger replies = new AtomicInteger();
    private final AtomicInteger away = new AtomicInteger();
    private final AtomicInteger back = new AtomicInteger();
    private final AtomicInteger stateLost = new AtomicInteger();
    private volatile long twist;

    @TempDir
    Path directory;

    @Test
    void shouldReplayToTheSameOutputAndState() throws IOException
    {
        byte[] token = {};
        try (TestEngine engine = new TestEngine(context().recordTo(directory)))
        {
            token = live(engine);
        }
        for (int loop = 0; loop < 2; loop++)
        {
            final String before = counts();
            Recordings.read(directory, loop, (log) -> assertEquals(2, log.config().phaseGroups()));
            final Replay replay = Recordings.replay(context(), directory, loop);
            assertTrue(replay.isSame(), replay.difference());
            assertFalse(replay.isCutOff());
            assertTrue(replay.turns() > MESSAGES / 100, "turns: " + replay.turns());
            assertFalse(before.equals(counts()), "the rooms ran again");
            final byte[] bytes = Files.readAllBytes(
                directory.resolve("loop-" + loop + ".00000000000000000000.journal"));
            assertNone(bytes, TestTrunk.SECRET, "the secret");
            assertNone(bytes, CREDENTIALS, "a player's credentials");
            assertNone(bytes, token, "a player's token");
        }
    }

    @Test
    void shouldSeeAReplayOfOtherLogicDiffer() throws IOException
    {
        try (TestEngine engine = new TestEngine(context().recordTo(directory)))
        {
            live(engine);
        }
        twist = 1;
        final Replay replay = Recordings.replay(context(), directory, 0);
        assertFalse(replay.isSame());
        assertTrue(replay.difference().contains("output hash"), replay.difference());
    }

    /** Play, lose links, lose states, come back; and return a token that was used. */
    private byte[] live(final TestEngine engine)
    {
        final RoomHandle[] rooms = {engine.engine().openRoom(TYPE), engine.engine().openRoom(TYPE)};
        // Each room receives the id of the other.
        for (int i = 0; i < 2; i++)
        {
            message.putLong(0, rooms[1 - i].roomId());
            assertTrue(rooms[i].signal(message, 0, Long.BYTES));
        }
        final ResumeTicket ticket;
        final byte[] token;
        try (TestTrunk trunk = TestTrunk.over(engine))
        {
            engine.await("the trunk", trunk, () -> trunk.isUp);
            trunk.client().logIn(1, CREDENTIALS);
            engine.await("a token", trunk, () -> !trunk.tokens.isEmpty());
            token = trunk.tokens.get(0);
            final ClientSeat[] seats = {seat(engine, trunk, rooms[0], token), seat(engine, trunk, rooms[1], token)};
            final int[] sent = new int[1];
            engine.await("messages", trunk, () ->
            {
                message.putLong(0, sent[0]);
                final boolean isSent = sent[0] < MESSAGES &&
                    SendStatus.SENT == trunk.client().send(seats[sent[0] & 1], message, 0, 16);
                sent[0] += isSent ? 1 : 0;
                return MESSAGES == sent[0] && signals.get() > MESSAGES / 4 && replies.get() > MESSAGES / 8;
            });
            say(engine, trunk, seats[0], LARGE);
            engine.await("states to be dropped", () ->
                engine.engine().counter("escapement loop 0: states dropped") > 0);
            say(engine, trunk, seats[0], SMALL);
            engine.await("rooms to hear of it", trunk, () -> stateLost.get() > 0);
            ticket = trunk.client().ticket();
            trunk.breakOff();
            engine.await("the seats to be away", () -> 2 == away.get());
        }
        try (TestTrunk trunk = TestTrunk.resuming(engine, ticket))
        {
            engine.await("the seats to be back: " + trunk.resumed, trunk, () -> 2 == trunk.resumed.size());
            assertEquals(2, back.get());
            final DrainReport report = engine.drain(trunk, TimeUnit.MILLISECONDS.toNanos(100));
            assertTrue(report.isClean(), report::toString);
        }
        return token;
    }

    private void say(final TestEngine engine, final TestTrunk trunk, final ClientSeat seat, final long what)
    {
        engine.await("every event", trunk, () -> MESSAGES <= trunk.events);
        final long events = trunk.events;
        message.putLong(0, what);
        engine.await("to send", trunk, () -> SendStatus.SENT == trunk.client().send(seat, message, 0, 16));
        engine.await("an answer", trunk, () -> trunk.events > events);
    }

    private ClientSeat seat(
        final TestEngine engine, final TestTrunk trunk, final RoomHandle room, final byte[] token)
    {
        final int before = trunk.joined.size();
        engine.await("the loop to be attached", trunk, () ->
            SendStatus.SENT == trunk.client().join(1, room.roomId(), 7, token, message, 0, 0));
        engine.await("a seat", trunk, () -> trunk.joined.size() > before);
        return trunk.joined.get(before);
    }

    private EngineContext context()
    {
        return new EngineContext().loops(2).phaseGroups(2)
            .trunks(new TrunkServerContext().secret(TestTrunk.SECRET, false)
                .logInService((trunkId, credentials, reply) -> reply.onReply(0, 7)))
            .roomType(RoomType.of(TYPE, "busy", 1, Busy::new).requests(1_024))
            .service(SERVICE, "adding", 2, () -> (request) ->
            {
                request.reply().putLong(0, request.buffer().getLong(request.offset()) + 1);
                return Long.BYTES;
            });
    }

    private String counts()
    {
        return List.of(signals, replies, away, back, stateLost).toString();
    }

    private static void assertNone(final byte[] bytes, final byte[] secret, final String what)
    {
        assertTrue(secret.length >= 16, what + " is long enough to be found");
        assertEquals(-1, new String(bytes, StandardCharsets.ISO_8859_1).indexOf(
            new String(secret, StandardCharsets.ISO_8859_1)), what + " is in the log");
    }

    /** Does a bit of everything with each message; what the fields outside of it count has no part in what it does. */
    private final class Busy implements RoomLogic
    {
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[4_096]);
        private Room room;
        private long otherRoomId;
        private int stateLength = Long.BYTES;
        private long sum;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(60);
            room.every(7_000_000, 3, 4);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            final long value = buffer.getLong(offset);
            if (value < 0)
            {
                stateLength = LARGE == value ? out.capacity() : Long.BYTES;
                room.sendEvent(from, out, 0, 1);
                return;
            }
            sum = twist + 31 * sum + value + room.random().nextInt(100);
            out.putLong(0, sum);
            if (0 == (sum & 1))
            {
                room.signal(otherRoomId, out, 0, Long.BYTES);
            }
            else
            {
                room.async(SERVICE, sum & 7, out, 0, Long.BYTES);
            }
            room.signal(otherRoomId, out, 0, Long.BYTES);
            room.sendEvent(from, out, 0, Long.BYTES);
        }

        @Override
        public void onSignal(
            final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            signals.incrementAndGet();
            if (0 == fromRoomId)
            {
                otherRoomId = buffer.getLong(offset);
            }
            sum += buffer.getLong(offset);
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            replies.incrementAndGet();
            sum += correlationId + (0 == status ? buffer.getLong(offset) : status);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            sum = 17 * sum + tag;
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            out.putLong(0, sum + frame);
            // The governor may have left few frames: a trunk that does not read is to be full soon all the same.
            final int states = Long.BYTES == stateLength ? 1 : LARGE_STATES;
            for (int i = 0; i < states; i++)
            {
                room.sendState(room.everyone(), out, 0, stateLength);
            }
        }

        @Override
        public void onAway(final Seat seat)
        {
            away.incrementAndGet();
            sum++;
        }

        @Override
        public void onBack(final Seat seat)
        {
            back.incrementAndGet();
            sum += 2;
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            stateLost.incrementAndGet();
            sum += 3;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(sum);
            writer.putLong(otherRoomId);
            writer.putInt(stateLength);
        }
    }
}
