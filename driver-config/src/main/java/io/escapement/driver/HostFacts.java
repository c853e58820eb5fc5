package io.escapement.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * What there is to know about a host before a driver starts on it. {@link #UNKNOWN} and an empty text stand for what
 * the host does not tell, which is much of it where the system is not Linux or a container hides it.
 *
 * @param cores            that this process may use.
 * @param receiveBufferMax the longest receive buffer of a socket, net.core.rmem_max, in bytes.
 * @param sendBufferMax    the longest send buffer of a socket, net.core.wmem_max, in bytes.
 * @param store            the file system that the driver's directory is on.
 * @param governor         of the first core's frequency.
 * @param isSwapOn         whether pages may be written to a disk.
 * @param hugePages        when the system gives out huge pages unasked: always, madvise or never.
 */
public record HostFacts(
    int cores,
    long receiveBufferMax,
    long sendBufferMax,
    Store store,
    String governor,
    boolean isSwapOn,
    String hugePages)
{
    /** Stands for a number that the host does not tell. */
    public static final long UNKNOWN = -1;

    /**
     * A file system.
     *
     * @param path a directory on it.
     * @param type tmpfs, ext4 and so on.
     * @param size of all of it, in bytes.
     * @param free what this process may still use, in bytes.
     */
    public record Store(String path, String type, long size, long free)
    {
    }

    /**
     * Read them from the host.
     *
     * @param aeronDirectory where the driver's directory is or will be.
     * @return the facts as they are now.
     */
    public static HostFacts read(final Path aeronDirectory)
    {
        return read(Path.of("/"), aeronDirectory);
    }

    /**
     * Read them from files below another root.
     */
    static HostFacts read(final Path root, final Path aeronDirectory)
    {
        final String hugePages = text(root.resolve("sys/kernel/mm/transparent_hugepage/enabled"));
        // One line for the head of the table, one for each swap.
        final boolean isSwapOn = text(root.resolve("proc/swaps")).lines().count() > 1;
        return new HostFacts(
            Runtime.getRuntime().availableProcessors(),
            number(root.resolve("proc/sys/net/core/rmem_max")),
            number(root.resolve("proc/sys/net/core/wmem_max")),
            store(aeronDirectory),
            text(root.resolve("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
            isSwapOn,
            hugePages.replaceAll(".*\\[(\\w+)].*", "$1"));
    }

    private static Store store(final Path aeronDirectory)
    {
        Path existing = aeronDirectory.toAbsolutePath();
        while (null != existing.getParent() && !Files.exists(existing))
        {
            existing = existing.getParent();
        }
        try
        {
            final FileStore store = Files.getFileStore(existing);
            return new Store(existing.toString(), store.type(), store.getTotalSpace(), store.getUsableSpace());
        }
        catch (final IOException ex)
        {
            return new Store(existing.toString(), "", UNKNOWN, UNKNOWN);
        }
    }

    private static long number(final Path file)
    {
        try
        {
            return Long.parseLong(text(file));
        }
        catch (final NumberFormatException ex)
        {
            return UNKNOWN;
        }
    }

    private static String text(final Path file)
    {
        // In one read: Linux gives the rest of a number to nobody, and Files.readString begins with a single byte.
        try (BufferedReader reader = Files.newBufferedReader(file))
        {
            return reader.lines().collect(Collectors.joining("\n")).strip();
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return "";
        }
    }
}
