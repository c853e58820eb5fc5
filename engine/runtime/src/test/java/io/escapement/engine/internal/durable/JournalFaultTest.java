package io.escapement.engine.internal.durable;

import io.escapement.engine.internal.durable.MemoryDisk.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static io.escapement.engine.internal.durable.CommitLog.FAILED;
import static io.escapement.engine.internal.durable.SteppedJournal.LOOP;
import static io.escapement.engine.internal.durable.SteppedJournal.NO_TAIL;
import static io.escapement.engine.internal.durable.SteppedJournal.RECORDED;
import static io.escapement.engine.internal.durable.SteppedJournal.SEGMENT_LENGTH;
import static io.escapement.engine.internal.durable.SteppedJournal.SYNCED;
import static io.escapement.engine.internal.durable.SteppedJournal.same;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A disk that fails or is full. The journal fails for ever, and what it has committed is there after a restart. */
class JournalFaultTest
{
    private static final IOException FAULT = new IOException("Input/output error");
    private static final int LENGTH = 2_000;

    private final Random random = new Random(5);
    private final List<byte[]> proposed = new ArrayList<>();
    private final List<byte[]> committed = new ArrayList<>();

    @Test
    void shouldCommitNothingAfterASyncThatFailed() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        proposeAndStep(engine, 5);
        engine.stepUntilIdle();
        assertEquals(5, committed.size());

        engine.disk.failAfter(Operation.FORCE, 0, FAULT);
        proposeAndStep(engine, 1);
        assertSame(FAULT, engine.log.failure());
        final int forces = engine.disk.forces();
        engine.disk.mend();
        proposeAndStep(engine, 5);
        assertEquals(5, committed.size());
        assertEquals(forces, engine.disk.forces(), "a sync that failed is not tried again");
        assertEquals(List.of(FAULT), engine.errors);

        engine.journal.close();
        assertEquals(1, engine.tails.size(), "the tail stays, for the next start");
        // The message whose sync failed was not answered. It is in the tail, so it may be there.
        final SteppedJournal next = engine.afterKill(SYNCED);
        assertTrue(same(proposed.subList(0, 6), next.recovered));
    }

    @Test
    void shouldFailAtAWriteThatFails() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        proposeAndStep(engine, 5);
        engine.stepUntilIdle();
        engine.disk.failAfter(Operation.WRITE, 0, FAULT);
        proposeAndStep(engine, 1);
        engine.disk.mend();
        assertEquals(FAILED, engine.propose(message()));
        engine.stepUntilIdle();
        assertEquals(5, committed.size());
        assertTrue(same(proposed, engine.afterKill(SYNCED).recovered));
    }

    @Test
    void shouldKeepInTheTailWhatWasRecordedWhenTheDiskFails() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        engine.disk.failAfter(Operation.WRITE, 0, FAULT);
        for (int i = 0; i < 3; i++)
        {
            final byte[] message = message();
            proposed.add(message);
            assertTrue(engine.propose(message) > 0);
        }
        engine.agent.doWork();
        assertEquals(FAILED, engine.propose(message()));
        assertTrue(same(proposed, engine.poll()), "in memory that outlives the process");
        engine.journal.close();
        assertTrue(same(proposed, engine.afterKill(RECORDED).recovered));
    }

    @Test
    void shouldFailInTheLoopWithoutATail() throws Exception
    {
        final SteppedJournal engine = engine(NO_TAIL);
        proposeAndStep(engine, 3);
        engine.disk.failAfter(Operation.WRITE, 0, FAULT);
        assertEquals(FAILED, engine.propose(message()));
        assertEquals(List.of(), engine.poll());
        assertTrue(same(proposed, engine.afterKill(NO_TAIL).recovered));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"RENAME", "FORCE_DIRECTORY"})
    void shouldFailWhenANewSegmentCannotBeNamed(final Operation operation) throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        engine.stepUntilIdle();
        engine.disk.failAfter(operation, 0, FAULT);
        while (null == engine.log.failure())
        {
            proposeAndStep(engine, 1);
        }
        final int answered = committed.size();
        engine.disk.mend();
        proposeAndStep(engine, 3);
        assertEquals(answered, committed.size());
        final SteppedJournal next = engine.afterKill(SYNCED);
        assertTrue(next.recovered.size() >= answered);
        assertTrue(SteppedJournal.isPrefix(next.recovered, proposed));
    }

    @Test
    void shouldMeetAFullDiskASegmentEarlyAndGoOnAfterARestart() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        final int files = JournalNames.segments(engine.disk.list(), LOOP).size();
        // Room for the next file, but not for the one behind it.
        engine.disk.space((files + 1) * (long)SEGMENT_LENGTH + 10_000);
        long reportedAt = -1;
        while (null == engine.log.failure())
        {
            proposeAndStep(engine, 1);
            reportedAt = reportedAt < 0 && !engine.errors.isEmpty() ? committed.size() : reportedAt;
        }
        assertTrue(committed.size() - reportedAt > SEGMENT_LENGTH / LENGTH / 2, reportedAt + " of " + committed.size());
        assertTrue(engine.errors.get(0).getMessage().contains("No space left"), () -> "" + engine.errors);
        assertEquals(2, engine.errors.size(), () -> "the file of zeros once, the failure once: " + engine.errors);
        assertEquals(FAILED, engine.propose(message()));
        engine.journal.close();

        final JournalException refusal = assertThrows(
            JournalException.class, () -> new SteppedJournal(SYNCED, engine.disk, engine.tails));
        assertTrue(refusal.getMessage().contains("No space left"), refusal.getMessage());
        final SteppedJournal next = engine.afterKill(SYNCED);
        assertTrue(next.recovered.size() >= committed.size());
        assertTrue(SteppedJournal.isPrefix(next.recovered, proposed));
        assertTrue(next.propose(message()) > 0);
    }

    @Test
    void shouldGoOnWhenThereIsSpaceAgainBeforeTheSegmentEnds() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        engine.disk.space(SEGMENT_LENGTH + 10_000);
        while (engine.errors.isEmpty())
        {
            proposeAndStep(engine, 1);
        }
        engine.disk.mend();
        engine.clock.advance(JournalWriter.SPARE_RETRY_NS);
        proposeAndStep(engine, 6 * SEGMENT_LENGTH / LENGTH);
        assertNull(engine.log.failure());
        assertTrue(JournalNames.segments(engine.disk.list(), LOOP).size() > 2);
    }

    @Test
    void shouldFailAtTheEndOfASegmentWithoutATailWhenTheDiskIsFull() throws Exception
    {
        final SteppedJournal engine = engine(NO_TAIL);
        engine.disk.space(SEGMENT_LENGTH + 10_000);
        while (null == engine.log.failure())
        {
            proposeAndStep(engine, 1);
        }
        engine.disk.mend();
        assertEquals(FAILED, engine.propose(message()));
        assertTrue(same(proposed, engine.afterKill(NO_TAIL).recovered));
    }

    private void proposeAndStep(final SteppedJournal engine, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final byte[] message = message();
            if (engine.propose(message) > 0)
            {
                proposed.add(message);
            }
            engine.agent.doWork();
            committed.addAll(engine.poll());
        }
    }

    private SteppedJournal engine(final JournalSettings options) throws Exception
    {
        return new SteppedJournal(options, new MemoryDisk(512), new MemoryTails());
    }

    private byte[] message()
    {
        return SteppedJournal.message(random, LENGTH);
    }
}
