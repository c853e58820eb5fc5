package io.escapement.driver;

import io.aeron.CommonContext;
import java.io.File;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.IoUtil;

/**
 * Names directories for drivers that live as long as their process. A killed process cannot delete its directory, which
 * holds tens of megabytes of shared memory, so each new name first deletes the directories of dead processes.
 */
public final class DriverDirectory
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.driver");

    private DriverDirectory()
    {
    }

    /** A unique path for a driver of this process, in shared memory where the system has it. Nothing is created. */
    public static String temporary()
    {
        return temporary(new File(CommonContext.AERON_DIR_PROP_DEFAULT));
    }

    static String temporary(final File base)
    {
        deleteStale(base);
        final long random = UUID.randomUUID().getLeastSignificantBits();
        return "%s-%d-%016x".formatted(base, ProcessHandle.current().pid(), random);
    }

    private static void deleteStale(final File base)
    {
        final Pattern ours = Pattern.compile(Pattern.quote(base.getName()) + "-(\\d{1,18})-[0-9a-f]{16}");
        final File[] siblings = base.getAbsoluteFile().getParentFile().listFiles();
        for (final File directory : null == siblings ? new File[0] : siblings)
        {
            final Matcher name = ours.matcher(directory.getName());
            if (name.matches() && isStale(Long.parseLong(name.group(1)), directory))
            {
                LOGGER.log(System.Logger.Level.DEBUG, "deleting {0} of a killed process", directory);
                IoUtil.delete(directory, true);
            }
        }
    }

    private static boolean isStale(final long pid, final File directory)
    {
        try
        {
            // A process in another container has no pid here, so the driver's heartbeat is checked as well.
            return ProcessHandle.of(pid).isEmpty() &&
                !CommonContext.isDriverActive(directory, CommonContext.DEFAULT_DRIVER_TIMEOUT_MS, (text) -> {});
        }
        catch (final RuntimeException ex)
        {
            // Another version of Aeron made it, or it was deleted concurrently.
            return false;
        }
    }
}
