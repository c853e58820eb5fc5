package io.escapement.engine.internal.durable;

import io.escapement.engine.internal.durable.MemoryDisk.Operation;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.escapement.engine.internal.durable.SteppedJournal.LOOP;
import static io.escapement.engine.internal.durable.SteppedJournal.RECORDED;
import static io.escapement.engine.internal.durable.SteppedJournal.same;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Snapshots: complete or not there, two kept, the older one taken when the newest is damaged. */
class SnapshotStoreTest
{
    private static final int LENGTH = 2_000;
    private static final RoomHost HOST = SteppedJournal.host();
    private static final int LARGE_ROOMS = 16;
    private static final int LARGE_STATE = 300_000;
    private static final long LARGE_LENGTH = (long)LARGE_ROOMS * LARGE_STATE;
    private static final RoomHost LARGE_HOST = SteppedJournal.host(LARGE_ROOMS, LARGE_STATE);

    private final Random random = new Random(8);
    private final List<byte[]> proposed = new ArrayList<>();

    @Test
    void shouldBeginBehindTheNewestSnapshot() throws Exception
    {
        final SteppedJournal engine = engine();
        propose(engine, 100);
        final int first = snapshot(engine);
        propose(engine, 100);
        final SteppedJournal next = engine.afterKill(RECORDED);
        assertTrue(same(proposed.subList(first, proposed.size()), next.recovered));
        assertEquals(engine.log.snapshotPosition(), next.report.snapshotPosition());
        assertEquals(proposed.size() + 1, next.log.nextNumber());
    }

    @Test
    void shouldKeepTwoAndTheSegmentsBehindTheOlder() throws Exception
    {
        final SteppedJournal engine = engine();
        final List<Integer> counts = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            propose(engine, 400);
            counts.add(snapshot(engine));
        }
        final List<String> names = engine.disk.list();
        final List<String> snapshots = JournalNames.snapshots(names, LOOP);
        assertEquals(2, snapshots.size());
        final List<String> segments = JournalNames.segments(names, LOOP);
        final long older = JournalNames.position(snapshots.get(0));
        assertTrue(JournalNames.position(segments.get(0)) < older);
        assertTrue(JournalNames.position(segments.get(1)) >= older, () -> segments + " for " + snapshots);

