package io.escapement.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The properties of a host that matter to a driver. {@link #UNKNOWN} or an empty string replaces an unreadable value.
 * Unreadable values are common in containers and on systems other than Linux.
 *
 * @param cores            available to this process.
 * @param receiveBufferMax largest receive buffer of a socket, net.core.rmem_max, in bytes.
 * @param sendBufferMax    largest send buffer of a socket, net.core.wmem_max, in bytes.
 * @param store            file system of the driver's directory.
 * @param governor         CPU frequency governor of the first core.
 * @param isSwapOn         whether pages may be swapped out.
 * @param hugePages        mode of transparent huge pages: always, madvise or never.
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
    /** A number that cannot be read. */
    public static final long UNKNOWN = -1;

    /**
     * A file system.
     *
     * @param path an existing directory on it.
     * @param type tmpfs, ext4 and so on.
     * @param size total, in bytes.
     * @param free usable by this process, in bytes.
     */
    public record Store(String path, String type, long size, long free)
    {
    }

    /**
     * Read the facts of this host.
     *
     * @param aeronDirectory path of the driver's directory, which need not exist.
     * @return the current facts.
     */
    public static HostFacts read(final Path aeronDirectory)
    {
        return read(Path.of("/"), aeronDirectory);
    }

    /** Read the system's files below another root. */
    static HostFacts read(final Path root, final Path aeronDirectory)
    {
        final String hugePages = text(root.resolve("sys/kernel/mm/transparent_hugepage/enabled"));
        // A header line, then one line for each swap device.
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
        // A proc file must be read in one call. Files.readString reads a single byte first, and loses the rest.
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
