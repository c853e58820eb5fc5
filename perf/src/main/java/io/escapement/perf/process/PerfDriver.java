package io.escapement.perf.process;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.guard.GuardLimits;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/** The media driver of every process of a run: the same for what is compared. */
public final class PerfDriver
{
    private static final int TERM_LENGTH = 1024 * 1024;
    private static final int SOCKET_BUFFER = 2 * 1024 * 1024;
    private static final int INVOKES = 4;
    private static final long PARK_NS = 100_000;

    private PerfDriver()
    {
    }

    /**
     * A driver's context.
     *
     * @param directory of the driver.
     * @param mode      of its threads.
     * @param idle      of the threads that move data, when it has them: busy, yield, backoff or park.
     * @return the context.
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
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    /**
     * The driver of a client. That of a trunk has guards, as a gateway's and the engine's have.
     *
     * @param context of the driver.
     * @param isRaw   whether it is for bare Aeron.
     * @return the driver, started.
     */
    public static MediaDriver launch(final MediaDriver.Context context, final boolean isRaw)
    {
        return isRaw ? MediaDriver.launch(context) : DriverLauncher.launch(context, GuardLimits.DEFAULTS);
    }

    /**
     * An Aeron client whose conductor is invoked.
     *
     * @param directory of the driver.
     * @param driver    to invoke while waiting for it, or null when it has threads.
     * @return the client.
     */
    public static Aeron connect(final String directory, final AgentInvoker driver)
    {
        final Aeron.Context context = new Aeron.Context()
            .aeronDirectoryName(directory)
            .useConductorAgentInvoker(true);
        if (null != driver)
        {
            context.driverAgentInvoker(driver);
        }
        return Aeron.connect(context);
    }

    /**
     * Invoke a driver while it finds work, a few times at most.
     *
     * @param driver to invoke, or null when it has threads.
     * @return how much it did.
     */
    public static int invoke(final AgentInvoker driver)
    {
        int work = 0;
        for (int i = 0; null != driver && i < INVOKES; i++)
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

    /**
     * What a thread does that has nothing to do.
     *
     * @param name busy, yield, backoff or park.
     * @return a new strategy.
     */
    public static IdleStrategy idle(final String name)
    {
        return switch (name)
        {
            case "busy" -> BusySpinIdleStrategy.INSTANCE;
            case "yield" -> YieldingIdleStrategy.INSTANCE;
            case "backoff" -> new BackoffIdleStrategy();
            case "park" -> new SleepingIdleStrategy(PARK_NS);
            default -> throw new IllegalArgumentException("no such way to idle: " + name);
        };
    }
}