        // The newest is damaged: the older one and all that is behind it.
        final byte[] bytes = engine.disk.bytes(snapshots.get(1));
        bytes[bytes.length / 2] ^= 1;
        engine.disk.put(snapshots.get(1), bytes);
        final SteppedJournal next = engine.afterKill(RECORDED);
        assertTrue(same(proposed.subList(counts.get(3), proposed.size()), next.recovered));
        assertTrue(next.report.notes().get(0).contains("renamed to " + snapshots.get(1) + ".damaged"),
            () -> "" + next.report);
        assertEquals(List.of(snapshots.get(0)), JournalNames.snapshots(next.disk.list(), LOOP));
    }

    /** It is whole, so a build that reads it would begin there: it is not set aside as a damaged one is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 9})
    void shouldBeRefusedByNameWhenItIsOfAnotherVersion(final int version) throws Exception
    {
        final SteppedJournal engine = engine();
        propose(engine, 100);
        snapshot(engine);
        final String name = JournalNames.snapshots(engine.disk.list(), LOOP).get(0);
        engine.disk.put(name, SteppedJournal.inVersion(engine.disk.bytes(name), version));
        final String refusal =
            assertThrows(JournalException.class, () -> engine.afterKill(RECORDED)).getMessage();
        assertEquals("fake/" + name + ": format version " + version + ", supported is 1", refusal);
        assertEquals(List.of(name), JournalNames.snapshots(engine.disk.list(), LOOP));
    }

    @Test
    void shouldBeRefusedWhenNoSnapshotIsWholeAndTheJournalIsPurged() throws Exception
    {
        final SteppedJournal engine = engine();
        for (int i = 0; i < 3; i++)
        {
            propose(engine, 400);
            snapshot(engine);
        }
        for (final String name : JournalNames.snapshots(engine.disk.list(), LOOP))
        {
            final byte[] bytes = engine.disk.bytes(name);
            bytes[30] ^= 1;
            engine.disk.put(name, bytes);
        }
        final String refusal =
            assertThrows(JournalException.class, () -> engine.afterKill(RECORDED)).getMessage();
        assertTrue(refusal.startsWith("fake/" + JournalNames.segment(LOOP, 0)), refusal);
    }

    @Test
    void shouldBeBehindAJournalOnTheDisk() throws Exception
    {
        final int seeds = Tests.isFull() ? 2_000 : 40;
        for (int seed = 1; seed <= seeds; seed++)
        {
            final Random losses = new Random(seed);
            proposed.clear();
            final SteppedJournal engine = engine();
            propose(engine, losses.nextInt(200));
            snapshotBegun(engine);
            // A power loss at any step. The journal's thread has other work, so a sync is not due.
            for (int i = losses.nextInt(12); i > 0; i--)
            {
                engine.agent.doWork();
            }
            final long newest = engine.log.snapshotPosition();
            final SteppedJournal next =
                new SteppedJournal(RECORDED, engine.disk.afterPowerLoss(losses), new MemoryTails());
            assertTrue(next.report.snapshotPosition() >= newest, "seed " + seed + ": lost " + newest);
            final boolean isThere = next.report.snapshotPosition() >= 0;
            assertTrue(isThere ? next.recovered.isEmpty() : SteppedJournal.isPrefix(next.recovered, proposed),
                "seed " + seed + ": " + next.report);
        }
    }

    @Test
    void shouldGoOnWhenASnapshotCannotBeWritten() throws Exception
    {
        for (final Operation operation : new Operation[]{Operation.CREATE, Operation.RENAME})
        {
            proposed.clear();
            final SteppedJournal engine = syncedEngine();
            engine.disk.failAfter(operation, 0, new IOException("planted"));
            snapshotBegun(engine);
            engine.stepUntilIdle();
            assertEquals(1, engine.errors.size(), () -> operation + ": " + engine.errors);
            assertTrue(engine.errors.get(0).getMessage().endsWith(": planted"), () -> "" + engine.errors);
            engine.disk.mend();
            assertNull(engine.log.failure());
            assertEquals(-1, engine.log.snapshotPosition());
            assertEquals(0, engine.log.completedSnapshots());
            assertEquals(1, engine.log.failedSnapshots());
            propose(engine, 10);
            snapshot(engine);
            assertTrue(engine.log.snapshotPosition() > 0);
        }
    }

    /** No step of the journal's thread is long, since turns may wait for its next sync. */
    @Test
    void shouldForceAndCompareAPartAtATime() throws Exception
    {
        final SteppedJournal engine = syncedEngine();
        largeSnapshotBegun(engine);
        int allForces = 0;
        int steps = 0;
        int forces = engine.disk.forces();
        while (engine.agent.doWork() > 0)
        {
            steps++;
            allForces += engine.disk.forces() - forces;
            assertTrue(engine.disk.forces() - forces <= 1, "step " + steps);
            forces = engine.disk.forces();
        }
        assertTrue(allForces > LARGE_LENGTH / (2 * 1_024 * 1_024), allForces + " forces");
        assertTrue(steps > 2 * LARGE_ROOMS, steps + " steps");
        assertEquals(1, engine.log.completedSnapshots());
        final SteppedJournal next = engine.afterKill(RECORDED);
        assertEquals(LARGE_ROOMS, SteppedJournal.roomsOf(next.snapshot, LARGE_ROOMS, LARGE_STATE));
    }

    @Test
    void shouldNotUseASnapshotThatIsOtherOnTheDisk() throws Exception
    {
        final SteppedJournal engine = syncedEngine();
        for (int chunk = 0; chunk < LARGE_ROOMS; chunk++)
        {
            engine.disk.damageWrite(chunk);
            largeSnapshotBegun(engine);
            engine.stepUntilIdle();
            assertEquals(chunk + 1, engine.log.failedSnapshots(), "chunk " + chunk);
            assertTrue(engine.errors.get(chunk).getMessage().contains(": read back other bytes from offset "),
                () -> "" + engine.errors);
        }
        assertEquals(0, engine.log.completedSnapshots());
        assertEquals(0, unfinished(engine));
        largeSnapshotBegun(engine);
        engine.stepUntilIdle();
        assertEquals(1, engine.log.completedSnapshots());
    }

    @Test
    void shouldLeaveNoHalfSnapshotWhenTheJournalIsClosed() throws Exception
    {
        final SteppedJournal engine = syncedEngine();
        snapshotBegun(engine);
        engine.agent.doWork();
        assertEquals(1, unfinished(engine));
        engine.journal.close();
        assertEquals(0, unfinished(engine));
        assertEquals(List.of(), engine.errors);
        assertTrue(same(proposed, engine.afterKill(RECORDED).recovered));
    }

    @Test
    void shouldTakeOneAtATime() throws Exception
    {
        final SteppedJournal engine = engine();
        propose(engine, 10);
        snapshotBegun(engine);
        assertNull(engine.log.beginSnapshot());
        engine.stepUntilIdle();
        final HostImage image = engine.log.beginSnapshot();
        assertNull(engine.log.beginSnapshot(), "one is being filled");
        HOST.beginImage(image);
        engine.log.endSnapshot();
        assertThrows(IllegalStateException.class, engine.log::endSnapshot, "it was handed over");
        engine.stepUntilIdle();
        assertEquals(2, engine.log.completedSnapshots());
        assertNotNull(engine.log.beginSnapshot());
        engine.log.abandonSnapshot();
        assertThrows(IllegalStateException.class, engine.log::abandonSnapshot);
        assertNotNull(engine.log.beginSnapshot());
    }

    private static long unfinished(final SteppedJournal engine)
    {
        return engine.disk.list().stream()
            .filter((name) -> name.endsWith(".snapshot" + JournalNames.UNFINISHED)).count();
    }

    private int snapshot(final SteppedJournal engine)
    {
        snapshotBegun(engine);
        engine.stepUntilIdle();
        assertEquals(List.of(), engine.errors.stream().filter((ex) -> !ex.getMessage().endsWith("planted")).toList());
        return proposed.size();
    }

    private static void snapshotBegun(final SteppedJournal engine)
    {
        HOST.beginImage(engine.log.beginSnapshot());
        engine.log.endSnapshot();
    }

    private static void largeSnapshotBegun(final SteppedJournal engine)
    {
        LARGE_HOST.beginImage(engine.log.beginSnapshot());
        LARGE_HOST.fillImage(Long.MAX_VALUE);
        engine.log.endSnapshot();
    }

    private void propose(final SteppedJournal engine, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final byte[] message = SteppedJournal.message(random, LENGTH);
            assertTrue(engine.propose(message) > 0);
            proposed.add(message);
            engine.poll();
            engine.agent.doWork();
        }
    }

    /** An engine whose journal is on the disk, so that a snapshot begins to be written at once. */
    private SteppedJournal syncedEngine() throws Exception
    {
        final SteppedJournal engine = engine();
        propose(engine, 10);
        engine.clock.advance(SteppedJournal.SYNC_INTERVAL_NS);
        engine.stepUntilIdle();
        return engine;
    }

    private static SteppedJournal engine() throws Exception
    {
        return new SteppedJournal(RECORDED, new MemoryDisk(512), new MemoryTails());
    }
}
