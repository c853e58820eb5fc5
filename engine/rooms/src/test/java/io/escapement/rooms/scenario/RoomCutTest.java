package io.escapement.rooms.scenario;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.rooms.replay.RoomCut;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The log of one room must have hashes of that room, and a replay of it must compare them. */
class RoomCutTest
{
    private static final int MESSAGES = 10;
    private static final int OTHER_FROM = 6;

    private final ByteSink cut = new ByteSink();
    private final RoomBench bench = RoomBench.of(type(false, Integer.MAX_VALUE, new AtomicLong()));
    private final long[] turnOfMessage = new long[MESSAGES];
    private long roomId = bench.roomId();
    private boolean isFinished;

    @Test
    void shouldCutLogsThatReplayWithHashesOfTheRoomAlone()
    {
        final Scenario scenario = Scenario.run(72, 6_000);
        long commands = 0;
        for (long room = 1; room <= 12; room++)
        {
            final ByteSink own = new ByteSink();
            final RoomCut made = new RoomCut(ReplayTest.reader(scenario.log), room, Scenario::context, own).run();
            assertTrue(made.isSame(), made.difference());
            assertFalse(made.isCutOff());
            assertEquals(scenario.host.turn(), made.turns());
            assertEquals(scenario.host.stateHash(room), made.stateHash());
            commands += made.commands();
            final Replay replay = new Replay(
                ReplayTest.reader(own), Scenario.context().outputs(NoOutputs.NONE)).run();
            assertTrue(replay.isSame(), replay.difference());
            // The output of each turn, that of one before a turn without a trace again, and the state at the end.
            assertTrue(replay.compared() > made.ownTurns(), replay.compared() + " compared");
            assertEquals(made.ownTurns(), replay.turns());
            assertEquals(made.stateHash(), replay.host().stateHash(room));
        }
        assertTrue(commands > 12 * 20, commands + " commands");
    }

    @Test
    void shouldFindTheTurnInWhichOtherLogicOfTheRoomDiffers()
    {
        play(bench, true);
        assertTrue(cut(bench, Integer.MAX_VALUE).isSame());
        final Replay replay = new Replay(
            ReplayTest.reader(cut), context(OTHER_FROM).outputs(NoOutputs.NONE)).run();
        assertFalse(replay.isSame());
        assertTrue(replay.difference().contains("output hash"), replay.difference());
        assertEquals(turnOfMessage[OTHER_FROM - 1], replay.firstDifferentTurn());
    }

    @Test
    void shouldFindAStateThatDiffersWithoutOutput()
    {
        play(bench, true);
        assertTrue(cut(bench, Integer.MAX_VALUE).isSame());
        final Replay replay = new Replay(ReplayTest.reader(cut),
            new HostContext().roomType(type(false, -1, new AtomicLong())).outputs(NoOutputs.NONE)).run();
        assertFalse(replay.isSame());
        assertTrue(replay.difference().contains("state hash"), replay.difference());
    }

    @Test
    void shouldNameTheTurnInWhichTheHostDiffers()
    {
        play(bench, true);
        final RoomCut made = cut(bench, OTHER_FROM);
        assertFalse(made.isSame());
        assertTrue(made.difference().contains("output hash"), made.difference());
        assertEquals(made.firstDifferentTurn(), made.turns());
        assertFalse(LogFile.openUnfinished(cut.buffer(), 0, cut.length()).isFinished());
    }

    @Test
    void shouldFindARoomThatDependsOnItsNeighbour()
    {
        final AtomicLong shared = new AtomicLong();
        final RoomType type = type(true, Integer.MAX_VALUE, shared);
        final RoomBench two = RoomBench.of(type);
        roomId = two.roomId();
        final BenchSeat ann = two.join(1);
        final UnsafeBuffer none = new UnsafeBuffer(new byte[0]);
        final BenchSeat bob = two.join(two.open(type, none, 0, 0), 2, none, 0, 0);
        ann.send("1");
        bob.send("2");
        ann.send("3");
        final RoomCut made = new RoomCut(reader(two), roomId,
            () -> new HostContext().roomType(type(true, Integer.MAX_VALUE, new AtomicLong())), cut).run();
        assertFalse(made.isSame());
        assertEquals(two.host().turn(), made.firstDifferentTurn());
        assertTrue(made.difference().contains("output hash of room " + roomId + " alone"), made.difference());
    }

