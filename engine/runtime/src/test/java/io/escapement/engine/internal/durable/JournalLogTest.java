package io.escapement.engine.internal.durable;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.escapement.engine.internal.durable.CommitLog.BACK_PRESSURED;
import static io.escapement.engine.internal.durable.SteppedJournal.NO_TAIL;
import static io.escapement.engine.internal.durable.SteppedJournal.RECORDED;
import static io.escapement.engine.internal.durable.SteppedJournal.SYNCED;
import static io.escapement.engine.internal.durable.SteppedJournal.same;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When messages are committed, when they wait, and which of them the next engine finds. */
class JournalLogTest
{
    private static final int LONGEST = 3_000;

    private final Random random = new Random(21);

    @Test
    void shouldCommitAtOnceWhenRecorded() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        final byte[] message = message();
        final long position = engine.propose(message);
        assertTrue(position > 0);
        assertEquals(1, engine.log.underWay());
        assertEquals(position, engine.log.committedPosition());
        assertArrayEquals(message, engine.poll().get(0));
        assertEquals(0, engine.log.underWay());
        assertEquals(List.of(), engine.poll());
    }

    @Test
    void shouldCommitAtTheSyncWhenSynced() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        engine.stepUntilIdle();
        final List<byte[]> proposed = List.of(message(), message(), message());
        proposed.forEach(engine::propose);
        assertEquals(List.of(), engine.poll());
        final int forces = engine.disk.forces();
        assertTrue(engine.agent.doWork() > 0);
        assertEquals(forces + 1, engine.disk.forces(), "one sync for the group");
        assertTrue(same(proposed, engine.poll()));
    }

    @Test
    void shouldSyncAtTheIntervalWhenRecorded() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        engine.stepUntilIdle();
        engine.clock.advance(SteppedJournal.SYNC_INTERVAL_NS);
        engine.propose(message());
        engine.stepUntilIdle();
        final int forces = engine.disk.forces();
        engine.propose(message());
        engine.stepUntilIdle();
        assertEquals(forces, engine.disk.forces());
        engine.clock.advance(SteppedJournal.SYNC_INTERVAL_NS);
        assertEquals(1, engine.agent.doWork());
        assertEquals(forces + 1, engine.disk.forces());
    }

    @Test
    void shouldWriteInTheLoopWithoutATail() throws Exception
    {
        final SteppedJournal engine = engine(NO_TAIL);
        final byte[] message = message();
        engine.propose(message);
        assertTrue(same(List.of(message), engine.poll()));
        // No step of the journal's thread, and no tail.
        assertEquals(0, engine.tails.size());
        assertTrue(same(List.of(message), engine.afterKill(NO_TAIL).recovered));
    }

    @Test
    void shouldLimitTurnsUnderWay() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        final byte[] shortest = SteppedJournal.message(random, 8);
        for (int i = 0; i < 64; i++)
        {
            assertTrue(engine.propose(shortest) > 0);
        }
        assertEquals(BACK_PRESSURED, engine.propose(shortest));
        engine.agent.doWork();
        assertEquals(BACK_PRESSURED, engine.propose(shortest), "committed, but not passed on");
        assertEquals(64, engine.poll().size());
        assertTrue(engine.propose(shortest) > 0);
    }

    @Test
    void shouldLimitBytesUnderWayAndTakeOneTurnAlways() throws Exception
    {
        final SteppedJournal engine = engine(SYNCED);
        final byte[] longest = new byte[engine.log.maxProposalLength()];
        longest[2] = 66;
        engine.propose(longest);
        engine.agent.doWork();
        engine.poll();
        int count = 0;
        while (BACK_PRESSURED != engine.propose(longest))
        {
            count++;
        }
        assertEquals(4, count, "half a tail of records that are an eighth of it");
        engine.agent.doWork();
        engine.poll();
        assertTrue(engine.propose(longest) > 0);
    }

    @Test
    void shouldBePressedBackByAFullTailAlone() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        final List<byte[]> proposed = new ArrayList<>();
        long bytes = 0;
        for (byte[] message = message(); engine.propose(message) > 0; message = message())
        {
            proposed.add(message);
            bytes += message.length;
            engine.poll();
        }
        assertTrue(bytes > SteppedJournal.TAIL_LENGTH - 3 * LONGEST, () -> "only " + proposed.size());
        assertTrue(bytes < SteppedJournal.TAIL_LENGTH);
        engine.agent.doWork();
        final byte[] last = message();
        assertTrue(engine.propose(last) > 0);
        proposed.add(last);
        assertTrue(same(proposed, engine.afterKill(RECORDED).recovered));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RECORDED", "SYNCED", "NO_TAIL"})
    void shouldPassOnEverythingInOrderOverManySegmentsAndIncarnations(final String level) throws Exception
    {
        final JournalSettings options = "RECORDED".equals(level) ? RECORDED : "SYNCED".equals(level) ? SYNCED : NO_TAIL;
        final List<byte[]> all = new ArrayList<>();
        SteppedJournal engine = engine(options);
        for (int incarnation = 1; incarnation <= 4; incarnation++)
        {
            final List<byte[]> committed = new ArrayList<>(all);
            for (int i = 0; i < 1_000; i++)
            {
                final byte[] message = message();
                while (engine.propose(message) < 0)
                {
                    engine.agent.doWork();
                    engine.clock.advance(1_000);
                    committed.addAll(engine.poll());
                }
                all.add(message);
                if (0 == random.nextInt(3))
                {
                    engine.agent.doWork();
                    committed.addAll(engine.poll());
                }
            }
            engine.stepUntilIdle();
            committed.addAll(engine.poll());
            assertTrue(same(all, committed), level + " " + incarnation);
            assertEquals(all.size() + 1, engine.log.nextNumber());
            final boolean isClosed = 0 == incarnation % 2;
            if (isClosed)
            {
                engine.journal.close();
                assertEquals(0, engine.tails.size());
            }
            engine = engine.afterKill(options);
            assertTrue(same(all, engine.recovered), level + " " + incarnation + ": " + engine.recovered.size());
            assertEquals(isClosed, engine.report.isClosed());
            assertEquals(incarnation, engine.report.incarnation());
            assertEquals(List.of(), engine.report.notes());
        }
        assertTrue(JournalNames.segments(engine.disk.list(), SteppedJournal.LOOP).size() > 20);
    }

    @Test
    void shouldFindEverythingAfterAKillThatCameWhileARecordWasCopied() throws Exception
    {
        for (int count = 1; count <= 200; count += 9)
        {
            final List<byte[]> proposed = new ArrayList<>();
            final SteppedJournal engine = engine(RECORDED);
            engine.stepUntilIdle();
            for (int i = 0; i < count; i++)
            {
                final byte[] message = message();
                while (engine.propose(message) < 0)
                {
                    // Written, and not synced before the interval ends.
                    engine.agent.doWork();
                }
                engine.poll();
                proposed.add(message);
            }
            engine.stepUntilIdle();
            engine.tails.overwriteBehind(engine.log.proposedPosition());
            final SteppedJournal next = engine.afterKill(RECORDED);
            assertTrue(same(proposed, next.recovered), count + " messages: " + next.report);
        }
    }

    @Test
    void shouldPassOnLaterWhatTheHandlerProposes() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        final byte[] first = message();
        final byte[] second = message();
        engine.propose(first);
        final List<byte[]> seen = new ArrayList<>();
        final ProposalHandler handler = (position, buffer, offset, length) ->
        {
            if (seen.isEmpty())
            {
                engine.propose(second);
            }
            seen.add(SteppedJournal.copy(buffer, offset, length));
        };
        assertEquals(1, engine.log.poll(handler, 10));
        assertEquals(1, engine.log.poll(handler, 10));
        assertTrue(same(List.of(first, second), seen));
    }

    @Test
    void shouldNotOverwriteAMessageWhileItIsHandled() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        final byte[] message = message();
        engine.propose(message);
        engine.log.poll((position, buffer, offset, length) ->
        {
            int count = 0;
            while (engine.propose(message()) > 0 || count++ < 10)
            {
                engine.agent.doWork();
            }
            assertArrayEquals(message, SteppedJournal.copy(buffer, offset, length));
        }, 1);
    }

    @Test
    void shouldCountAMessageAsTakenWhenItsHandlerThrows() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        engine.propose(message());
        final byte[] second = message();
        engine.propose(second);
        assertThrows(IllegalStateException.class, () -> engine.log.poll((position, buffer, offset, length) ->
        {
            throw new IllegalStateException("planted");
        }, 10));
        assertTrue(same(List.of(second), engine.poll()));
    }

    @Test
    void shouldPassOnAtMostTheLimit() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        for (int i = 0; i < 5; i++)
        {
            engine.propose(message());
        }
        assertEquals(2, engine.log.poll((position, buffer, offset, length) -> { }, 2));
        assertEquals(3, engine.log.underWay());
    }

    @Test
    void shouldRefuseMessagesThatItCannotHold() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[SteppedJournal.TAIL_LENGTH]);
        buffer.putShort(2, (short)66);
        final int longest = engine.log.maxProposalLength();
        assertThrows(IllegalArgumentException.class, () -> engine.log.propose(buffer, 0, 7));
        assertThrows(IllegalArgumentException.class, () -> engine.log.propose(buffer, 0, longest + 1));
        assertTrue(engine.log.propose(buffer, 0, longest) > 0);
        buffer.putShort(2, (short)64);
        assertThrows(IllegalArgumentException.class, () -> engine.log.propose(buffer, 0, 8), "a segment's header");
    }

    @Test
    void shouldFailOnceClosed() throws Exception
    {
        final SteppedJournal engine = engine(RECORDED);
        engine.propose(message());
        engine.journal.close();
        engine.journal.close();
        assertEquals(CommitLog.FAILED, engine.propose(message()));
        assertEquals(List.of(), engine.errors);
        assertFalse(engine.disk.list().contains(JournalNames.spare(SteppedJournal.LOOP)));
    }

    private SteppedJournal engine(final JournalSettings options) throws Exception
    {
        return new SteppedJournal(options, new MemoryDisk(512), new MemoryTails());
    }

    private byte[] message()
    {
        return SteppedJournal.message(random, LONGEST);
    }
}
