package io.escapement.engine;

import io.escapement.config.ConfigException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.NanoClock;

/**
 * How an engine warms up. The JIT compiles code that runs often, and needs a core for it. Spinning threads do not leave
 * it a core. Threads that will spin ({@link Idle#BUSY}, {@link Idle#YIELD}) therefore park until the compilers rest.
 * Then {@link Engine#launch} returns. With a {@link #log}, its turns are first rerun many times without output, to
 * compile the code of the rooms as well. An engine with parking threads and without a log needs no warm-up.
 */
public final class WarmUp
{
    /** Compilers rest if they work for less than this share of a time. */
    public static final double REST = 0.01;
    /** Default of {@link #limitNs(long)}. */
    public static final long LIMIT_NS_DEFAULT = TimeUnit.SECONDS.toNanos(10);

    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private long limitNs = LIMIT_NS_DEFAULT;
    private Path log;
    private boolean isByApplication;
    private LongSupplier workedMs = WarmUp::compiledMs;
    private volatile boolean isOver;

    /**
     * Longest warm-up, after which the engine starts whatever the compilers do. A log that runs is not cut in the
     * middle.
     *
     * @param ns nanoseconds, 0 for no warm-up.
     */
    public WarmUp limitNs(final long ns)
    {
        ConfigException.check(ns >= 0, "warmUp.limitNs", ns, "use a time, or 0 for no warm-up");
        limitNs = ns;
        return this;
    }

    /**
     * The load of the warm-up. Default: none. A journal's recovery is also a warm-up.
     *
     * @param file the directory of a recording or a journal, not in use by an engine, of rooms that this engine has.
     */
    public WarmUp log(final Path file)
    {
        ConfigException.check(Files.isDirectory(file), "warmUp.log", file,
            "name the directory of a recording or a journal");
        log = file;
        return this;
    }

    /**
     * The application sends a load of its choice: {@link Engine#launch} returns at once, and threads that will spin
     * park until {@link #end()}.
     */
    public WarmUp byApplication()
    {
        isByApplication = true;
        return this;
    }

    /** End the warm-up: threads start to spin. From any thread. */
    public void end()
    {
        isOver = true;
    }

    /** Whether the warm-up is over. */
    public boolean isOver()
    {
        return isOver;
    }

    /** The milliseconds that compilers have worked, for tests. */
    WarmUp compilers(final LongSupplier value)
    {
        workedMs = value;
        return this;
    }

    /** Time that the JIT compilers of this JVM have worked, in milliseconds; 0 if the JVM does not report it. */
    public static long compiledMs()
    {
        final CompilationMXBean bean = ManagementFactory.getCompilationMXBean();
        return null == bean || !bean.isCompilationTimeMonitoringSupported() ? 0 : bean.getTotalCompilationTime();
    }

    /**
     * Whether compilers rested, so that the code of a time was compiled and had their cores.
     *
     * @param compiledMs that they worked in this time.
     * @param ns         its length.
     */
    public static boolean haveRested(final long compiledMs, final long ns)
    {
        return TimeUnit.MILLISECONDS.toNanos(compiledMs) <= REST * ns;
    }

    /** Refuse a directory that has no log. */
    void checkHost()
    {
        if (isByLog())
        {
            aboutLog(() -> Durability.journal(log).examine());
        }
    }

    private boolean isByLog()
    {
        return null != log && 0 != limitNs;
    }

    private void aboutLog(final Runnable action)
    {
        try
        {
            action.run();
        }
        catch (final RuntimeException ex)
        {
            throw new ConfigException("warmUp.log", log, ex.getMessage(), ex);
        }
    }

    /** Run the log until the compilers rest. */
    void runLog(final EngineContext context, final NanoClock clock)
    {
        if (!isByLog())
        {
            return;
        }
        final long startNs = clock.nanoTime();
        final Compilers compilers = new Compilers(WINDOW_NS, workedMs);
        while (!compilers.rest(clock.nanoTime()) && clock.nanoTime() - startNs < limitNs)
        {
            aboutLog(() -> Durability.journal(log).replay(context));
        }
    }

    /** Wait until the compilers rest, if threads will spin. */
    void await(final boolean isSpinning, final NanoClock clock)
    {
        if (isByApplication)
        {
            return;
        }
        final long startNs = clock.nanoTime();
        final Compilers compilers = new Compilers(WINDOW_NS, workedMs);
        while (isSpinning && clock.nanoTime() - startNs < limitNs && !compilers.rest(clock.nanoTime()))
        {
            LockSupport.parkNanos(POLL_NS);
        }
        isOver = true;
    }
}
