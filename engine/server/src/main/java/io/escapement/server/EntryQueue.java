package io.escapement.server;

import java.util.concurrent.TimeUnit;
import org.agrona.collections.IntArrayQueue;

/**
 * The bots of a host that wait to enter, in order. It admits them at a rate that follows the pings of the playing bots:
 * faster while the pings are good, half as fast when they are not. Entering bots thus do not slow the playing bots. An
 * admitted bot does not take a place that it must return: if it is refused, it is added again.
 */
final class EntryQueue
{
    static final int EMPTY = -1;
    /** How often the rate changes. A bot pings once per second. A few dozen bots are enough for a judgement. */
    static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** An idle server answers a ping within a frame of 60 Hz and the way. */
    private static final long SLOW_PING_NS = TimeUnit.MILLISECONDS.toNanos(25);
    /** One in 20 pings may be slow: some are, however idle the machine is. */
    private static final int SLOW_SHARE = 20;
    /** After a busy period of a host, admissions are made up for at most this time. */
    private static final long CATCH_UP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MIN_PER_SECOND = 16;
    /** Until the first bots play. */
    private static final int START_PER_SECOND = 32;
    private static final int MAX_PER_SECOND = 256;
    /** All bots enter within this time, however slow the pings are. */
    private static final int LONGEST_SECONDS = 120;
    /** All bots enter within this time while the pings are good. */
    private static final int SHORTEST_SECONDS = 16;

    private final IntArrayQueue waiting = new IntArrayQueue(EMPTY);
    private final int minPerSecond;
    private final int maxPerSecond;
    private int perSecond;
    private int pings;
    private int slowPings;
    private long judgedNs;
    private long nextNs;

    /** @param players of the host. */
    EntryQueue(final int players, final long nowNs)
    {
        minPerSecond = Math.max(MIN_PER_SECOND, players / LONGEST_SECONDS);
        maxPerSecond = Math.max(MAX_PER_SECOND, players / SHORTEST_SECONDS);
        perSecond = Math.max(minPerSecond, START_PER_SECOND);
        judgedNs = nowNs;
        nextNs = nowNs;
    }

    /** Add a bot that wants to enter, or to retry after a refusal. */
    void add(final int number)
    {
        waiting.addInt(number);
    }

    /** A bot that plays has received the answer to a ping. */
    void onPing(final long ns)
    {
        pings++;
        slowPings += ns > SLOW_PING_NS ? 1 : 0;
    }

    /** The next bot that may enter now, or {@link #EMPTY}. */
    int poll(final long nowNs)
    {
        if (nowNs - judgedNs >= INTERVAL_NS)
        {
            judge();
            judgedNs = nowNs;
        }
        if (nowNs - nextNs < 0 || waiting.isEmpty())
        {
            return EMPTY;
        }
        take(nowNs);
        return waiting.pollInt();
    }

    /** Whether a playing bot may leave now, to return later: no bot waits, and a leave is paced like an entry. */
    boolean tryLeave(final long nowNs)
    {
        if (nowNs - nextNs < 0 || !waiting.isEmpty())
        {
            return false;
        }
        take(nowNs);
        return true;
    }

    void clear()
    {
        waiting.clear();
    }

    private void take(final long nowNs)
    {
        nextNs = nowNs - Math.min(nowNs - nextNs, CATCH_UP_NS) + SECOND_NS / perSecond;
    }

    private void judge()
    {
        if (slowPings * SLOW_SHARE > pings)
        {
            perSecond = Math.max(minPerSecond, perSecond / 2);
        }
        else if (pings > 0)
        {
            perSecond = Math.min(maxPerSecond, perSecond + minPerSecond / 4);
        }
        pings = 0;
        slowPings = 0;
    }
}
