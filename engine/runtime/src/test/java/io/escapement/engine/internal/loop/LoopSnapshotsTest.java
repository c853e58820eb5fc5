package io.escapement.engine.internal.loop;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When a loop takes a snapshot. Budget: 1 s. */
class LoopSnapshotsTest
{
    private static final long BUDGET_NS = 1_000;
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(5);
    private static final String PREFIX = "escapement loop 0: ";
    /** More than one step copies. */
    private static final int STATE_LENGTH = 2 * LoopSnapshots.STEP_BYTES;

    private final EngineCounters counters = new EngineCounters();
    private final List<Throwable> errors = new ArrayList<>();
    private final FakeSnapshots target = new FakeSnapshots(() -> 7);
    private final LoopSnapshots snapshots = new LoopSnapshots(
        0, target, BUDGET_NS, INTERVAL_NS, new LoopCounters(0, counters, Map.of()), errors::add);
    private boolean isThrowing;
    private int written;
    private final RoomHost host = host(2);

    @Test
    void shouldTakeOneWhenTheReplayWouldTakeTheBudget()
    {
        snapshots.begin(0, 0);
        snapshots.onTurns(BUDGET_NS - 1);
        assertEquals(0, snapshots.step(host, 1));
        snapshots.onTurns(1);
        take(1);
        assertEquals(1, target.snapshots.size());
        assertEquals(0, snapshots.step(host, 2));
        assertEquals(1, counters.value(PREFIX + "snapshots"));
        assertEquals(0, replayNs());
        snapshots.onTurns(BUDGET_NS);
        take(3);
        assertEquals(2, target.snapshots.size());
    }

    @Test
    void shouldTakeOneAfterTheIntervalIfThereWereTurns()
    {
        snapshots.begin(10, 0);
        assertEquals(0, snapshots.step(host, 10 + INTERVAL_NS));
        snapshots.onTurns(0);
        assertEquals(0, snapshots.step(host, 9 + INTERVAL_NS));
        take(10 + INTERVAL_NS);
        assertEquals(1, target.snapshots.size());
        assertEquals(0, snapshots.step(host, 10 + 3 * INTERVAL_NS));
    }

    @Test
    void shouldTakeOneAtOnceAfterALongRecovery()
    {
        snapshots.begin(5, BUDGET_NS / 2);
        assertEquals(0, snapshots.step(host, 5));
        snapshots.onTurns(BUDGET_NS / 2);
        take(5);
        assertEquals(1, target.snapshots.size(), "the recovery counts");

        final FakeSnapshots next = new FakeSnapshots(() -> 7);
        final LoopSnapshots behind = new LoopSnapshots(
            0, next, BUDGET_NS, INTERVAL_NS, new LoopCounters(0, new EngineCounters(), Map.of()), errors::add);
        behind.begin(5, BUDGET_NS / 2 + 1);
        behind.step(host, 5);
        assertTrue(next.isFilling());
    }

    @Test
    void shouldCountTheTurnsBehindAnImageThatIsBeingTaken()
    {
        target.isSlow = true;
        snapshots.begin(0, 0);
        snapshots.onTurns(BUDGET_NS);
        assertEquals(1, snapshots.step(host, 1));
        assertTrue(snapshots.isWaiting(0), "the room is more than a step");
        snapshots.onTurns(600);
        take(2);
        snapshots.onTurns(BUDGET_NS);
        assertEquals(0, snapshots.step(host, 3), "the last one is not on the disk");
        assertTrue(target.refused > 0);
        target.write();
        take(4);
        assertEquals(1, target.snapshots.size());
        target.write();
        assertEquals(0, snapshots.step(host, 5));
        assertEquals(0, replayNs());
        assertEquals(2, counters.value(PREFIX + "snapshots"));
    }

