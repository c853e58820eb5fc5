package io.escapement.console;

import io.escapement.codecs.JsonWriter;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineOperator;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Makes the events: all numbers of the overview, from counters and the history. Used by one thread. */
final class Sampler
{
    private static final double NS_A_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String LOOP = "escapement loop ";
    private static final String REFUSED = ": refused ";
    /**
     * An event of 32 KB has room for the curves and columns of this many loops. With more loops it has no curves and
     * columns.
     */
    private static final int MAX_CHARTED = 24;
    private static final int MAX_REFUSALS = 40;
    /** Those of ten seconds. */
    private static final int LONGEST_EVENTS = 20;
    /** Load above which the governor lowers rates: that much of a loop can be used. */
    private static final double FULL_LOAD = 0.85;

    private final Engine engine;
    private final EngineOperator operator;
    private final LatencyHistory history;
    private final Map<String, Long> valueByLabelMap = new HashMap<>();
    private final Map<String, Long> earlierByLabelMap = new HashMap<>();
    /** Longest turn of each loop at each of the last events. */
    private final long[][] longestNs;
    private final long startedMs = ManagementFactory.getRuntimeMXBean().getStartTime();
    private long sampledNs;
    private int events;
    private double seconds;

    Sampler(final Engine engine, final LatencyHistory history)
    {
        this.engine = engine;
        operator = engine.operator();
        this.history = history;
        longestNs = new long[engine.loops()][LONGEST_EVENTS];
    }

