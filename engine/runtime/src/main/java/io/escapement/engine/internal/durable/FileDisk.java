package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A directory of the file system. */
final class FileDisk implements JournalDisk
{
    private final Path directory;

    FileDisk(final Path directory)
    {
        this.directory = directory;
    }

    @Override
    public JournalFile open(final String name) throws IOException
    {
        return new ChannelFile(PrivateFiles.open(
            directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public JournalFile create(final String name) throws IOException
    {
        return new ChannelFile(PrivateFiles.open(directory.resolve(name),
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    }

    @Override
    public List<String> list() throws IOException
    {
        final List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                names.add(file.getFileName().toString());
            }
        }
        return names;
    }

    @Override
    public void rename(final String from, final String to) throws IOException
    {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(final String name) throws IOException
    {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void forceDirectory() throws IOException
    {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ))
        {
            channel.force(true);
        }
    }

    @Override
    public String path(final String name)
    {
        return directory.resolve(name).toString();
    }

    private static final class ChannelFile implements JournalFile
    {
        private final FileChannel channel;

        ChannelFile(final FileChannel channel)
        {
            this.channel = channel;
        }

        @Override
        public void write(final ByteBuffer source, final long offset) throws IOException
        {
            // A channel closes itself when the thread was interrupted, which user code in a loop may have caused.
            final boolean wasInterrupted = Thread.interrupted();
            try
            {
                long next = offset;
                while (source.hasRemaining())
                {
                    next += channel.write(source, next);
                }
            }
            finally
            {
                if (wasInterrupted)
                {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void read(final ByteBuffer target, final long offset) throws IOException
        {
            long next = offset;
            while (target.hasRemaining())
            {
                final int length = channel.read(target, next);
                if (length < 0)
                {
                    return;
                }
                next += length;
            }
        }

        @Override
        public long length() throws IOException
        {
            return channel.size();
        }

        @Override
        public void truncate(final long length) throws IOException
        {
            channel.truncate(length);
        }

        @Override
        public void force() throws IOException
        {
            channel.force(false);
        }

        @Override
        public void close() throws IOException
        {
            channel.close();
        }
    }
}
