package io.escapement.rooms.host;

/**
 * Finds the failure of the JVM that caused a throwable of a room's code. The code may have caught the failure and
 * thrown another throwable. Such a failure depends on the machine: a replay may not meet it.
 */
final class JvmFailures
{
    /** Longest chain that is followed. A chain of causes can be a circle. */
    private static final int MAX_DEPTH = 64;

    private JvmFailures()
    {
    }

    /** The failure among a throwable, its causes and their suppressed throwables. Null without a failure. */
    static VirtualMachineError in(final Throwable thrown)
    {
        try
        {
            return find(thrown, MAX_DEPTH);
        }
        catch (final VirtualMachineError failure)
        {
            return failure;
        }
        catch (final Throwable ignored)
        {
            // The methods of a throwable are also code of the room.
            return null;
        }
    }

    private static VirtualMachineError find(final Throwable thrown, final int depth)
    {
        VirtualMachineError found = null;
        Throwable next = thrown;
        for (int left = depth; null != next && left > 0 && !isFatal(found); left--)
        {
            if (next instanceof VirtualMachineError error)
            {
                found = error;
            }
            final Throwable[] suppressed = next.getSuppressed();
            for (int i = 0; i < suppressed.length && i < left && !isFatal(found); i++)
            {
                final VirtualMachineError other = find(suppressed[i], left / 2);
                found = null == other ? found : other;
            }
            next = next.getCause();
        }
        return found;
    }

    /** Whether the host cannot continue after this. A stack that overflowed is whole again. */
    static boolean isFatal(final VirtualMachineError failure)
    {
        return null != failure && !(failure instanceof StackOverflowError);
    }
}