    /** Make an event: a line of JSON. */
    byte[] next(final long nowNs)
    {
        readCounters(nowNs);
        events++;
        final JsonWriter json = new JsonWriter();
        json.begin('{').name("timeMs").number(System.currentTimeMillis())
            .name("upSeconds").number((System.currentTimeMillis() - startedMs) / 1_000);
        head(json);
        json.name("loops").begin('[');
        for (int i = 0; i < engine.loops(); i++)
        {
            loop(json, i);
        }
        json.end(']');
        refusals(json);
        json.name("feeds").begin('{')
            .name("missed").number(valueIfKnown("escapement driver: feed datagrams missed"))
            .name("ignored").number(valueIfKnown("escapement driver: feed NAKs and errors ignored"))
            .name("left").number(value("escapement edge: feeds that trunks left"))
            .end('}');
        final Runtime jvm = Runtime.getRuntime();
        json.name("jvm").begin('{')
            .name("safepoints").number(valueIfKnown("escapement jvm: safepoints"))
            .name("safepointMs").number(valueIfKnown("escapement jvm: nanoseconds in safepoints") / 1e6)
            .name("heapMb").number((jvm.totalMemory() - jvm.freeMemory()) / 1e6)
            .end('}').end('}');
        return (json + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private void readCounters(final long nowNs)
    {
        seconds = 0 == sampledNs ? 0 : (nowNs - sampledNs) / NS_A_SECOND;
        sampledNs = nowNs;
        earlierByLabelMap.clear();
        earlierByLabelMap.putAll(valueByLabelMap);
        operator.forEachCounter((typeId, label, isGauge, value) -> valueByLabelMap.merge(label, value, (a, b) -> b));
    }

    private void head(final JsonWriter json)
    {
        json.name("head").begin('{')
            .name("isAlive").flag(engine.isAlive())
            .name("isDraining").flag(operator.isDraining())
            .name("rooms").number(sum("rooms open"))
            .name("trunks").number(value("escapement edge: trunks up"))
            .name("entries").number(value("escapement edge: entries accepted"))
            .name("framesMissed").number(sum("room-frames that never ran"))
            .name("statesDropped").number(sum("states dropped"))
            .name("eventsLost").number(sum("events lost with their trunk"))
            .name("refused").number(sum("commands refused") + value("escapement edge: entries refused"))
            .name("roomsFailed").number(sum("rooms failed"))
            .name("stalls").number(sum("stalls"))
            .name("second").number(history.second())
            .end('}');
    }

    private void loop(final JsonWriter json, final int loop)
    {
        final boolean isCharted = engine.loops() <= MAX_CHARTED;
        final double load = rate(loop, "nanoseconds at work") / NS_A_SECOND;
        final long rooms = value(label(loop, "rooms open"));
        json.begin('{')
            .name("load").number(load)
            .name("frameLoad").number(rate(loop, "nanoseconds in frames") / NS_A_SECOND)
            .name("rooms").number(rooms)
            .name("fit").number(fit(load, rooms))
            .name("step").number(value(label(loop, "steps down the frame ladder")))
            .name("turns").number(rate(loop, "turns"))
            .name("commands").number(rate(loop, "commands"))
            .name("frames").number(rate(loop, "room-frames run"))
            .name("missed").number(value(label(loop, "room-frames that never ran")))
            .name("dropped").number(value(label(loop, "states dropped")))
            .name("refused").number(value(label(loop, "commands refused")))
            .name("timers").number(value(label(loop, "timers set")))
            .name("requests").number(value(label(loop, "requests to services open")))
            .name("stalls").number(value(label(loop, "stalls")))
            .name("feedReceivers").number(feedReceivers(loop))
            .name("feedPackets").number(rate(loop, "packets of its feed"))
            .name("longest").number(longest(loop) / 1e3)
            .name("ring").number(operator.ringSize(loop))
            .name("inbox").number(operator.inboxSize(loop));
        numbers(json.name("frameWork"), history.summary(loop, 0));
        numbers(json.name("ringWait"), history.summary(loop, 1));
        numbers(json.name("commandWork"), history.summary(loop, 2));
        json.name("curves").begin('[');
        for (final LatencyHistory.Window window : LatencyHistory.Window.values())
        {
            numbers(json, isCharted ? history.curve(loop, window) : new double[0]);
        }
        json.end(']').name("columns").begin('[');
        // The last second continues, and the second before it may have finished since the last event.
        final long second = history.second();
        column(json, isCharted ? history.column(loop, second - 1) : new int[0]);
        column(json, isCharted ? history.column(loop, second) : new int[0]);
        json.end(']').end('}');
    }

    /** NaN, which is null in JSON, for a loop if no trunk has received its feed. */
    private double feedReceivers(final int loop)
    {
        final long receivers = value(label(loop, "trunks that receive its feed"));
        return 0 == receivers && 0 == value(label(loop, "packets of its feed")) ? Double.NaN : receivers;
    }

    /** The longest turn of the last ten seconds. */
    private double longest(final int loop)
    {
        final long[] last = longestNs[loop];
        last[events % LONGEST_EVENTS] = value(label(loop, "nanoseconds of the longest turn in a second"));
        return Arrays.stream(last).max().getAsLong();
    }

    /**
     * How many more rooms like the rooms of a loop fit. All of its busy time counts as theirs, including commands and
     * output. The estimate therefore errs low.
     */
    static double fit(final double load, final long rooms)
    {
        return 0 == rooms || load <= 0 ? Double.NaN : Math.floor(Math.max(0, (FULL_LOAD - load) * rooms / load));
    }

    /** The refusals per code, of all loops and the edge. */
    private void refusals(final JsonWriter json)
    {
        final Map<String, Long> countByCodeMap = new TreeMap<>();
        valueByLabelMap.forEach((label, value) ->
        {
            final int at = label.indexOf(REFUSED);
            if (at >= 0 && 0 != value)
            {
                countByCodeMap.merge(label.substring(at + REFUSED.length()), value, Long::sum);
            }
        });
        json.name("refusals").begin('{');
        countByCodeMap.entrySet().stream().limit(MAX_REFUSALS)
            .forEach((entry) -> json.name(entry.getKey()).number(entry.getValue()));
        json.end('}');
    }

    private double rate(final int loop, final String name)
    {
        final String label = label(loop, name);
        final Long earlier = earlierByLabelMap.get(label);
        return null == earlier || seconds <= 0 ? 0 : (value(label) - earlier) / seconds;
    }

    private long sum(final String name)
    {
        long sum = 0;
        for (int i = 0; i < engine.loops(); i++)
        {
            sum += value(label(i, name));
        }
        return sum;
    }

    private long value(final String label)
    {
        return valueByLabelMap.getOrDefault(label, 0L);
    }

    /** A JVM without shared performance data counts no safepoints, a driver without guards no datagrams. */
    private double valueIfKnown(final String label)
    {
        final Long value = valueByLabelMap.get(label);
        return null == value ? Double.NaN : value;
    }

    private static String label(final int loop, final String name)
    {
        return LOOP + loop + ": " + name;
    }

    static void numbers(final JsonWriter json, final double[] values)
    {
        json.begin('[');
        for (final double value : values)
        {
            json.number(value);
        }
        json.end(']');
    }

    static void column(final JsonWriter json, final int[] counts)
    {
        json.begin('[');
        for (final int count : counts)
        {
            json.number((long)count);
        }
        json.end(']');
    }
}
