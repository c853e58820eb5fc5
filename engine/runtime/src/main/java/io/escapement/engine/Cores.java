package io.escapement.engine;

import com.sun.jna.Function;
import com.sun.jna.NativeLong;
import java.util.ArrayList;
import java.util.List;

/** Ties threads to cores, on Linux, where the system offers it to every thread for itself. */
final class Cores
{
    private static final int MASK_LENGTH = 128;
    private static final int THIS_THREAD = 0;

    private Cores()
    {
    }

    /** Refuse cores that cannot be had. */
    static void check(final int[] cores, final int threads)
    {
        if (0 == cores.length)
        {
            return;
        }
        if (!System.getProperty("os.name").startsWith("Linux"))
        {
            throw new EngineException("cores: threads can be tied to cores on Linux alone");
        }
        if (cores.length > threads)
        {
            throw new EngineException("cores: " + cores.length + " are named for " + threads + " threads");
        }
        final List<Integer> usable = usable();
        for (int i = 0; i < cores.length; i++)
        {
            if (!usable.contains(cores[i]))
            {
                throw new EngineException("cores: " + cores[i] + " is not one that this process may use: " + usable);
            }
            for (int j = 0; j < i; j++)
            {
                if (cores[j] == cores[i])
                {
                    throw new EngineException("cores: " + cores[i] + " is named twice");
                }
            }
        }
    }

    /** Let the current thread run on this core only. */
    static void tie(final int core)
    {
        final byte[] mask = new byte[MASK_LENGTH];
        mask[core / Byte.SIZE] |= (byte)(1 << core % Byte.SIZE);
        if (0 != call("sched_setaffinity", mask))
        {
            throw new EngineException("cores: " + core + " was refused by the system");
        }
    }

    /** The cores on which the current thread may run. */
    static List<Integer> usable()
    {
        final byte[] mask = new byte[MASK_LENGTH];
        final List<Integer> usable = new ArrayList<>();
        if (call("sched_getaffinity", mask) < 0)
        {
            throw new EngineException("cores: the system does not say which there are");
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

    /** The C library is loaded when it is first called, and never in an engine that ties nothing. */
    private static int call(final String function, final byte[] mask)
    {
        return Function.getFunction("c", function).invokeInt(
            new Object[]{THIS_THREAD, new NativeLong(MASK_LENGTH), mask});
    }
}
