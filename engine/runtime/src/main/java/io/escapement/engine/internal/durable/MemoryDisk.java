package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk with a cache. Until a force, each sector that was written, each new length and each name is only in the cache.
 * A kill of the process leaves the cache, a power loss takes any part of it.
 */
public final class MemoryDisk implements JournalDisk
{
    /** An operation that can fail. */
    public enum Operation
    {
        CREATE, WRITE, READ, FORCE, RENAME, FORCE_DIRECTORY
    }

    private final int sectorLength;
    private final TreeMap<String, MemoryFile> fileByNameMap = new TreeMap<>();
    /** Names as they are on the disk after each operation since the last force of the directory. */
    private final List<TreeMap<String, MemoryFile>> names = new ArrayList<>();
    private Operation failing;
    private int failsAfter;
    private IOException failure;
    private long space = Long.MAX_VALUE;
    private int writesUntilDamage = -1;
    private int forces;

    /**
     * An empty disk.
     *
     * @param sectorLength bytes that a power loss takes or leaves as a whole.
     */
    public MemoryDisk(final int sectorLength)
    {
        this.sectorLength = sectorLength;
        names.add(new TreeMap<>());
    }

    /** Let operations of a kind fail, from the one after the next {@code after}. */
    public void failAfter(final Operation operation, final int after, final IOException ex)
    {
        failing = operation;
        failsAfter = after;
        failure = ex;
    }

    /** End all faults. */
    public void mend()
    {
        failing = null;
        space = Long.MAX_VALUE;
    }

    /** Let writes beyond the present files fail that would make all files together longer. */
    public void space(final long bytes)
    {
        space = bytes;
    }

    /** Store one bit of a write, the one after the next {@code after}, the other way round. */
    public void damageWrite(final int after)
    {
        writesUntilDamage = after;
    }

    int forces()
    {
        return forces;
    }

    /** The disk after a kill: all that was written, in the cache or beyond. The killed process keeps this one. */
    public MemoryDisk afterKill()
    {
        final MemoryDisk after = new MemoryDisk(sectorLength);
        final Map<MemoryFile, MemoryFile> copyByFileMap = new IdentityHashMap<>();
        after.names.clear();
        names.forEach((known) -> after.names.add(copy(known, after, copyByFileMap)));
        after.fileByNameMap.putAll(copy(fileByNameMap, after, copyByFileMap));
        return after;
    }

    private static TreeMap<String, MemoryFile> copy(
        final TreeMap<String, MemoryFile> files,
        final MemoryDisk after,
        final Map<MemoryFile, MemoryFile> copyByFileMap)
    {
        final TreeMap<String, MemoryFile> copy = new TreeMap<>();
        files.forEach((name, file) ->
            copy.put(name, copyByFileMap.computeIfAbsent(file, (known) -> known.afterKill(after))));
        return copy;
    }

    /** The disk after a power loss: all forced data, and any part of the rest. */
    public MemoryDisk afterPowerLoss(final Random random)
    {
        final MemoryDisk after = new MemoryDisk(sectorLength);
        // A file system may keep the names as they were after any operation since the last force.
        names.get(random.nextInt(names.size())).forEach((name, file) ->
            after.fileByNameMap.put(name, file.afterPowerLoss(after, random)));
        after.names.set(0, new TreeMap<>(after.fileByNameMap));
        return after;
    }

    /** The bytes of a file, to damage it. */
    byte[] bytes(final String name)
    {
        final MemoryFile file = fileByNameMap.get(name);
        return Arrays.copyOf(file.cached, file.length);
    }

    void put(final String name, final byte[] bytes)
    {
        final MemoryFile file = new MemoryFile(this);
        file.cached = bytes.clone();
        file.length = bytes.length;
        file.onDisk = bytes.clone();
        fileByNameMap.put(name, file);
        names.clear();
        names.add(new TreeMap<>(fileByNameMap));
    }

    /** A copy in which everything was forced. */
    MemoryDisk copy()
    {
        final MemoryDisk copy = new MemoryDisk(sectorLength);
        fileByNameMap.keySet().forEach((name) -> copy.put(name, bytes(name)));
        return copy;
    }

    @Override
    public JournalFile open(final String name) throws IOException
    {
        final MemoryFile file = fileByNameMap.get(name);
        if (null == file)
        {
            throw new IOException("no file " + name);
        }
        return file;
    }

    @Override
    public JournalFile create(final String name) throws IOException
    {
        fail(Operation.CREATE);
        if (fileByNameMap.containsKey(name))
        {
            throw new IOException("there is a file " + name);
        }
        final MemoryFile file = new MemoryFile(this);
        fileByNameMap.put(name, file);
        namesChanged();
        return file;
    }

