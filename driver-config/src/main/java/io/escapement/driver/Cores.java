package io.escapement.driver;

import com.sun.jna.Function;
import com.sun.jna.NativeLong;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** Ties threads to cores, on Linux, where the system offers it to every thread for itself. */
public final class Cores
{
    private static final int MASK_LENGTH = 128;
    private static final int THIS_THREAD = 0;

    private Cores()
    {
    }

    /**
     * Refuse cores that cannot be had.
     *
     * @param option  that they come from.
     * @param cores   as the system counts them.
     * @param threads that there are to tie to them.
     */
    public static void check(final String option, final int[] cores, final int threads)
    {
        if (0 == cores.length)
        {
            return;
        }
        if (!System.getProperty("os.name").startsWith("Linux"))
        {
            throw new DriverConfigException(option + ": threads can be tied to cores on Linux alone");
        }
        if (cores.length > threads)
        {
            throw new DriverConfigException(option + ": " + cores.length + " are named for " + threads + " threads");
        }
        final List<Integer> usable = usable();
        for (int i = 0; i < cores.length; i++)
        {
            if (!usable.contains(cores[i]))
            {
                throw new DriverConfigException(
                    option + ": " + cores[i] + " is not one that this process may use: " + usable);
            }
            for (int j = 0; j < i; j++)
            {
                if (cores[j] == cores[i])
                {
                    throw new DriverConfigException(option + ": " + cores[i] + " is named twice");
                }
            }
        }
    }

    /**
     * Let what a factory's threads do be done on one core.
     *
     * @param cores   of all threads.
     * @param place   of these threads' core among them; when there is none they are not tied.
     * @param factory makes the threads, or null for plain ones.
     * @return the factory to use.
     */
    public static ThreadFactory tying(final int[] cores, final int place, final ThreadFactory factory)
    {
        final ThreadFactory plain = null == factory ? Thread::new : factory;
        return place >= cores.length ? plain : (runnable) -> plain.newThread(() ->
        {
            tie(cores[place]);
            runnable.run();
        });
    }

    /**
     * Tie the threads of a driver: the sender, the receiver and the conductor; or the one for the network and the
     * conductor; or the only one. Threads beyond the last core are not tied.
     *
     * @param option  that the cores come from.
     * @param cores   as the system counts them.
     * @param context of the driver, with its threading mode.
     */
    public static void tieDriver(final String option, final int[] cores, final MediaDriver.Context context)
    {
        final ThreadingMode mode = context.threadingMode();
        check(option, cores, threads(mode));
        switch (mode)
        {
            case DEDICATED -> context
                .senderThreadFactory(tying(cores, 0, context.senderThreadFactory()))
                .receiverThreadFactory(tying(cores, 1, context.receiverThreadFactory()))
                .conductorThreadFactory(tying(cores, 2, context.conductorThreadFactory()));
            case SHARED_NETWORK -> context
                .sharedNetworkThreadFactory(tying(cores, 0, context.sharedNetworkThreadFactory()))
                .conductorThreadFactory(tying(cores, 1, context.conductorThreadFactory()));
            case SHARED -> context.sharedThreadFactory(tying(cores, 0, context.sharedThreadFactory()));
            case INVOKER ->
            {
                // It has no thread, and cores for none were refused.
            }
        }
    }

    /**
     * The cores on which the current thread may run.
     *
     * @return their numbers.
     */
    public static List<Integer> usable()
    {
        final byte[] mask = new byte[MASK_LENGTH];
        final List<Integer> usable = new ArrayList<>();
        if (call("sched_getaffinity", mask) < 0)
        {
            throw new DriverConfigException("cores: the system does not say which there are");
        }
        for (int core = 0; core < MASK_LENGTH * Byte.SIZE; core++)
        {
            if (0 != (mask[core / Byte.SIZE] & 1 << core % Byte.SIZE))
            {
                usable.add(core);
            }
        }
        return usable;
    }

    private static int threads(final ThreadingMode mode)
    {
        return switch (mode)
        {
            case INVOKER -> 0;
            case SHARED -> 1;
            case SHARED_NETWORK -> 2;
            case DEDICATED -> 3;
        };
    }

    private static void tie(final int core)
    {
        final byte[] mask = new byte[MASK_LENGTH];
        mask[core / Byte.SIZE] |= (byte)(1 << core % Byte.SIZE);
        if (0 != call("sched_setaffinity", mask))
        {
            throw new DriverConfigException("cores: " + core + " was refused by the system");
        }
    }

    /** The C library is loaded when it is first called, and never in a program that ties nothing. */
    private static int call(final String function, final byte[] mask)
    {
        return Function.getFunction("c", function).invokeInt(
            new Object[]{THIS_THREAD, new NativeLong(MASK_LENGTH), mask});
    }
}
