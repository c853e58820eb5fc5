package io.escapement.server;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.exceptions.AeronException;
import io.escapement.config.ConfigException;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverLauncher;
import io.escapement.engine.monitor.CounterTypes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.status.CountersReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the counters of a running server and the spare capacity of each loop. */
@Command(
    name = "stat",
    sortOptions = false,
    description = "Print the counters of a running server, and estimate how many more rooms each loop can run.",
    footer = {"", "Examples:",
        "  escapement stat",
        "  escapement stat --aeron-dir /dev/shm/game --seconds 10 --hz 30"})
final class StatCommand implements Callable<Integer>
{
    private static final String REMEDY = " there; use the directory of the server";
    private static final double NS_A_SECOND = 1e9;
    /** Share of a loop's time to plan with. The rest absorbs frames that take longer than the mean. */
    private static final double USABLE = 0.7;

    @Spec
    private CommandSpec spec;

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory of the server's media driver, which \"serve\" prints. Without it the only running " +
            "server of this user is used, and several servers are listed.")
    private String aeronDirectory;

    @Option(names = "--seconds", defaultValue = "2",
        description = "Seconds to measure (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--hz", defaultValue = "60",
        description = "Frame rate of the additional rooms (default: ${DEFAULT-VALUE}).")
    private int hz;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (null != aeronDirectory)
        {
            return measure(out);
        }
        final Map<String, String> serverByDirectoryMap = servers();
        if (serverByDirectoryMap.isEmpty())
        {
            throw new IllegalStateException("no server of this user runs on this host with a media driver in " +
                DriverDirectory.memory() + " or " + CommonContext.AERON_DIR_PROP_DEFAULT +
                ": start one, or name its directory by --aeron-dir");
        }
        if (serverByDirectoryMap.size() > 1)
        {
            out.println("several servers run, choose one:");
            serverByDirectoryMap.forEach((directory, text) ->
                out.println("  escapement stat --aeron-dir " + directory + "   " + text));
            out.flush();
            return CommandLine.ExitCode.USAGE;
        }
        aeronDirectory = serverByDirectoryMap.keySet().iterator().next();
        return measure(out);
    }

    /** Servers by the directory of their driver, with a few of their counters. Drivers of clients have no servers. */
    private static Map<String, String> servers()
    {
        final Map<String, String> serverByDirectoryMap = new TreeMap<>();
        for (final String directory : DriverDirectory.active())
        {
            try (Aeron aeron = connect(directory))
            {
                final Map<String, Long> counters = read(aeron.countersReader());
                if (!counters.isEmpty())
                {
                    serverByDirectoryMap.put(directory, "trunks up: " +
                        counters.getOrDefault("escapement edge: trunks up", 0L) + ", rooms open on loop 0: " +
                        counters.getOrDefault(label(0, "rooms open"), 0L));
                }
            }
            catch (final AeronException ex)
            {
                // It has ended since.
                serverByDirectoryMap.remove(directory);
            }
        }
        return serverByDirectoryMap;
    }

    private static Aeron connect(final String directory)
    {
        return Aeron.connect(
            DriverLauncher.steady(new Aeron.Context()).aeronDirectoryName(directory).driverTimeoutMs(1_000));
    }

    private int measure(final PrintWriter out)
    {
        try (Aeron aeron = connect(aeronDirectory))
        {
            final CountersReader counters = aeron.countersReader();
            final TreeMap<String, Long> before = read(counters);
            ConfigException.check(
                !before.isEmpty(), "--aeron-dir", aeronDirectory, "no engine has counters" + REMEDY);
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < seconds * NS_A_SECOND)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            final double elapsedNs = System.nanoTime() - startNs;
            final TreeMap<String, Long> after = read(counters);
            after.forEach((label, value) ->
            {
                final long change = value - before.getOrDefault(label, 0L);
                if (0 != value)
                {
                    out.println(String.format(Locale.ROOT, "%,18d  %+,14.0f/s  %s", value,
                        change * NS_A_SECOND / elapsedNs, label));
                }
            });
            for (int loop = 0; after.containsKey(label(loop, "turns")); loop++)
            {
                out.println(capacity(loop, before, after, elapsedNs));
            }
            out.flush();
            return 0;
        }
        catch (final AeronException ex)
        {
            throw new ConfigException("--aeron-dir", aeronDirectory, "no media driver is active" + REMEDY, ex);
        }
    }

    private String capacity(
        final int loop, final TreeMap<String, Long> before, final TreeMap<String, Long> after, final double elapsedNs)
    {
        final double busy = change(loop, "nanoseconds at work", before, after) / elapsedNs;
        final double frames = change(loop, "room-frames run", before, after);
        final double costNs = change(loop, "nanoseconds in frames", before, after) / Math.max(1, frames);
        final String start = String.format(Locale.ROOT, "loop %d: %.0f %% busy", loop, 100 * busy);
        if (0 == frames)
        {
            return start + ", no frames";
        }
        // Because the cost of messages grows with the rooms, all busy time is attributed to their frames.
        final double wholeNs = Math.max(costNs, busy * elapsedNs / frames);
        final double more = Math.max(0, (USABLE - busy) * NS_A_SECOND / (wholeNs * hz));
        return start + String.format(Locale.ROOT,
            ", %.2f us per room frame (%.2f with its messages), capacity for about %.0f more such rooms at %d Hz",
            costNs / 1e3, wholeNs / 1e3, more, hz);
    }

    private static double change(
        final int loop, final String name, final TreeMap<String, Long> before, final TreeMap<String, Long> after)
    {
        return after.getOrDefault(label(loop, name), 0L) - before.getOrDefault(label(loop, name), 0L);
    }

    private static String label(final int loop, final String name)
    {
        return "escapement loop " + loop + ": " + name;
    }

    private static TreeMap<String, Long> read(final CountersReader counters)
    {
        final TreeMap<String, Long> valueByLabelMap = new TreeMap<>();
        counters.forEach((counterId, typeId, key, label) ->
        {
            if (CounterTypes.includes(typeId))
            {
                valueByLabelMap.put(label, counters.getCounterValue(counterId));
            }
        });
        return valueByLabelMap;
    }
}
