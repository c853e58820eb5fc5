package io.escapement.arena.program;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What bots measure, of an interval and in all. One thread. */
final class BotStats
{
    private static final double NS_A_MS = 1e6;
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final Histogram ping = new Histogram(1, LONGEST_NS, 3);
    private final Histogram allPings = new Histogram(1, LONGEST_NS, 3);
    long states;
    long events;
    long bytes;
    long refusals;
    /** Joins, leaves and messages to rooms. */
    long sent;
    long logIns;
    long created;
    /** As the scores say that its players were told. */
    long kills;
    long deaths;

    void pinged(final long ns)
    {
        ping.recordValue(Math.max(1, Math.min(LONGEST_NS, ns)));
    }

    /** What was measured so far was a warm-up. */
    void reset()
    {
        ping.reset();
        allPings.reset();
    }

    Line interval(final String word, final int players)
    {
        allPings.add(ping);
        final Line line = line(word, players, ping);
        ping.reset();
        states = 0;
        events = 0;
        bytes = 0;
        return line;
    }

    Line total(final String word, final int players)
    {
        allPings.add(ping);
        ping.reset();
        return line(word, players, allPings);
    }

    private Line line(final String word, final int players, final Histogram pings)
    {
        return new Line(word)
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
            .put("created", created);
    }
}
