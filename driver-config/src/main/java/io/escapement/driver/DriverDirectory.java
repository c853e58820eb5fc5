package io.escapement.driver;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names directories for drivers that live as long as their process, in memory private to the user. A killed process
 * cannot delete its directory of tens of megabytes of shared memory. Therefore each new name first deletes the
 * directories of dead processes.
 */
public final class DriverDirectory
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.driver");
    private static final Pattern TEMPORARY = Pattern.compile("driver-(\\d{1,18})-[0-9a-f]{16}");
    private static final Set<String> DRIVER_FILES =
        Set.of(CncFileDescriptor.CNC_FILE, "loss-report.dat", "publications", "images");

    private DriverDirectory()
    {
    }

    /**
     * A unique path for a driver of this process, in shared memory where the system has it. The path is not created.
     */
    public static String temporary()
    {
        return temporary(PrivateFiles.memory());
    }

    static String temporary(final Path parent)
    {
        deleteStale(parent);
        final long random = UUID.randomUUID().getLeastSignificantBits();
        return parent.resolve("driver-%d-%016x".formatted(ProcessHandle.current().pid(), random)).toString();
    }

    /**
     * The directory in shared memory that this user has for drivers and tails: {@code /dev/shm/escapement-<uid>}, or
     * the directory in the system property {@code escapement.memory.dir}. Made if necessary.
     *
     * @return its path.
     */
    public static Path memory()
    {
        return PrivateFiles.memory();
    }

    /**
     * Directories of active drivers of this user: Aeron's default, and the directories of {@link #temporary()}.
     *
     * @return their paths, sorted.
     */
    public static List<String> active()
    {
        return active(Path.of(CommonContext.AERON_DIR_PROP_DEFAULT), PrivateFiles.memory());
    }

    static List<String> active(final Path ofAeron, final Path parent)
    {
        final List<Path> candidates = new ArrayList<>(temporaries(parent));
        candidates.add(ofAeron);
        final List<String> found = new ArrayList<>();
        for (final Path directory : candidates)
        {
            if (isActive(directory.toFile()))
            {
                found.add(directory.toString());
            }
        }
        Collections.sort(found);
        return found;
    }

    /**
     * Refuse a directory that a driver must not use, because a driver deletes the directory that it starts in: a link,
     * a directory of another user, and a directory with other files than a driver's.
     *
     * @param option    that names the directory.
     * @param directory that need not exist.
     */
    public static void check(final String option, final Path directory)
    {
        ConfigException.check(!Files.isSymbolicLink(directory), option, directory, "is a link: name its target");
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS))
        {
            ConfigException.check(Files.isDirectory(directory), option, directory, "is a file: name a directory");
            try
            {
                ConfigException.check(PrivateFiles.isOwn(directory), option, directory,
                    "belongs to " + Files.getOwner(directory) + ": name a directory of your own");
                final Set<String> others = names(directory);
                others.removeAll(DRIVER_FILES);
                ConfigException.check(others.isEmpty(), option, directory, "has other files than a media driver's, " +
                    others.stream().findFirst().orElse("") + ": name a directory that may be deleted");
            }
            catch (final IOException ex)
            {
                throw new ConfigException(option, directory, "cannot be read: " + ex, ex);
            }
        }
    }

    static boolean isActive(final File directory)
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

    private static void deleteStale(final Path parent)
    {
        for (final Path directory : temporaries(parent))
        {
            final Matcher name = TEMPORARY.matcher(directory.getFileName().toString());
            if (name.matches() && isStale(Long.parseLong(name.group(1)), directory))
            {
                LOGGER.log(System.Logger.Level.DEBUG, "deleting {0} of a killed process", directory);
                try
                {
                    PrivateFiles.delete(directory);
                }
                catch (final IOException ex)
                {
                    // Another process also deletes it.
                    LOGGER.log(System.Logger.Level.DEBUG, "deleting {0}: {1}", directory, ex);
                }
            }
        }
    }

    private static boolean isStale(final long pid, final Path directory)
    {
        try
        {
            // A process in another container has no pid here. Therefore the driver's heartbeat is also checked.
            return ProcessHandle.of(pid).isEmpty() && PrivateFiles.isOwn(directory) && !CommonContext.isDriverActive(
                directory.toFile(), CommonContext.DEFAULT_DRIVER_TIMEOUT_MS, (text) -> {});
        }
        catch (final IOException | RuntimeException ex)
        {
            // Another version of Aeron made it, or it was deleted concurrently.
            return false;
        }
    }

    private static List<Path> temporaries(final Path parent)
    {
        final List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(parent))
        {
            for (final Path file : files)
            {
                if (TEMPORARY.matcher(file.getFileName().toString()).matches())
                {
                    found.add(file);
                }
            }
        }
        catch (final IOException ex)
        {
            LOGGER.log(System.Logger.Level.DEBUG, "reading {0}: {1}", parent, ex);
        }
        return found;
    }

    private static Set<String> names(final Path directory) throws IOException
    {
        final Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            files.forEach((file) -> names.add(file.getFileName().toString()));
        }
        return names;
    }
}
