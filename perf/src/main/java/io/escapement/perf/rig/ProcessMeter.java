package io.escapement.perf.rig;

import com.sun.management.OperatingSystemMXBean;
import io.escapement.engine.WarmUp;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * The use of time: the processor time of this process, how long its threads waited for a core, how long its compilers
 * worked, and its hiccups. A thread sleeps repeatedly, and a hiccup is the time by which it wakes too late: the JVM or
 * the host held it up, and so every other thread. That is jHiccup's method, with a longer sleep, because each wake-up
 * takes a core from a thread that spins.
 */
public final class ProcessMeter
{
    /** Prefix of the numbers of a process. Its role and a figure follow. */
    public static final String PREFIX = "process.";
    /** Length of the measured part. */
    public static final String NS = ".ns";
    public static final String CPU_NS = ".cpuNs";
    /** Time that the threads could run and had no core. */
    public static final String WAITED_NS = ".waitedNs";
    public static final String COMPILED_MS = ".compiledMs";
    /** Working time of a process that sends a load. */
    public static final String BUSY_NS = ".busyNs";
    /** Prefix of the series of hiccups. The role follows. */
    public static final String HICCUPS = "hiccups.";
    /** Prefix of the series of processor time, in millionths of a core: a value for each interval. */
    public static final String CPU = "cpu.";
    /** Share of a core in the unit of {@link #CPU}. */
    public static final double CORE = 1e6;

    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final String role;
    private final List<Histogram> cpu = new ArrayList<>();
    private IntervalRecorder hiccups;
    private long intervalNs;
    private long startNs;
    private long startCpuNs;
    private long startWaitedNs;
    private long startCompiledMs;
    private long intervalStartNs;
    private long intervalCpuNs;
    private boolean isMeasuring;

    /** Create, and start the thread. */
    ProcessMeter(final String role)
    {
        this.role = role;
        final Thread thread = new Thread(this::run, "hiccups");
        thread.setDaemon(true);
        thread.setPriority(Thread.MAX_PRIORITY);
        thread.start();
    }

    /** Begin a part of a planned length. */
    public synchronized void start(final int plannedMs)
    {
        final long plannedNs = TimeUnit.MILLISECONDS.toNanos(plannedMs);
        hiccups = new IntervalRecorder(plannedNs);
        intervalNs = Math.max(1, plannedNs / IntervalRecorder.DEFAULT_INTERVALS);
        cpu.clear();
        startWaitedNs = waitedNs();
        startCompiledMs = WarmUp.compiledMs();
        startCpuNs = system.getProcessCpuTime();
        intervalCpuNs = startCpuNs;
        startNs = System.nanoTime();
        intervalStartNs = startNs;
        hiccups.start(startNs);
        isMeasuring = true;
    }

    /**
     * The measurements of the part, which ends now.
     *
     * @param busyNs working time of this process in it, if it sends a load.
     */
    public Measurements stop(final long busyNs)
    {
        return stop().put(PREFIX + role + BUSY_NS, busyNs);
    }

    /** The measurements of the part, which ends now. */
    public synchronized Measurements stop()
    {
        final long endNs = System.nanoTime();
        isMeasuring = false;
        return new Measurements()
            .put(PREFIX + role + NS, endNs - startNs)
            .put(PREFIX + role + CPU_NS, system.getProcessCpuTime() - startCpuNs)
            .put(PREFIX + role + WAITED_NS, waitedNs() - startWaitedNs)
            .put(PREFIX + role + COMPILED_MS, WarmUp.compiledMs() - startCompiledMs)
            .add(HICCUPS + role, hiccups.stop(endNs))
            .add(CPU + role, cpu.toArray(new Histogram[0]));
    }

    private void run()
    {
        while (true)
        {
            final long beforeNs = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NS);
            final long nowNs = System.nanoTime();
            synchronized (this)
            {
                if (isMeasuring && beforeNs >= startNs)
                {
                    hiccups.record(nowNs, nowNs - beforeNs - SLEEP_NS);
                    if (nowNs - intervalStartNs >= intervalNs)
                    {
                        endInterval(nowNs);
                    }
                }
            }
        }
    }

    private void endInterval(final long nowNs)
    {
        final long cpuNs = system.getProcessCpuTime();
        final Histogram interval = new Histogram(3);
        interval.recordValue(Math.max(0, (long)(CORE * (cpuNs - intervalCpuNs) / (nowNs - intervalStartNs))));
        final long nowMs = System.currentTimeMillis();
        interval.setStartTimeStamp(nowMs - TimeUnit.NANOSECONDS.toMillis(nowNs - intervalStartNs));
        interval.setEndTimeStamp(nowMs);
        cpu.add(interval);
        intervalStartNs = nowNs;
        intervalCpuNs = cpuNs;
    }

    /** Of all threads that live; 0 where the system does not report it. */
    private static long waitedNs()
    {
        final File[] tasks = new File("/proc/self/task").listFiles();
        long waitedNs = 0;
        for (final File task : null == tasks ? new File[0] : tasks)
        {
            try
            {
                waitedNs += Long.parseLong(Files.readString(task.toPath().resolve("schedstat")).trim().split(" ")[1]);
            }
            catch (final IOException ex)
            {
                // It has stopped.
            }
        }
        return waitedNs;
    }
}