    /** The count that it shares is in its state and not in its output. */
    @Test
    void shouldFindARoomWhoseStateDependsOnItsNeighbour()
    {
        final AtomicLong shared = new AtomicLong();
        final RoomBench two = RoomBench.of(silent(shared));
        roomId = two.roomId();
        final UnsafeBuffer none = new UnsafeBuffer(new byte[0]);
        two.join(1).send("1");
        two.join(two.open(silent(shared), none, 0, 0), 2, none, 0, 0).send("2");
        final RoomCut made = new RoomCut(reader(two), roomId,
            () -> new HostContext().roomType(silent(new AtomicLong())), cut).run();
        assertFalse(made.isSame());
        assertTrue(made.difference().contains("state hash of room " + roomId + " alone"), made.difference());
    }

    @Test
    void shouldHaveNoCommandsOfARoomThatIsNotInTheLog()
    {
        play(bench, true);
        roomId = 99;
        final RoomCut made = cut(bench, Integer.MAX_VALUE);
        assertTrue(made.isSame());
        assertEquals(0, made.commands());
        assertEquals(0, made.stateHash());
    }

    @Test
    void shouldLeaveTheCutOfARecordingThatEndsInTheMiddleUnfinished()
    {
        play(bench, false);
        final RoomCut made = cut(bench, Integer.MAX_VALUE);
        assertTrue(made.isSame());
        assertTrue(made.isCutOff());
        final LogFile log = LogFile.openUnfinished(cut.buffer(), 0, cut.length());
        assertFalse(log.isFinished());
        final Replay replay = new Replay(log, context(Integer.MAX_VALUE).outputs(NoOutputs.NONE));
        assertFalse(replay.runUntil(3).isCutOff());
        assertEquals(3, replay.compared());
        assertTrue(replay.run().isCutOff());
    }

    @Test
    void shouldStopAfterATurnWithAFinishedLog()
    {
        play(bench, true);
        final RoomCut made =
            new RoomCut(ends(bench), roomId, () -> context(Integer.MAX_VALUE), cut).runUntil(3);
        assertEquals(3, made.turns());
        assertFalse(made.isCutOff());
        assertEquals(made.ownTurns(), ReplayTest.reader(cut).proposals());
    }

    @Test
    void shouldCompareNothingOfALogWithoutTurns()
    {
        final ByteSink empty = new ByteSink();
        new LogWriter(empty, context(0).header()).end();
        final Replay replay = new Replay(ReplayTest.reader(empty), context(0).outputs(NoOutputs.NONE)).run();
        assertTrue(replay.isSame());
        assertEquals(0, replay.compared());
        assertFalse(replay.isCutOff());
    }

    private void play(final RoomBench played, final boolean isToBeFinished)
    {
        isFinished = isToBeFinished;
        final BenchSeat ann = played.join(1);
        for (int i = 0; i < MESSAGES; i++)
        {
            ann.send("message " + i);
            turnOfMessage[i] = played.host().turn();
        }
    }

    private RoomCut cut(final RoomBench played, final int otherFrom)
    {
        return new RoomCut(isFinished ? ends(played) : reader(played), roomId, () -> context(otherFrom), cut).run();
    }

    private static LogFile reader(final RoomBench played)
    {
        final byte[] log = played.log();
        return LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length);
    }

    /** The log of the bench with an end record. */
    private static LogFile ends(final RoomBench played)
    {
        final LogFile log = reader(played);
        final ByteSink whole = new ByteSink();
        final LogWriter writer = new LogWriter(whole, log.config());
        while (log.next())
        {
            writer.append(log.buffer(), log.offset(), log.length());
        }
        writer.end();
        return ReplayTest.reader(whole);
    }

    private static HostContext context(final int otherFrom)
    {
        return new HostContext().roomType(type(false, otherFrom, new AtomicLong()));
    }

    private static RoomType silent(final AtomicLong shared)
    {
        return RoomType.of(7, "silent", 1, () -> new RoomLogic()
        {
            @Override
            public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
            {
            }

            @Override
            public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
            {
                shared.incrementAndGet();
            }

            @Override
            public void onSnapshot(final StateWriter writer)
            {
                writer.putLong(shared.get());
            }
        });
    }

    private static RoomType type(final boolean isShared, final int otherFrom, final AtomicLong count)
    {
        return RoomType.of(7, "counter", 1, () -> new Counter(isShared ? count : new AtomicLong(), otherFrom));
    }

    /** Sums and broadcasts; doubles from some message on; with -1 it has another state and the same output. */
    private static final class Counter implements RoomLogic
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Long.BYTES]);
        private final AtomicLong sum;
        private final int otherFrom;
        private Room room;
        private int messages;

        Counter(final AtomicLong sum, final int otherFrom)
        {
            this.sum = sum;
            this.otherFrom = otherFrom;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            messages++;
            bytes.putLong(0, sum.addAndGet(otherFrom < 0 || messages < otherFrom ? length : 2L * length));
            room.sendEvent(room.everyone(), bytes, 0, Long.BYTES);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(otherFrom < 0 ? -1 : messages);
        }
    }
}
