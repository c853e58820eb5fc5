package io.escapement.rooms.bench;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomLogic.AfterError;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.LoggedTurns;
import io.escapement.testsupport.Tests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A throw of each callback, halfway through its work: with a claim open, a message sent, a timer set and a request
 * made. The decision of onError is done, messages that were sent before are received, and the room does the same in a
 * replay and from snapshots on the way.
 */
class ErrorCornersTest
{
    enum Callback
    {
        JOIN_REQUEST, JOIN, MESSAGE, AWAY, BACK, LEAVE, LOST,
        SIGNAL, ASK, REPLY, DIRECTORY, TIMER, FRAME_TIMER, FRAME, DRAIN
    }

    private static final List<Callback> OF_A_SEAT = List.of(
        Callback.JOIN, Callback.MESSAGE, Callback.AWAY, Callback.BACK, Callback.LEAVE, Callback.LOST);
    private static final int SERVICE = 3;
    private static final int CUTS = Tests.isFull() ? 1_000 : 8;
    /** From then on the room is in step with its phase group. */
    private static final int STEADY_FRAME = 3;
    private static final long MS = 1_000_000;
    private static final UnsafeBuffer NONE = new UnsafeBuffer(new byte[0]);
    private static final UnsafeBuffer REQUEST = new UnsafeBuffer(new byte[4]);

