package io.escapement.driver.internal;

import com.sun.jna.Native;

/**
 * The mode of the files that libraries make for an application, such as a media driver's and a database's. A JVM cannot
 * set it. An application sets it before anything else.
 */
public final class Umask
{
    /** Only the owner. */
    public static final int PRIVATE = 0077;
    /** The group as the owner, which joins a media driver by writing to its files. */
    public static final int GROUP = 0007;

    private static final System.Logger LOGGER = System.getLogger("io.escapement.driver");

    private Umask()
    {
    }

    /**
     * Set it for the process. No effect on Windows, which has no such mode.
     *
     * @param mask {@link #PRIVATE} or {@link #GROUP}.
     */
    public static void set(final int mask)
    {
        if (System.getProperty("os.name").startsWith("Windows"))
        {
            return;
        }
        try
        {
            C.umask(mask);
        }
        catch (final LinkageError ex)
        {
            LOGGER.log(System.Logger.Level.WARNING,
                "the umask of the shell stays, since the C library cannot be called: {0}", ex.getMessage());
        }
    }

    private static final class C
    {
        static
        {
            Native.register(C.class, "c");
        }

        static native int umask(int mask);
    }
}
