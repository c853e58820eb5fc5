package io.escapement.cluster;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The directory of a node: its archive, the state of its consensus module, and a lock. The operating system releases
 * the lock when a process exits, in whatever way. The owner of the lock may therefore repair the archive and delete the
 * mark files of the last process. These would keep a node from its start for 10 s.
 */
final class NodeDirectory implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    /** Starts the line about a recording with a repaired end. */
    static final String REPAIRED = "after a kill: ";
    private static final List<String> MARK_FILES = List.of(
        "archive/archive-mark.dat", "cluster/cluster-mark.dat", "cluster/cluster-mark-service-0.dat");
    private static final List<String> MAPPED_FILES = List.of(
        "archive/archive.catalog", "cluster/node-state.dat");
    private static final int PAGE_LENGTH = 4 * 1_024;

    static final String ARCHIVE = "archive";
    static final String CLUSTER = "cluster";

    /** Says that the others do not have the rest of the log any more. */
    private static final String BEHIND = "behind";
    private static final String FILLING = "filling";
    /** In the directory that is filled, once it is. */
    private static final String COMPLETE = "complete";
    /** The member for which the node has voted. */
    private static final String VOTE = "node-state.dat";

    private static final String STOPPED = "stopped";
    private static final String ONCE = "once";
    private static final String AGAIN = "again";

    private final Path directory;
    private final FileChannel channel;

    /**
     * Take a directory. Then {@link #prepare()} it.
     *
     * @param directory created if necessary.
     */
    NodeDirectory(final Path directory)
    {
        this.directory = directory;
        try
        {
            PrivateFiles.createDirectories("cluster.directory", directory);
            channel = lock(directory, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
        ConfigException.check(null != channel, "cluster.directory", directory,
            "another node uses it: stop that one, or name another directory");
    }

    private NodeDirectory(final Path directory, final FileChannel channel)
    {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Take the directory of a node to read it. No file changes.
     *
     * @param directory of a node.
     * @throws IllegalStateException if the node runs, or was killed while its directory was replaced.
     */
    static NodeDirectory ofStopped(final Path directory)
    {
        final FileChannel taken;
        try
        {
            taken = lock(directory, StandardOpenOption.WRITE);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(directory + ": cannot be locked: " + ex, ex);
        }
        if (null == taken)
        {
            throw new IllegalStateException(directory + ": a node uses it");
        }
        final NodeDirectory stopped = new NodeDirectory(directory, taken);
        if (Files.exists(directory.resolve(FILLING).resolve(COMPLETE)))
        {
            stopped.close();
            throw new IllegalStateException(directory + ": the next start replaces it by " + FILLING);
        }
        return stopped;
    }

    /**
     * Note that the node has stopped because of a turn of its log.
     *
     * @param place of the turn.
     * @param cause for people.
     * @return whether it had stopped there before, so that it would again.
     */
    boolean stop(final String place, final String cause)
    {
        final Path file = directory.resolve(STOPPED);
        try
        {
            final boolean isAgain = Files.exists(file) && place.equals(Files.readAllLines(file).get(0));
            Files.write(file, List.of(place, isAgain ? AGAIN : ONCE, cause.replace('\n', ' ')));
            return isAgain;
        }
        catch (final IOException ex)
        {
            // The disk may be the cause. Without the note the node is restarted.
            LOGGER.log(System.Logger.Level.WARNING, file + ": " + ex.getMessage());
            return false;
        }
    }

    Path archive()
    {
        return directory.resolve(ARCHIVE);
    }

    Path cluster()
    {
        return directory.resolve(CLUSTER);
    }

    boolean hasLog()
    {
        return Files.exists(archive()) || Files.exists(cluster());
    }

    /** Note that the other nodes have deleted the rest of the log. The next start then fills the directory. */
    void noteBehind(final String cause)
    {
        try
        {
            Files.writeString(directory.resolve(BEHIND), cause);
        }
        catch (final IOException ex)
        {
            // The next start finds out itself.
            LOGGER.log(System.Logger.Level.WARNING, directory.resolve(BEHIND) + ": " + ex.getMessage());
        }
    }

    /** Whether the next start must fill the directory. */
    boolean isBehind()
    {
        return Files.exists(directory.resolve(BEHIND));
    }

    /** An empty directory for a new archive and a new state of the consensus module. */
    Path newFilling()
    {
        final Path filling = directory.resolve(FILLING);
        IoUtil.delete(filling.toFile(), true);
        return filling;
    }

    /** Replace the archive and the state by the new ones, which are complete. */
    void useFilling()
    {
        try
        {
            final Path vote = cluster().resolve(VOTE);
            if (Files.exists(vote))
            {
                // Without it the node could vote for another node in the same term.
                Files.copy(vote, directory.resolve(FILLING).resolve(CLUSTER).resolve(VOTE),
                    StandardCopyOption.REPLACE_EXISTING);
            }
            Files.createFile(directory.resolve(FILLING).resolve(COMPLETE));
            replace();
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
    }

    /** A directory for the media driver, separate from other nodes', which the next start of this node finds. */
    Path driver()
    {
        final String name = "cluster-" +
            UUID.nameUUIDFromBytes(directory.toAbsolutePath().normalize().toString().getBytes(UTF_8));
        return PrivateFiles.memory().resolve(name);
    }

    /**
     * Give the mapped files of a started node their space on the disk. The parts report their faults in these files. If
     * a thread writes where the disk has no space, it dies by an error of the JVM, unnoticed.
     */
    void allocate()
    {
        MARK_FILES.forEach(this::allocate);
        MAPPED_FILES.forEach(this::allocate);
    }

    private void allocate(final String name)
    {
        final Path file = directory.resolve(name);
        try (FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final MappedByteBuffer mapped = opened.map(FileChannel.MapMode.READ_WRITE, 0, opened.size());
            final UnsafeBuffer pages = new UnsafeBuffer(mapped);
            for (int i = 0; i < pages.capacity(); i += PAGE_LENGTH)
            {
                // The parts write there too: this changes no byte.
                pages.getAndAddInt(i, 0);
            }
            BufferUtil.free(mapped);
        }
        catch (final IOException | InternalError ex)
        {
            throw new IllegalStateException("cluster.directory: " + file + ": no space: " + ex.getMessage(), ex);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(channel);
    }

    /** Make the directory ready for a start. */
    void prepare()
    {
        try
        {
            checkStopped();
            replace();
            for (final String repair : ArchiveTails.repair(archive()))
            {
                LOGGER.log(System.Logger.Level.WARNING, REPAIRED + repair);
            }
            for (final String name : MARK_FILES)
            {
                Files.deleteIfExists(directory.resolve(name));
            }
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
    }

    /** From whatever state a kill has left it in. */
    private void replace() throws IOException
    {
        final Path filling = directory.resolve(FILLING);
        if (!Files.exists(filling.resolve(COMPLETE)))
        {
            return;
        }
        for (final String name : List.of(CLUSTER, ARCHIVE))
        {
            if (Files.exists(filling.resolve(name)))
            {
                IoUtil.delete(directory.resolve(name).toFile(), true);
                Files.move(filling.resolve(name), directory.resolve(name));
            }
        }
        Files.deleteIfExists(directory.resolve(BEHIND));
        IoUtil.delete(filling.toFile(), true);
    }

    private void checkStopped() throws IOException
    {
        final Path stopped = directory.resolve(STOPPED);
        if (Files.exists(stopped))
        {
            final List<String> lines = Files.readAllLines(stopped);
            if (lines.size() > 2 && AGAIN.equals(lines.get(1)))
            {
                throw new NodeStoppedException("cluster.directory: " + directory + ": this node has stopped twice at " +
                    "the same place, " + lines.get(0) + ", and would again: " + lines.get(2) + "; mend the cause, or " +
                    "empty the directory and fill it, and delete " + stopped);
            }
        }
    }

    private UncheckedIOException failure(final IOException ex)
    {
        return new UncheckedIOException("cluster.directory: " + directory + ": " + ex.getMessage(), ex);
    }

    /** Lock a directory. Null if a node has it. */
    private static FileChannel lock(final Path directory, final OpenOption... options) throws IOException
    {
        final FileChannel file = PrivateFiles.open(directory.resolve("escapement.lock"), options);
        boolean isLocked = false;
        try
        {
            isLocked = null != file.tryLock();
        }
        catch (final OverlappingFileLockException ex)
        {
            // A node of this process has it.
        }
        finally
        {
            if (!isLocked)
            {
                file.close();
            }
        }
        return isLocked ? file : null;
    }
}
