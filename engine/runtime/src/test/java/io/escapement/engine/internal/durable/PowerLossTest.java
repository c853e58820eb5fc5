package io.escapement.engine.internal.durable;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static io.escapement.engine.internal.durable.SteppedJournal.NO_TAIL;
import static io.escapement.engine.internal.durable.SteppedJournal.RECORDED;
import static io.escapement.engine.internal.durable.SteppedJournal.SYNCED;
import static io.escapement.engine.internal.durable.SteppedJournal.isPrefix;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kills and power losses at random moments, one after the other on one journal, on a disk that drops, keeps and tears
 * unforced sectors. After a kill everything that was committed is there. After a power loss everything that was synced
 * is there. Nothing is there that was not proposed, and nothing twice.
 */
@Timeout(300)
class PowerLossTest
{
    private static final int LONGEST = 4_000;

    @ParameterizedTest
    @CsvSource({"SYNCED, 512", "SYNCED, 4096", "RECORDED, 512", "RECORDED, 4096", "NO_TAIL, 512", "NO_TAIL, 4096"})
    void shouldLoseNothingThatWasDurable(final String level, final int sectorLength) throws Exception
    {
        final int seeds = Tests.isFull() ? 2_000 : 8;
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
    }

    private static JournalOptions options(final String level)
    {
        return "SYNCED".equals(level) ? SYNCED : "RECORDED".equals(level) ? RECORDED : NO_TAIL;
    }

    private static void run(final JournalOptions options, final int sectorLength, final Random random)
        throws Exception
    {
        final List<byte[]> proposed = new ArrayList<>();
        final List<Long> ends = new ArrayList<>();
        SteppedJournal engine = new SteppedJournal(options, new FakeDisk(sectorLength), new FakeTails());
        for (int incarnation = 1; incarnation <= 6; incarnation++)
        {
            final int count = random.nextInt(200);
            for (int i = 0; i < count; i++)
            {
                step(engine, random, proposed, ends);
            }
            final boolean isPowerLoss = random.nextBoolean();
            final long durable = isPowerLoss ? synced(engine, options) : engine.log.committedPosition();
            int expected = 0;
            while (expected < ends.size() && ends.get(expected) <= durable)
            {
                expected++;
            }
            engine = isPowerLoss ?
                new SteppedJournal(options, engine.disk.afterPowerLoss(random), new FakeTails()) :
                engine.afterKill(options);
            final List<byte[]> recovered = engine.recovered;
            assertTrue(recovered.size() >= expected,
                recovered.size() + " of " + expected + " after " + (isPowerLoss ? "a power loss" : "a kill"));
            assertTrue(isPrefix(recovered, proposed));
            // The others were neither durable nor answered.
            proposed.subList(recovered.size(), proposed.size()).clear();
            ends.subList(recovered.size(), ends.size()).clear();
        }
    }

    private static void step(
        final SteppedJournal engine, final Random random, final List<byte[]> proposed, final List<Long> ends)
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
            engine.poll();
        }
    }

    /** End of what the journal's thread has synced: the tail's own word, which the loop's commits come from. */
    private static long synced(final SteppedJournal engine, final JournalOptions options)
    {
        return options.isSynced() ? engine.log.committedPosition() : engine.log.syncedPosition();
    }
}
