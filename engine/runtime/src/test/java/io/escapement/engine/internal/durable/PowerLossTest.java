package io.escapement.engine.internal.durable;

import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static io.escapement.engine.internal.durable.SteppedJournal.NO_TAIL;
import static io.escapement.engine.internal.durable.SteppedJournal.RECORDED;
import static io.escapement.engine.internal.durable.SteppedJournal.SYNCED;
import static io.escapement.engine.internal.durable.SteppedJournal.same;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kills and power losses at random moments, one after the other on one journal, on a disk that drops, keeps and tears
 * unforced sectors, while snapshots are taken and what is behind them is purged. After a kill everything that was
 * committed is there. After a power loss everything that was synced is there. Nothing is there that was not proposed,
 * and nothing twice; a snapshot has the state of its place in the journal.
 */
class PowerLossTest
{
    private static final int LONGEST = 4_000;
    private static final int SNAPSHOT_EVERY = 40;

    private final UnsafeBuffer state = new UnsafeBuffer(new byte[Long.BYTES]);
    private final RoomHost host = SteppedJournal.host(1, state);
    private final List<byte[]> proposed = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private int polled;
    private int restored;
    private int purged;

    @ParameterizedTest
    @CsvSource({"SYNCED, 512", "SYNCED, 4096", "RECORDED, 512", "RECORDED, 4096", "NO_TAIL, 512", "NO_TAIL, 4096"})
    void shouldLoseNothingThatWasDurable(final String level, final int sectorLength) throws Exception
    {
        final int seeds = Tests.isFull() ? 2_000 : 6;
        for (int seed = 1; seed <= seeds; seed++)
        {
            try
            {
                run(options(level), sectorLength, new Random(seed));
            }
            catch (final AssertionError | RuntimeException ex)
            {
                throw new AssertionError("seed " + seed + ": " + ex.getMessage(), ex);
            }
        }
        assertTrue(restored > seeds, restored + " recoveries from a snapshot");
        assertTrue(purged > seeds / 4, purged + " journals whose first segment was purged");
    }

    private static JournalSettings options(final String level)
    {
        return "SYNCED".equals(level) ? SYNCED : "RECORDED".equals(level) ? RECORDED : NO_TAIL;
    }

    private void run(final JournalSettings options, final int sectorLength, final Random random)
        throws Exception
    {
        proposed.clear();
        ends.clear();
        polled = 0;
        SteppedJournal engine = new SteppedJournal(options, new MemoryDisk(sectorLength), new MemoryTails());
        for (int incarnation = 1; incarnation <= 6; incarnation++)
        {
            final int count = random.nextInt(200);
            for (int i = 0; i < count; i++)
            {
                step(engine, random);
            }
            final boolean isPowerLoss = random.nextBoolean();
            final long durable = isPowerLoss ? synced(engine, options) : engine.log.committedPosition();
            int expected = 0;
            while (expected < ends.size() && ends.get(expected) <= durable)
            {
                expected++;
            }
            final long newest = engine.log.snapshotPosition();
            engine = isPowerLoss ?
                new SteppedJournal(options, engine.disk.afterPowerLoss(random), new MemoryTails()) :
                engine.afterKill(options);
            check(engine, expected, newest, isPowerLoss ? "a power loss" : "a kill");
        }
        final String first = JournalNames.segments(engine.disk.list(), SteppedJournal.LOOP).get(0);
        purged += JournalNames.position(first) > 0 ? 1 : 0;
    }

    private void check(final SteppedJournal engine, final int expected, final long newest, final String after)
    {
        final List<byte[]> recovered = engine.recovered;
        final int all = (int)engine.report.nextNumber() - 1;
        final int first = all - recovered.size();
        assertTrue(all >= expected, all + " of " + expected + " after " + after);
        assertTrue(all <= proposed.size(), all + " of " + proposed.size() + " after " + after);
        assertTrue(same(recovered, proposed.subList(first, all)), after);
        assertTrue(engine.report.snapshotPosition() >= newest, "the snapshot " + newest + " is lost after " + after);
        if (null == engine.snapshot)
        {
            assertEquals(0, first, after);
        }
        else
        {
            restored++;
            final UnsafeBuffer found = new UnsafeBuffer(new byte[Long.BYTES]);
            assertEquals(1, SteppedJournal.roomsOf(engine.snapshot, 1, found), after);
            assertEquals(first, found.getLong(0), after);
            assertEquals(ends.get(first - 1), engine.report.snapshotPosition(), after);
        }
        // The others were neither durable nor answered.
        proposed.subList(all, proposed.size()).clear();
        ends.subList(all, ends.size()).clear();
        polled = all;
    }

    private void step(final SteppedJournal engine, final Random random)
    {
        final byte[] message = SteppedJournal.message(random, LONGEST);
        final long end = engine.propose(message);
        if (end > 0)
        {
            proposed.add(message);
            ends.add(end);
        }
        if (0 == random.nextInt(4) || end < 0)
        {
            engine.clock.advance(random.nextInt(30_000_000));
            engine.agent.doWork();
        }
        if (random.nextBoolean())
        {
            polled += engine.poll().size();
        }
        if (polled > 0 && 0 == random.nextInt(SNAPSHOT_EVERY))
        {
            snapshot(engine);
        }
    }

    /** Of the state after the messages that were passed on, unless the last one is still being written. */
    private void snapshot(final SteppedJournal engine)
    {
        final HostImage image = engine.log.beginSnapshot();
        if (null != image)
        {
            state.putLong(0, polled);
            host.beginImage(image);
            host.fillImage(Integer.MAX_VALUE);
            engine.log.endSnapshot();
        }
    }

    /** End of what the journal's thread has synced: the tail's own word, which the loop's commits come from. */
    private static long synced(final SteppedJournal engine, final JournalSettings options)
    {
        return options.isSynced() ? engine.log.committedPosition() : engine.log.syncedPosition();
    }
}
