package io.escapement.driver;

import com.sun.jna.Function;
import com.sun.jna.NativeLong;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.config.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** Pins threads to cores. Linux only, because only there can a thread set its own affinity. */
public final class Cores
{
    private static final int MASK_LENGTH = 128;
    private static final int THIS_THREAD = 0;

    private Cores()
    {
    }

    /**
     * Refuse cores that this process cannot use, duplicates, and more cores than threads.
     *
     * @param option  that names the cores.
     * @param cores   numbered as the operating system numbers them. Empty on a system other than Linux.
     * @param threads to be pinned.
     */
    public static void check(final String option, final int[] cores, final int threads)
    {
        if (0 == cores.length)
        {
            return;
        }
        ConfigException.check(System.getProperty("os.name").startsWith("Linux"), option, cores[0],
            "threads can be pinned on Linux only, remove this option");
        ConfigException.check(cores.length <= threads, option, Arrays.toString(cores),
            "at most " + threads + ", one for each thread");
        final List<Integer> usable = usable();
        for (int i = 0; i < cores.length; i++)
        {
            ConfigException.check(usable.contains(cores[i]), option, cores[i], "this process may use " + usable);
            for (int j = 0; j < i; j++)
            {
                ConfigException.check(cores[j] != cores[i], option, cores[i], "name each core once");
            }
        }
    }

    /**
     * A thread factory with threads that pin themselves to one core before they run.
     *
     * @param cores   of all threads.
     * @param index   of this factory's core. Without a core at this index the threads are not pinned.
     * @param factory to delegate to, or null for plain threads.
     * @return the pinning factory.
     */
    public static ThreadFactory pinned(final int[] cores, final int index, final ThreadFactory factory)
    {
        final ThreadFactory plain = null == factory ? Thread::new : factory;
        return index >= cores.length ? plain : (runnable) -> plain.newThread(() ->
        {
            pin(cores[index]);
            runnable.run();
        });
    }

    /**
     * Pin the threads of a driver, in this order: sender, receiver, conductor (DEDICATED); network, conductor
     * (SHARED_NETWORK); the only thread (SHARED). Threads beyond the last core are not pinned.
     *
     * @param option  that names the cores.
     * @param cores   numbered as the operating system numbers them.
     * @param context of the driver, with its threading mode set.
     */
    public static void pinDriver(final String option, final int[] cores, final MediaDriver.Context context)
    {
        final ThreadingMode mode = context.threadingMode();
        check(option, cores, threads(mode));
        switch (mode)
        {
            case DEDICATED -> context
                .senderThreadFactory(pinned(cores, 0, context.senderThreadFactory()))
                .receiverThreadFactory(pinned(cores, 1, context.receiverThreadFactory()))
                .conductorThreadFactory(pinned(cores, 2, context.conductorThreadFactory()));
            case SHARED_NETWORK -> context
                .sharedNetworkThreadFactory(pinned(cores, 0, context.sharedNetworkThreadFactory()))
                .conductorThreadFactory(pinned(cores, 1, context.conductorThreadFactory()));
            case SHARED -> context.sharedThreadFactory(pinned(cores, 0, context.sharedThreadFactory()));
            case INVOKER ->
            {
                // This mode has no thread, and check() refused any core.
            }
        }
    }

    /** The cores on which the current thread may run. */
    public static List<Integer> usable()
    {
        final byte[] mask = new byte[MASK_LENGTH];
        final List<Integer> usable = new ArrayList<>();
        if (call("sched_getaffinity", mask) < 0)
        {
            throw new IllegalStateException("sched_getaffinity failed");
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

    private static void pin(final int core)
    {
        final byte[] mask = new byte[MASK_LENGTH];
        mask[core / Byte.SIZE] |= (byte)(1 << core % Byte.SIZE);
        if (0 != call("sched_setaffinity", mask))
        {
            throw new IllegalStateException("sched_setaffinity failed for core " + core);
        }
    }

    /** Loads the C library on the first call: an application without pinning never loads it. */
    private static int call(final String function, final byte[] mask)
    {
        return Function.getFunction("c", function).invokeInt(
            new Object[]{THIS_THREAD, new NativeLong(MASK_LENGTH), mask});
    }
}
