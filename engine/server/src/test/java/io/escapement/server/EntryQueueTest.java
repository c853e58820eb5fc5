package io.escapement.server;

import io.escapement.testsupport.RealTime;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Thousands of bots enter a modelled server, stepped by a test's time. */
@RealTime("how fast a queue lets players in")
class EntryQueueTest
{
    private static final int BOTS = 4_096;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long IDLE_PING_NS = TimeUnit.MILLISECONDS.toNanos(15);
    private static final long START_NS = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1_000);

    private final EntryQueue queue = new EntryQueue(BOTS, START_NS);
    private final ArrayDeque<Integer> inWork = new ArrayDeque<>();
    private final Histogram pings = new Histogram(TimeUnit.HOURS.toNanos(1), 2);
    private long nowNs = START_NS;
    /** Work that the server has not done yet. Whoever pings waits for it too. */
    private long backlogNs;
    private int admitted;
    private int answered;
    private int entered;

    @Test
    void shouldAdmitAtARateThatThoseWhoPlayDoNotNotice()
    {
        addAll();

        final long tookNs = run(TimeUnit.MILLISECONDS.toNanos(8), 0);

        assertEquals(BOTS, entered);
        assertTrue(tookNs < TimeUnit.SECONDS.toNanos(60), () -> tookNs + " ns for 33 s of work");
        final double p99Ms = pings.getValueAtPercentile(99) / 1e6;
        assertTrue(p99Ms < 30, () -> "ping p99 " + p99Ms + " ms");
    }

    @Test
    void shouldAdmitAllSoonWhenEnteringIsCheap()
    {
        addAll();

        final long tookNs = run(TimeUnit.MICROSECONDS.toNanos(100), 0);

        assertEquals(BOTS, entered);
        assertTrue(tookNs < TimeUnit.SECONDS.toNanos(25), () -> tookNs + " ns");
    }

    @Test
    void shouldAdmitAllWhenManyAreRefused()
    {
        addAll();

        final long tookNs = run(TimeUnit.MILLISECONDS.toNanos(2), 3);

        assertEquals(BOTS, entered);
        assertTrue(admitted > BOTS * 4 / 3, () -> admitted + " attempts");
        assertTrue(tookNs < TimeUnit.SECONDS.toNanos(60), () -> tookNs + " ns");
    }

    @Test
    void shouldAdmitAllInBoundedTimeHoweverSlowThePingsAre()
    {
        addAll();

        final long untilNs = nowNs + TimeUnit.SECONDS.toNanos(140);
        while (admitted < BOTS && nowNs < untilNs)
        {
            queue.onPing(TimeUnit.SECONDS.toNanos(1));
            admitted += EntryQueue.EMPTY == queue.poll(nowNs) ? 0 : 1;
            nowNs += STEP_NS;
        }

        assertEquals(BOTS, admitted);
    }

    @Test
    void shouldNotMakeUpForALongPause()
    {
        addAll();
        while (EntryQueue.EMPTY != queue.poll(nowNs))
        {
            admitted++;
        }
        nowNs += TimeUnit.SECONDS.toNanos(10);

        int atOnce = 0;
        while (EntryQueue.EMPTY != queue.poll(nowNs))
        {
            atOnce++;
        }

        assertTrue(atOnce <= 2, atOnce + " after a pause");
    }

    @Test
    void shouldAdmitInOrder()
    {
        queue.add(7);
        queue.add(3);

        assertEquals(7, queue.poll(nowNs));
        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertEquals(3, queue.poll(nowNs));
        nowNs += TimeUnit.SECONDS.toNanos(1);
        assertEquals(EntryQueue.EMPTY, queue.poll(nowNs));
    }

    @Test
    void shouldLetBotsLeaveOneAfterTheOtherWhenNobodyWaits()
    {
        queue.add(7);
        assertFalse(queue.tryLeave(nowNs));
        assertEquals(7, queue.poll(nowNs));
        nowNs += TimeUnit.SECONDS.toNanos(1);

        int atOnce = 0;
        while (queue.tryLeave(nowNs))
        {
            atOnce++;
        }

        assertTrue(atOnce >= 1 && atOnce <= 2, atOnce + " left at once");
    }

    private void addAll()
    {
        for (int i = 0; i < BOTS; i++)
        {
            queue.add(i);
        }
    }

    /**
     * Until all have entered, for ten minutes at most.
     *
     * @param workNs       of the server for one entry.
     * @param refusedEvery one of this many attempts is refused; 0 for none.
     */
    private long run(final long workNs, final int refusedEvery)
    {
        while (entered < BOTS && nowNs - START_NS < TimeUnit.MINUTES.toNanos(10))
        {
            for (int bot = queue.poll(nowNs); EntryQueue.EMPTY != bot; bot = queue.poll(nowNs))
            {
                inWork.add(bot);
                backlogNs += workNs;
                admitted++;
            }
            backlogNs = Math.max(0, backlogNs - STEP_NS);
            while (inWork.size() > backlogNs / workNs)
            {
                final int done = inWork.poll();
                if (0 != refusedEvery && 0 == ++answered % refusedEvery)
                {
                    queue.add(done);
                }
                else
                {
                    entered++;
                }
            }
            final long turn = (nowNs - START_NS) / STEP_NS;
            // Each bot that plays pings once a second.
            for (int i = (int)(turn % 1_000); i < entered; i += 1_000)
            {
                queue.onPing(IDLE_PING_NS + backlogNs);
                pings.recordValue(IDLE_PING_NS + backlogNs);
            }
            nowNs += STEP_NS;
        }
        return nowNs - START_NS;
    }
}
