package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.internal.queue.WarmUpIdleStrategy;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/** Media drivers and Aeron clients of the measured processes, the same for all compared sides. */
public final class PerfDriver
{
    /** Term length of all streams of {@code echo} and {@code ingress}. */
    public static final int TERM_LENGTH = 1024 * 1024;

    private static final int SOCKET_BUFFER = 2 * 1024 * 1024;
    private static final int INVOCATION_LIMIT = 4;
    private static final long PARK_NS = 100_000;

    private PerfDriver()
    {
    }

    /**
     * The context of a driver.
     *
     * @param idle idle strategy of the sender and receiver threads, if there are any: busy, yield, backoff or park.
     */
    public static MediaDriver.Context context(final String directory, final ThreadingMode mode, final String idle)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(mode)
            .senderIdleStrategy(idle(idle))
            .receiverIdleStrategy(idle(idle))
            .asyncExecutorIdleStrategy(new SleepingMillisIdleStrategy(DriverProfile.ASYNC_SLEEP_MS))
            .publicationTermBufferLength(TERM_LENGTH)
            .ipcTermBufferLength(TERM_LENGTH)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .dirDeleteOnShutdown(true);
    }

    /**
     * Connect an Aeron client. The caller invokes its conductor.
     *
     * @param driver invoked while the client waits for it, null if the driver has threads.
     */
    public static Aeron connect(final String directory, final AgentInvoker driver)
    {
        final Aeron.Context context = new Aeron.Context()
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true);
        return Aeron.connect(null == driver ? context : context.driverAgentInvoker(driver));
    }

    /** Invoke a driver, null if it has threads, until it finds no work, at most a few times. */
    public static int invoke(final AgentInvoker driver)
    {
        return invoke(driver, INVOCATION_LIMIT);
    }

    /** Invoke a driver until it finds no work, at most a number of times. */
    public static int invoke(final AgentInvoker driver, final int limit)
    {
        int work = 0;
        for (int i = 0; null != driver && i < limit; i++)
        {
            final int done = driver.invoke();
            if (0 == done)
            {
                break;
            }
            work += done;
        }
        return work;
    }

    /** A new idle strategy: it parks until the warm-up of a process is over, then busy, yield, backoff or park. */
    public static IdleStrategy idle(final String name, final Control control)
    {
        return new WarmUpIdleStrategy(control.warmUp()::isOver, idle(name));
    }

    /** A new idle strategy: busy, yield, backoff or park. */
    public static IdleStrategy idle(final String name)
    {
        return switch (name)
        {
            case "busy" -> BusySpinIdleStrategy.INSTANCE;
            case "yield" -> YieldingIdleStrategy.INSTANCE;
            case "backoff" -> new BackoffIdleStrategy();
            case "park" -> new SleepingIdleStrategy(PARK_NS);
            default -> throw new IllegalArgumentException("unknown idle strategy: " + name);
        };
    }
}
