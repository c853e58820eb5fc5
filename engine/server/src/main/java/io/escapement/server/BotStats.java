package io.escapement.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Measurements of bots. Not thread-safe. */
final class BotStats
{
    private static final double NS_A_MS = 1e6;
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final Histogram pings = new Histogram(1, LONGEST_NS, 3);
    long states;
    long events;
    long bytes;
    long refusals;
    /** Joins, leaves and messages to rooms. */
    long sent;
    long logIns;
    /** Answers that checked the number of messages in a room. */
    private long checked;
    /** Messages that a room has not had, and should have. */
    long lost;
    /** Messages that a room has had twice. */
    long doubled;
    /** Longest time that a player waited for a message. */
    private long longestWaitNs;
    /** Of the game. */
    private final Map<String, Long> figureByNameMap = new TreeMap<>();

    /** A room has had this many messages more of a player than were sent, or less. */
    void delivered(final long more)
    {
        checked++;
        lost += Math.max(0, -more);
        doubled += Math.max(0, more);
    }

    void count(final String name, final long more)
    {
        figureByNameMap.merge(name, more, Long::sum);
    }

    void waited(final long ns)
    {
        longestWaitNs = Math.max(longestWaitNs, ns);
    }

    void recordPing(final long ns)
    {
        pings.recordValue(Math.max(1, Math.min(LONGEST_NS, ns)));
    }

    void add(final BotStats other)
    {
        pings.add(other.pings);
        states += other.states;
        events += other.events;
        bytes += other.bytes;
        refusals += other.refusals;
        sent += other.sent;
        logIns += other.logIns;
        checked += other.checked;
        lost += other.lost;
        doubled += other.doubled;
        longestWaitNs = Math.max(longestWaitNs, other.longestWaitNs);
        other.figureByNameMap.forEach(this::count);
    }

    void resetPings()
    {
        pings.reset();
    }

    void reset()
    {
        pings.reset();
        states = 0;
        events = 0;
        bytes = 0;
        refusals = 0;
        sent = 0;
        logIns = 0;
        checked = 0;
        lost = 0;
        doubled = 0;
        longestWaitNs = 0;
        figureByNameMap.clear();
    }

    StatisticsLine line(final String word, final int players)
    {
        final StatisticsLine line = new StatisticsLine(word)
            .put("players", players)
            .put("pings", pings.getTotalCount())
            .put("ping50", pings.getValueAtPercentile(50) / NS_A_MS)
            .put("ping99", pings.getValueAtPercentile(99) / NS_A_MS)
            .put("ping999", pings.getValueAtPercentile(99.9) / NS_A_MS)
            .put("states", states)
            .put("events", events)
            .put("bytes", bytes)
            .put("refusals", refusals)
            .put("logIns", logIns)
            .put("checked", checked)
            .put("lost", lost)
            .put("doubled", doubled)
            .put("longestWait", longestWaitNs / NS_A_MS);
        figureByNameMap.forEach(line::put);
        return line;
    }
}
