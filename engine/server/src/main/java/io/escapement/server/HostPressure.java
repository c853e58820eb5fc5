package io.escapement.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How much the host kept processes from running: the share of time that its hypervisor gave to other guests (steal),
 * and how long the processes' threads were ready and waited for a core. Linux only.
 */
final class HostPressure
{
    private static final Path PROC = Path.of("/proc");
    private static final int STEAL = 8;
    private static final double NS_A_SECOND = 1e9;
    /** Less than this explains no missed limit. */
    private static final double LEAST_SHARE = 0.05;

    /** Of the host in ticks, and of threads in nanoseconds. */
    record Reading(long steal, long all, long runNs, long waitNs)
    {
        static final Reading NONE = new Reading(0, 0, 0, 0);
    }

    private final Reading first;
    private final List<Long> pids;

    HostPressure(final List<Long> pids)
    {
        this.pids = pids;
        first = read();
    }

    /** Read again, while the processes run. */
    Reading sinceStart()
    {
        return difference(first, read());
    }

    static Reading difference(final Reading from, final Reading to)
    {
        return new Reading(to.steal - from.steal, to.all - from.all, to.runNs - from.runNs, to.waitNs - from.waitNs);
    }

    static boolean isKnown(final Reading reading)
    {
        return 0 < reading.all && 0 < reading.runNs;
    }

    /** Whether the host kept the processes from running often enough to explain late answers. */
    static boolean explains(final Reading reading)
    {
        return !isKnown(reading) || Math.max(stealShare(reading), waitShare(reading)) >= LEAST_SHARE;
    }

    static String text(final Reading reading)
    {
        return isKnown(reading) ? String.format(Locale.ROOT,
            "steal %.1f %% of the host's time; threads waited %.1f s for a core, %.1f %% of the time they wanted one",
            100 * stealShare(reading), reading.waitNs / NS_A_SECOND, 100 * waitShare(reading)) :
            "this system does not say how long threads wait for a core";
    }

    private static double stealShare(final Reading reading)
    {
        return reading.steal / (double)reading.all;
    }

    private static double waitShare(final Reading reading)
    {
        return reading.waitNs / (double)(reading.runNs + reading.waitNs);
    }

    private Reading read()
    {
        try
        {
            Reading sum = host(Files.readString(PROC.resolve("stat")));
            for (final long pid : pids)
            {
                try (Stream<Path> tasks = Files.list(PROC.resolve(pid + "/task")))
                {
                    for (final Path task : tasks.toList())
                    {
                        sum = plusThread(sum, schedstat(task));
                    }
                }
            }
            return sum;
        }
        catch (final IOException | RuntimeException ex)
        {
            // Another system, or a process that has just exited.
            return Reading.NONE;
        }
    }

    private static String schedstat(final Path task) throws IOException
    {
        try
        {
            return Files.readString(task.resolve("schedstat"));
        }
        catch (final IOException ex)
        {
            if (Files.exists(task))
            {
                throw ex;
            }
            // The thread has just exited.
            return "0 0 0";
        }
    }

    /** The first line of /proc/stat: "cpu" and ticks by kind, of which the eighth is steal. */
    static Reading host(final String stat)
    {
        final String[] ticks = stat.lines().findFirst().orElseThrow().split(" +");
        long all = 0;
        for (int i = 1; i <= STEAL; i++)
        {
            all += Long.parseLong(ticks[i]);
        }
        return new Reading(Long.parseLong(ticks[STEAL]), all, 0, 0);
    }

    /** A thread's schedstat: nanoseconds of running, nanoseconds of waiting, and how often it ran. */
    static Reading plusThread(final Reading sum, final String schedstat)
    {
        final String[] numbers = schedstat.trim().split(" ");
        return new Reading(sum.steal, sum.all,
            sum.runNs + Long.parseLong(numbers[0]), sum.waitNs + Long.parseLong(numbers[1]));
    }
}