    @Test
    void shouldKeepTheTurnsOfASnapshotThatCouldNotBeWritten()
    {
        target.isSlow = true;
        snapshots.begin(0, 0);
        snapshots.onTurns(BUDGET_NS);
        take(1);
        snapshots.onTurns(5);
        target.fail();
        assertEquals(0, snapshots.step(host, 2));
        assertEquals(1, counters.value(PREFIX + "snapshots that failed"));
        assertEquals(BUDGET_NS + 5, replayNs());
        assertEquals(0, snapshots.step(host, 1 + SnapshotsDue.RETRY_NS), "a full disk is given time");
        target.isSlow = false;
        take(2 + SnapshotsDue.RETRY_NS);
        assertEquals(1, target.snapshots.size());
        snapshots.step(host, 3 + SnapshotsDue.RETRY_NS);
        assertEquals(0, replayNs());
    }

    @Test
    void shouldReportARoomThatCannotBeWrittenAndTryAgain()
    {
        isThrowing = true;
        snapshots.begin(0, 0);
        snapshots.onTurns(BUDGET_NS);
        assertEquals(1, snapshots.step(host, 1));
        assertFalse(snapshots.isWaiting(0));
        assertFalse(target.isFilling());
        assertEquals(1, errors.size());
        assertTrue(errors.get(0).getCause().getMessage().contains("room 1 of"), () -> "" + errors);
        assertEquals(1, counters.value(PREFIX + "snapshots that failed"));
        assertEquals(0, snapshots.step(host, 2));
        isThrowing = false;
        take(1 + SnapshotsDue.RETRY_NS);
        assertEquals(1, target.snapshots.size());
    }

    @Test
    void shouldRehearseBeforeTheFirst()
    {
        final RoomHost many = host(LoopSnapshots.REHEARSAL_MIN_ROOMS);
        written = 0;
        snapshots.begin(0, 0);
        snapshots.onTurns(BUDGET_NS);
        int steps = 0;
        while (!target.isFilling() && target.snapshots.isEmpty())
        {
            assertEquals(1, snapshots.step(many, 1));
            assertTrue(snapshots.isWaiting(0), "the loop must not park");
            steps++;
        }
        assertTrue(written >= LoopSnapshots.REHEARSED_ROOMS, () -> written + " rooms");
        assertTrue(steps >= LoopSnapshots.REHEARSED_ROOMS / LoopSnapshots.REHEARSED_A_STEP, steps + " steps");
        take(many, 1);
        assertEquals(1, target.snapshots.size());
        written = 0;
        snapshots.onTurns(BUDGET_NS);
        take(many, 2);
        assertEquals(LoopSnapshots.REHEARSAL_MIN_ROOMS, written, "no rehearsal before the second");
    }

    private void take(final long nowNs)
    {
        take(host, nowNs);
    }

    private void take(final RoomHost from, final long nowNs)
    {
        assertEquals(1, snapshots.step(from, nowNs));
        for (int i = 0; snapshots.isWaiting(0); i++)
        {
            assertTrue(i < 100, "it does not end");
            snapshots.step(from, nowNs);
        }
    }

    private long replayNs()
    {
        return counters.value(PREFIX + "nanoseconds of replay behind the last snapshot");
    }

    /** With rooms of which each is more than a step copies. */
    private RoomHost host(final int rooms)
    {
        final RoomHost made = new RoomHost(new HostContext().outputs(NoOutputs.NONE)
            .roomType(RoomType.of(1, "large", 1, () -> new OrderedRoom(new ArrayList<>())
            {
                @Override
                public void onSnapshot(final StateWriter writer)
                {
                    if (isThrowing)
                    {
                        throw new IllegalStateException("planted");
                    }
                    written++;
                    writer.putBytes(new UnsafeBuffer(new byte[STATE_LENGTH]), 0, STATE_LENGTH);
                }
            })));
        final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);
        made.beginTurn(1);
        for (int room = 1; room <= rooms; room++)
        {
            made.onCommand(command, 0, new RoomEncoder().openRoom(command, 0, room, 0, 0, 0, 1, command, 0, 0));
        }
        made.endTurn();
        return made;
    }
}
