package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tails as mapped files. Each is locked while it is mapped, so that the tail of a running engine is not taken for one
 * that a killed engine left, which happens when a journal's directory was copied. Any thread.
 */
final class MappedTails implements TailStore
{
    private static final int ZEROS_LENGTH = 64 * 1_024;
    private static final int PAGE_LENGTH = 4_096;

    private final Path directory;
    private final Map<String, Mapping> mappingByNameMap = new HashMap<>();

    private record Mapping(FileChannel channel, MappedByteBuffer bytes)
    {
    }

    MappedTails(final Path directory)
    {
        this.directory = directory;
    }

    @Override
    public synchronized UnsafeBuffer create(final String name, final int length) throws IOException
    {
        delete(name);
        // The lock comes before the content, so nobody can take a tail that is not complete.
        final FileChannel channel = FileChannel.open(directory.resolve(name),
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
        if (!Files.exists(file))
        {
            return null;
        }
        final FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
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
