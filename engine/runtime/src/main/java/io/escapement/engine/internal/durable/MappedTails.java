package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tails as mapped files, in a directory for each run of an engine. Each is locked while it is mapped. Without a lock,
 * the tail of a running engine could be mistaken for the tail of a killed engine, if a journal's directory was copied.
 * Any thread.
 */
final class MappedTails implements TailStore
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    /** Has the directory of the journal. */
    private static final String JOURNAL = "journal";
    private static final String PREFIX = "tails-";
    /** If a journal does not exist, it may be on a disk that is not mounted at the moment. */
    private static final long ABANDONED_MS = TimeUnit.DAYS.toMillis(1);
    private static final int ZEROS_LENGTH = 64 * 1_024;
    private static final int PAGE_LENGTH = 4_096;

    private final Path directory;
    private final Path journal;
    private final Map<String, Mapping> mappingByNameMap = new HashMap<>();

    private record Mapping(FileChannel channel, MappedByteBuffer bytes)
    {
    }

    /** Tails of a run of an engine, in a directory of their own. */
    MappedTails(final Path directory, final Path journal)
    {
        this.directory = directory;
        this.journal = journal.toAbsolutePath();
    }

    /** A directory with a random name, so that a stranger cannot put a tail there. */
    static Path newDirectory(final Path parent)
    {
        return parent.toAbsolutePath().resolve(PREFIX + String.format("%016x", new SecureRandom().nextLong()));
    }

    /** Delete tails of a killed engine if their journals no longer exist. */
    static void deleteAbandoned(final Path parent, final long nowMs)
    {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, PREFIX + "*"))
        {
            for (final Path directory : directories)
            {
                if (PrivateFiles.isOwn(directory) && isAbandoned(directory, nowMs))
                {
                    LOGGER.log(System.Logger.Level.INFO, "deleting " + directory + ": its journal is gone");
                    PrivateFiles.delete(directory);
                }
            }
        }
        catch (final IOException ex)
        {
            // They cost memory only.
            LOGGER.log(System.Logger.Level.WARNING, parent + ": " + ex.getMessage());
        }
    }

    private static boolean isAbandoned(final Path directory, final long nowMs) throws IOException
    {
        if (nowMs - Files.getLastModifiedTime(directory).toMillis() < ABANDONED_MS)
        {
            return false;
        }
        final Path owner = directory.resolve(JOURNAL);
        final JournalDisk disk = Files.exists(owner) ? new FileDisk(Path.of(Files.readString(owner))) : null;
        final JournalAbout about = null == disk || !Files.isDirectory(Path.of(disk.path(""))) ? null :
            JournalAbout.read(disk);
        return null == about ||
            !directory.toString().equals(about.tails()) && !directory.toString().equals(about.tailsBefore());
    }

    @Override
    public synchronized UnsafeBuffer create(final String name, final int length) throws IOException
    {
        delete(name);
        makeDirectory();
        // The tail is locked before it has content: no process can take an incomplete tail.
        final FileChannel channel = PrivateFiles.open(directory.resolve(name),
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try
        {
            lock(channel, name);
            // A mapping of a file system that is full fails when its pages are touched, as an error of the JVM.
            final ByteBuffer zeros = ByteBuffer.allocate(ZEROS_LENGTH);
            for (int offset = 0; offset < length; offset += ZEROS_LENGTH)
            {
                zeros.clear().limit(Math.min(ZEROS_LENGTH, length - offset));
                while (zeros.hasRemaining())
                {
                    channel.write(zeros, offset + zeros.position());
                }
            }
            final UnsafeBuffer memory = map(name, channel);
            // So that a loop does not take the page faults.
            for (int offset = 0; offset < length; offset += PAGE_LENGTH)
            {
                memory.putByte(offset, (byte)0);
            }
            return memory;
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(channel);
            Files.deleteIfExists(directory.resolve(name));
            throw ex;
        }
    }

    @Override
    public synchronized UnsafeBuffer open(final String name) throws IOException
    {
        final Path file = directory.resolve(name);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS))
        {
            return null;
        }
        if (!PrivateFiles.isOwn(directory) || !PrivateFiles.isOwn(file))
        {
            throw new IOException("the tail " + file + " is a link or belongs to another user: move it away");
        }
        final FileChannel channel = PrivateFiles.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            lock(channel, name);
            return map(name, channel);
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(channel);
            throw ex;
        }
    }

    @Override
    public synchronized void delete(final String name) throws IOException
    {
        release(mappingByNameMap.remove(name));
        Files.deleteIfExists(directory.resolve(name));
        deleteDirectory();
    }

    @Override
    public String path(final String name)
    {
        return directory.resolve(name).toString();
    }

    @Override
    public synchronized void close()
    {
        mappingByNameMap.values().forEach(MappedTails::release);
        mappingByNameMap.clear();
    }

    private void makeDirectory() throws IOException
    {
        PrivateFiles.createDirectories("durability.tailDirectory", directory);
        try (FileChannel owner = PrivateFiles.open(directory.resolve(JOURNAL),
            StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING))
        {
            owner.write(ByteBuffer.wrap(journal.toString().getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** With the last tail. */
    private void deleteDirectory() throws IOException
    {
        if (!PrivateFiles.isOwn(directory))
        {
            return;
        }
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory))
        {
            found.forEach(files::add);
        }
        if (List.of(directory.resolve(JOURNAL)).containsAll(files))
        {
            PrivateFiles.delete(directory);
        }
    }

    private UnsafeBuffer map(final String name, final FileChannel channel) throws IOException
    {
        final MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        mappingByNameMap.put(name, new Mapping(channel, bytes));
        return new UnsafeBuffer(bytes);
    }

    private void lock(final FileChannel channel, final String name) throws IOException
    {
        if (!FileLocks.tryLock(channel))
        {
            throw new IOException(
                "the tail " + path(name) + " is in use: another engine runs on a copy of this journal");
        }
    }

    private static void release(final Mapping mapping)
    {
        if (null != mapping)
        {
            IoUtil.unmap(mapping.bytes());
            CloseHelper.quietClose(mapping.channel());
        }
    }
}
