package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A disk that keeps changes in memory. A dry run therefore takes the same steps as a recovery. */
final class DryDisk implements JournalDisk
{
    private final JournalDisk disk;
    private final TreeSet<String> names;
    /** Files that were changed, made or renamed. */
    private final Map<String, MemoryFile> fileByNameMap = new HashMap<>();

    DryDisk(final JournalDisk disk) throws IOException
    {
        this.disk = disk;
        names = new TreeSet<>(disk.list());
    }

    @Override
    public JournalFile open(final String name) throws IOException
    {
        final MemoryFile file = fileByNameMap.get(name);
        return null == file ? new CopyOnWriteFile(name, disk.open(name)) : file;
    }

    @Override
    public JournalFile create(final String name)
    {
        final MemoryFile file = new MemoryFile(new byte[0]);
        fileByNameMap.put(name, file);
        names.add(name);
        return file;
    }

    @Override
    public List<String> list()
    {
        return new ArrayList<>(names);
    }

    @Override
    public void rename(final String from, final String to) throws IOException
    {
        fileByNameMap.put(to, memoryOf(from));
        fileByNameMap.remove(from);
        names.remove(from);
        names.add(to);
    }

    @Override
    public void delete(final String name)
    {
        fileByNameMap.remove(name);
        names.remove(name);
    }

    @Override
    public void forceDirectory()
    {
    }

    @Override
    public String path(final String name)
    {
        return disk.path(name);
    }

    private MemoryFile memoryOf(final String name) throws IOException
    {
        MemoryFile file = fileByNameMap.get(name);
        if (null == file)
        {
            try (JournalFile source = disk.open(name))
            {
                final ByteBuffer bytes = ByteBuffer.allocate((int)source.length());
                source.read(bytes, 0);
                file = new MemoryFile(bytes.array());
            }
            fileByNameMap.put(name, file);
        }
        return file;
    }

    private final class CopyOnWriteFile implements JournalFile
    {
        private final String name;
        private final JournalFile source;

        CopyOnWriteFile(final String name, final JournalFile source)
        {
            this.name = name;
            this.source = source;
        }

        @Override
        public void write(final ByteBuffer bytes, final long offset) throws IOException
        {
            memoryOf(name).write(bytes, offset);
        }

        @Override
        public void read(final ByteBuffer target, final long offset) throws IOException
        {
            present().read(target, offset);
        }

        @Override
        public long length() throws IOException
        {
            return present().length();
        }

        @Override
        public void truncate(final long length) throws IOException
        {
            memoryOf(name).truncate(length);
        }

        @Override
        public void force()
        {
        }

        @Override
        public void close() throws IOException
        {
            source.close();
        }

        private JournalFile present()
        {
            final MemoryFile changed = fileByNameMap.get(name);
            return null == changed ? source : changed;
        }
    }

    private static final class MemoryFile implements JournalFile
    {
        private byte[] bytes;

        MemoryFile(final byte[] bytes)
        {
            this.bytes = bytes;
        }

        @Override
        public void write(final ByteBuffer source, final long offset)
        {
            final int end = (int)offset + source.remaining();
            bytes = end > bytes.length ? Arrays.copyOf(bytes, end) : bytes;
            source.get(bytes, (int)offset, source.remaining());
        }

        @Override
        public void read(final ByteBuffer target, final long offset)
        {
            final int length = (int)Math.max(0, Math.min(target.remaining(), bytes.length - offset));
            target.put(bytes, (int)offset, length);
        }

        @Override
        public long length()
        {
            return bytes.length;
        }

        @Override
        public void truncate(final long length)
        {
            bytes = Arrays.copyOf(bytes, (int)Math.min(length, bytes.length));
        }

        @Override
        public void force()
        {
        }

        @Override
        public void close()
        {
        }
    }
}
