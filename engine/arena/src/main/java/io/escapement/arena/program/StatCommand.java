package io.escapement.arena.program;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.exceptions.AeronException;
import io.escapement.engine.internal.edge.EdgeCounters;
import io.escapement.engine.internal.loop.LoopCounters;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.status.CountersReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads the counters of a running server, and says how much more each loop can hold. */
@Command(
    name = "stat",
    sortOptions = false,
    description = "Print the counters of a running server, and how many more rooms each of its loops can hold.")
final class StatCommand implements Callable<Integer>
{
    private static final int LAST_TYPE_ID = 75_000;
    private static final double NS_A_SECOND = 1e9;
    /** Of a loop's time, so that a frame that is dearer than the others still finds its place. */
    private static final double USABLE = 0.7;

    @Spec
    private CommandSpec spec;

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "The media driver of the server; Aeron's default else.")
    private String aeronDirectory = CommonContext.getAeronDirectoryName();

    @Option(names = "--seconds", defaultValue = "2",
        description = "For how long to look; ${DEFAULT-VALUE} unless given.")
    private double seconds;

    @Option(names = "--hz", defaultValue = "60",
        description = "Frame rate of the rooms that are to fit; ${DEFAULT-VALUE} " +
        "unless given.")
    private int hz;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        try (Aeron aeron = Aeron.connect(
            new Aeron.Context().aeronDirectoryName(aeronDirectory).driverTimeoutMs(1_000)))
        {
            final CountersReader counters = aeron.countersReader();
            final TreeMap<String, Long> before = read(counters);
            if (before.isEmpty())
            {
                throw new IllegalStateException("--aeron-dir: " + aeronDirectory + ": no engine counts there");
            }
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < seconds * NS_A_SECOND)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            final double pastNs = System.nanoTime() - startNs;
            final TreeMap<String, Long> after = read(counters);
            after.forEach((label, value) ->
            {
                final long change = value - before.getOrDefault(label, 0L);
                if (0 != value)
                {
                    out.println(String.format(Locale.ROOT, "%,18d  %+,14.0f/s  %s", value,
                        change * NS_A_SECOND / pastNs, label));
                }
            });
            for (int loop = 0; after.containsKey(label(loop, "turns")); loop++)
            {
                out.println(room(loop, before, after, pastNs));
            }
            out.flush();
            return 0;
        }
        catch (final AeronException ex)
        {
            throw new IllegalStateException("--aeron-dir: " + aeronDirectory + ": no media driver is active there", ex);
        }
    }

    private String room(
        final int loop, final TreeMap<String, Long> before, final TreeMap<String, Long> after, final double pastNs)
    {
        final double busy = change(loop, "nanoseconds at work", before, after) / pastNs;
        final double frames = change(loop, "room-frames run", before, after);
        final double costNs = change(loop, "nanoseconds in frames", before, after) / Math.max(1, frames);
        final String start = String.format(Locale.ROOT, "loop %d: %.0f %% at work", loop, 100 * busy);
        if (0 == frames)
        {
            return start + ", and no frames ran";
        }
        // What messages cost comes with the rooms: all of the time at work is put on their frames.
        final double wholeNs = Math.max(costNs, busy * pastNs / frames);
        final double more = Math.max(0, (USABLE - busy) * NS_A_SECOND / (wholeNs * hz));
        return start + String.format(Locale.ROOT,
            ", a room-frame takes %.2f us (%.2f with its messages): about %.0f more such rooms at %d Hz fit",
            costNs / 1e3, wholeNs / 1e3, more, hz);
    }

    private static double change(
        final int loop, final String what, final TreeMap<String, Long> before, final TreeMap<String, Long> after)
    {
        return after.getOrDefault(label(loop, what), 0L) - before.getOrDefault(label(loop, what), 0L);
    }

    private static String label(final int loop, final String what)
    {
        return "escapement loop " + loop + ": " + what;
    }

    private static TreeMap<String, Long> read(final CountersReader counters)
    {
        final TreeMap<String, Long> valueByLabelMap = new TreeMap<>();
        counters.forEach((counterId, typeId, key, label) ->
        {
            if (typeId >= Math.min(LoopCounters.FIRST_TYPE_ID, EdgeCounters.FIRST_TYPE_ID) && typeId < LAST_TYPE_ID)
            {
                valueByLabelMap.put(label, counters.getCounterValue(counterId));
            }
        });
        return valueByLabelMap;
    }
}
