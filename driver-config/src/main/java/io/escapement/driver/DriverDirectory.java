package io.escapement.driver;

import io.aeron.CommonContext;
import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

    /**
     * Directories of active drivers of this user: Aeron's default one, and those that {@link #temporary()} named.
     *
     * @return their paths, sorted.
     */
    public static List<String> active()
    {
        return active(new File(CommonContext.AERON_DIR_PROP_DEFAULT));
    }

    static List<String> active(final File base)
    {
        final Pattern ours = ours(base);
        final File[] siblings = base.getAbsoluteFile().getParentFile().listFiles();
        final List<String> found = new ArrayList<>();
        for (final File directory : null == siblings ? new File[0] : siblings)
        {
            final boolean isOurs = directory.getName().equals(base.getName()) ||
                ours.matcher(directory.getName()).matches();
            if (isOurs && isActive(directory))
            {
                found.add(directory.getPath());
            }
        }
        Collections.sort(found);
        return found;
    }

    private static boolean isActive(final File directory)
    {
        try
        {
            return CommonContext.isDriverActive(directory, CommonContext.DEFAULT_DRIVER_TIMEOUT_MS, (text) -> {});
        }
        catch (final RuntimeException ex)
        {
            // Another version of Aeron made it, it belongs to another user, or it was deleted concurrently.
            return false;
        }
    }

    private static Pattern ours(final File base)
    {
        return Pattern.compile(Pattern.quote(base.getName()) + "-(\\d{1,18})-[0-9a-f]{16}");
    }

    private static void deleteStale(final File base)
    {
        final Pattern ours = ours(base);
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