    private final List<Fallible> logics = new ArrayList<>();
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[512]);
    private RoomType type;
    private RoomBench bench;
    private BenchSeat ann;
    private BenchSeat bob;
    private List<Integer> refusals;

    @ParameterizedTest
    @EnumSource(Callback.class)
    void shouldGoOn(final Callback callback)
    {
        play(callback, AfterError.CONTINUE);
        assertThrown(callback);
        // Its onDrain closes it after the call that may throw.
        assertEquals(Callback.DRAIN == callback ? 1 : 0, bench.host().openRooms());
        for (final Callback other : Callback.values())
        {
            assertTrue(count(other) > 0, () -> other + " was not called in " + logics.get(0).calls);
        }
        assertTrue(count(Callback.FRAME) > 20, () -> "frames in " + logics.get(0).calls);
        if (Callback.JOIN_REQUEST == callback)
        {
            assertEquals(List.of(RefusalCode.ROOM_FAILED.value()), refusals);
        }
        assertReceived(callback);
    }

    @ParameterizedTest
    @EnumSource(Callback.class)
    void shouldKickThePlayerOrClose(final Callback callback)
    {
        play(callback, AfterError.KICK);
        assertThrown(callback);
        if (!OF_A_SEAT.contains(callback))
        {
            assertClosed(callback);
            return;
        }
        final long leaves = count(Callback.LEAVE);
        assertEquals(count(Callback.JOIN), leaves, () -> "one leave for each join: " + logics.get(0).calls);
        assertTrue(logics.get(0).calls.contains(
            Callback.LEAVE == callback ? "LEAVE 1 LEFT" : "LEAVE 1 KICKED"), () -> logics.get(0).calls.toString());
        assertTrue(count(Callback.FRAME) > 20, () -> "frames in " + logics.get(0).calls);
        assertReceived(callback);
    }

    @ParameterizedTest
    @EnumSource(Callback.class)
    void shouldClose(final Callback callback)
    {
        play(callback, AfterError.CLOSE);
        assertThrown(callback);
        assertClosed(callback);
    }

    private void assertThrown(final Callback callback)
    {
        assertEquals(List.of("in " + callback), bench.failures().stream().map(Throwable::getMessage).toList());
        final int at = logics.get(0).calls.indexOf("error " + callback);
        assertNotEquals(-1, at, () -> logics.get(0).calls.toString());
        bench.replayAndCompare();
        assertContinuesFromSnapshots();
    }

    /** The other room, whose frames are in the same phase group, is not affected. */
    private void assertClosed(final Callback callback)
    {
        final List<String> calls = logics.get(0).calls;
        assertEquals("error " + callback, calls.get(calls.size() - 1));
        assertFalse(ann.isPresent());
        assertTrue(logics.get(1).calls.stream().filter("FRAME null"::equals).count() > 20);
    }

    private void assertReceived(final Callback callback)
    {
        final List<String> received = bob.texts();
        assertTrue(received.contains("before " + callback), () -> callback + ": " + received);
        assertTrue(received.contains("error " + callback), () -> callback + ": " + received);
        assertFalse(received.contains("claimed"));
    }

    private long count(final Callback callback)
    {
        return logics.get(0).calls.stream().filter((call) -> call.startsWith(callback + " ")).count();
    }

    /** Play a life in which each callback is called, most of them twice. Bob is there when Ann's callbacks throw. */
    private void play(final Callback callback, final AfterError decision)
    {
        type = RoomType.of(1, "fallible", 1, this::make)
            .seats(4).timers(16).requests(16).questions(4).graceNs(1_000 * MS);
        final byte[] args = (callback + " " + decision).getBytes(StandardCharsets.US_ASCII);
        bench = RoomBench.of(new UnsafeBuffer(args), 0, args.length, type)
            .service(SERVICE, (key, request) -> new byte[4]);
        final long other = bench.open(type, NONE, 0, 0);
        final long roomId = bench.roomId();
        bob = bench.join(2);
        ann = bench.join(1);
        refusals = ann.refusals();
        if (!ann.isPresent())
        {
            ann = bench.join(1);
        }
        bench.step(4);
        ann.send("one");
        bench.command(command, 0, encoder.signal(command, 0, roomId, 0, 0, NONE, 0, 0));
        bench.command(command, 0, encoder.ask(command, 0, roomId, other, 900, 1_000 * MS, NONE, 0, 0));
        bench.command(command, 0, encoder.stateLost(command, 0, roomId, ann.index(), 1));
        bench.runFor(50 * MS);
        ann.disconnect();
        bench.runFor(50 * MS);
        final BenchSeat returned = bench.join(1);
        bench.runFor(50 * MS);
        returned.send("two");
        returned.leave();
        bench.runFor(300 * MS);
        bench.command(command, 0, encoder.drain(command, 0, 10_000 * MS));
        bench.runFor(50 * MS);
    }

    private RoomLogic make()
    {
        final Fallible logic = new Fallible();
        logics.add(logic);
        return logic;
    }

    private void assertContinuesFromSnapshots()
    {
        final byte[] log = bench.log();
        final RoomHost whole = new RoomHost(context());
        final int turns = run(whole, reader(log), Integer.MAX_VALUE);
        for (int cut = 1; cut < turns; cut += 1 + turns / CUTS)
        {
            final LoggedTurns reader = reader(log);
            final RoomHost first = new RoomHost(context());
            run(first, reader, cut);
            final ByteSink snapshot = new ByteSink();
            first.snapshot(snapshot);
            final RoomHost restored = RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length());
            run(restored, reader, Integer.MAX_VALUE);
            assertEquals(whole.stateHash(), restored.stateHash(), "restored at turn " + cut + " of " + turns);
        }
    }

    private static int run(final RoomHost host, final LoggedTurns log, final int limit)
    {
        int turns = 0;
        while (turns < limit && log.next())
        {
            assertTrue(log.run(host));
            turns++;
        }
        return turns;
    }

    private static LoggedTurns reader(final byte[] log)
    {
        return new LoggedTurns(LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length));
    }

    private HostContext context()
    {
        return new HostContext().roomType(type).roomLimit(4).seatLimit(64).timerLimit(256).linkLimit(16)
            .outputs(new CapturedOutputs()).build("bench");
    }

    /** Throws once in the callback that its arguments name. */
    private static final class Fallible implements RoomLogic
    {
        final List<String> calls = new ArrayList<>();
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[64]);
        private Room room;
        private String throwing = "";
        private AfterError decision = AfterError.CLOSE;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            final String[] words = args.getStringWithoutLengthAscii(offset, length).split(" ");
            if (2 == words.length)
            {
                throwing = words[0];
                decision = AfterError.valueOf(words[1]);
            }
            room.frameRate(60);
            room.every(20 * MS, 1, 0);
            room.everyFrames(2, 2, 0);
            room.subscribeToDirectory();
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            call(Callback.JOIN_REQUEST, null, "");
            return ACCEPT;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            // Bob joins undisturbed.
            call(Callback.JOIN, seat, "");
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.async(SERVICE, 1, REQUEST, 0, 4);
            call(Callback.MESSAGE, from, "");
        }

        @Override
        public void onAway(final Seat seat)
        {
            call(Callback.AWAY, seat, "");
        }

        @Override
        public void onBack(final Seat seat)
        {
            call(Callback.BACK, seat, "");
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            call(Callback.LEAVE, seat, " " + reason);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            call(Callback.LOST, seat, "");
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            call(Callback.SIGNAL, null, "");
        }

        @Override
        public void onAsk(
            final long askId, final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            call(Callback.ASK, null, "");
            room.answer(askId, 0, REQUEST, 0, 4);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            call(Callback.REPLY, null, "");
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            // Its own entries come before a player has joined.
            if (room.seatsPresent() > 1)
            {
                call(Callback.DIRECTORY, null, "");
            }
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            if (1 == kind || 2 == kind)
            {
                call(1 == kind ? Callback.TIMER : Callback.FRAME_TIMER, null, "");
            }
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            call(Callback.FRAME, null, "");
        }

        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
            call(Callback.DRAIN, null, "");
            drained.close();
        }

        @Override
        public AfterError onError(final Throwable thrown, final Seat seat)
        {
            calls.add("error " + throwing);
            send("error " + throwing);
            throwing = "";
            return decision;
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(calls.hashCode());
            writer.putInt(decision.ordinal());
            writer.putInt(throwing.isEmpty() ? -1 : Callback.valueOf(throwing).ordinal());
            writer.putInt(calls.size());
            for (final String call : calls)
            {
                final byte[] bytes = call.getBytes(StandardCharsets.US_ASCII);
                writer.putInt(bytes.length);
                writer.putBytes(new UnsafeBuffer(bytes), 0, bytes.length);
            }
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            final long hash = reader.getLong();
            decision = AfterError.values()[reader.getInt()];
            final int callback = reader.getInt();
            throwing = callback < 0 ? "" : Callback.values()[callback].name();
            for (int i = reader.getInt(); i > 0; i--)
            {
                final UnsafeBuffer bytes = new UnsafeBuffer(new byte[reader.getInt()]);
                reader.getBytes(bytes, 0);
                calls.add(bytes.getStringWithoutLengthAscii(0, bytes.capacity()));
            }
            assertEquals(hash, calls.hashCode());
        }

        private void call(final Callback callback, final Seat seat, final String more)
        {
            calls.add(callback + " " + (null == seat ? null : seat.playerId()) + more);
            // Bob's callbacks do not throw, so that he receives what those of Ann send.
            final boolean isBobs = null != seat && 2 == seat.playerId();
            final boolean isEarly = Callback.FRAME == callback && room.frame() < STEADY_FRAME;
            if (!isBobs && !isEarly && callback.name().equals(throwing) && room.seatsPresent() > 0)
            {
                send("before " + callback);
                room.after(30 * MS, 9, 0);
                room.async(SERVICE, 1, REQUEST, 0, 4);
                room.claimEvent(room.everyone(), 32).putStringWithoutLengthAscii(0, "claimed");
                throw new IllegalStateException("in " + callback);
            }
        }

        private void send(final String text)
        {
            room.sendEvent(room.everyone(), out, 0, out.putStringWithoutLengthAscii(0, text));
        }
    }
}