    @Override
    public List<String> list()
    {
        return new ArrayList<>(fileByNameMap.keySet());
    }

    @Override
    public void rename(final String from, final String to) throws IOException
    {
        fail(Operation.RENAME);
        fileByNameMap.put(to, fileByNameMap.remove(from));
        namesChanged();
    }

    @Override
    public void delete(final String name)
    {
        if (null != fileByNameMap.remove(name))
        {
            namesChanged();
        }
    }

    @Override
    public void forceDirectory() throws IOException
    {
        fail(Operation.FORCE_DIRECTORY);
        names.clear();
        namesChanged();
    }

    @Override
    public String path(final String name)
    {
        return "fake/" + name;
    }

    private void namesChanged()
    {
        names.add(new TreeMap<>(fileByNameMap));
    }

    private void fail(final Operation operation) throws IOException
    {
        if (operation == failing && failsAfter-- <= 0)
        {
            throw failure;
        }
    }

    private static final class MemoryFile implements JournalFile
    {
        private final MemoryDisk disk;
        private final BitSet dirty = new BitSet();
        private byte[] cached = new byte[0];
        private int length;
        private byte[] onDisk = new byte[0];

        MemoryFile(final MemoryDisk disk)
        {
            this.disk = disk;
        }

        @Override
        public void write(final ByteBuffer source, final long offset) throws IOException
        {
            disk.fail(Operation.WRITE);
            final int from = (int)offset;
            final int to = from + source.remaining();
            long used = 0;
            for (final MemoryFile file : disk.fileByNameMap.values())
            {
                used += file.length;
            }
            if (used + Math.max(0, to - length) > disk.space)
            {
                // As a file system does, write as much as there is room for.
                final int room = (int)Math.max(0, disk.space - used + length - from);
                source.limit(source.position() + Math.min(room, source.remaining()));
                put(source, from);
                throw new IOException("No space left on device");
            }
            put(source, from);
            if (0 == disk.writesUntilDamage--)
            {
                cached[from + (to - from) / 2] ^= 1;
            }
        }

        private void put(final ByteBuffer source, final int from)
        {
            final int to = from + source.remaining();
            if (to > cached.length)
            {
                cached = Arrays.copyOf(cached, Math.max(to, 2 * cached.length));
            }
            source.get(cached, from, to - from);
            length = Math.max(length, to);
            if (to > from)
            {
                dirty.set(from / disk.sectorLength, (to - 1) / disk.sectorLength + 1);
            }
        }

        @Override
        public void read(final ByteBuffer target, final long offset) throws IOException
        {
            disk.fail(Operation.READ);
            target.put(cached, (int)offset, (int)Math.max(0, Math.min(target.remaining(), length - offset)));
        }

        @Override
        public long length()
        {
            return length;
        }

        @Override
        public void truncate(final long newLength)
        {
            if (newLength < length)
            {
                Arrays.fill(cached, (int)newLength, length, (byte)0);
                dirty.set((int)newLength / disk.sectorLength, (length - 1) / disk.sectorLength + 1);
                length = (int)newLength;
            }
        }

        @Override
        public void force() throws IOException
        {
            disk.forces++;
            disk.fail(Operation.FORCE);
            reachDisk();
        }

        private void reachDisk()
        {
            onDisk = length == onDisk.length ? onDisk : Arrays.copyOf(onDisk, length);
            for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1))
            {
                final int from = sector * disk.sectorLength;
                final int to = Math.min(from + disk.sectorLength, length);
                if (to > from)
                {
                    System.arraycopy(cached, from, onDisk, from, to - from);
                }
            }
            dirty.clear();
        }

        @Override
        public void close()
        {
        }

        private MemoryFile afterKill(final MemoryDisk after)
        {
            final MemoryFile file = new MemoryFile(after);
            file.dirty.or(dirty);
            file.cached = cached.clone();
            file.length = length;
            file.onDisk = onDisk.clone();
            return file;
        }

        private MemoryFile afterPowerLoss(final MemoryDisk after, final Random random)
        {
            final MemoryFile file = new MemoryFile(after);
            file.length = random.nextBoolean() ? length : onDisk.length;
            file.cached = Arrays.copyOf(onDisk, file.length);
            final int chance = random.nextInt(5);
            for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1))
            {
                final int from = sector * after.sectorLength;
                final int to = Math.min(Math.min(from + after.sectorLength, file.length), cached.length);
                if (to > from && random.nextInt(4) < chance)
                {
                    System.arraycopy(cached, from, file.cached, from, to - from);
                }
            }
            file.onDisk = file.cached.clone();
            return file;
        }
    }
}
