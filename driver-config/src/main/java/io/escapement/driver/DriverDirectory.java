package io.escapement.driver;

import io.aeron.CommonContext;
import java.io.File;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.IoUtil;

/**
 * Names directories for drivers that live as long as their process. One that is killed cannot take its directory away,
 * which is tens of megabytes of memory for good: so each new name begins with taking away what dead processes left.
 */
public final class DriverDirectory
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.driver");

    private DriverDirectory()
    {
    }

    /**
     * A name that nobody uses, for a driver of this process.
     *
     * @return the path of a directory that does not exist, in memory where the system has such a place.
     */
    public static String temporary()
    {
        return temporary(new File(CommonContext.AERON_DIR_PROP_DEFAULT));
    }

    static String temporary(final File base)
    {
        takeAwayDead(base);
        final long random = UUID.randomUUID().getLeastSignificantBits();
        return "%s-%d-%016x".formatted(base, ProcessHandle.current().pid(), random);
    }

    private static void takeAwayDead(final File base)
    {
        final Pattern ours = Pattern.compile(Pattern.quote(base.getName()) + "-(\\d{1,18})-[0-9a-f]{16}");
        final File[] siblings = base.getAbsoluteFile().getParentFile().listFiles();
        for (final File directory : null == siblings ? new File[0] : siblings)
        {
            final Matcher name = ours.matcher(directory.getName());
            if (name.matches() && isDead(Long.parseLong(name.group(1)), directory))
            {
                LOGGER.log(System.Logger.Level.DEBUG, "deleting {0}: its process was killed", directory);
                IoUtil.delete(directory, true);
            }
        }
    }

    private static boolean isDead(final long pid, final File directory)
    {
        try
        {
            // A process of another container has no number here: its driver may be heard of all the same.
            return ProcessHandle.of(pid).isEmpty() &&
                !CommonContext.isDriverActive(directory, CommonContext.DEFAULT_DRIVER_TIMEOUT_MS, (text) -> {});
        }
        catch (final RuntimeException ex)
        {
            // Of another version of Aeron, or gone while it was looked at.
            return false;
        }
    }
}
