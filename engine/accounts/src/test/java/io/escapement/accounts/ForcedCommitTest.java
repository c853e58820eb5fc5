package io.escapement.accounts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** H2's files are forced to the disk before a change is acknowledged, and not for a read. */
class ForcedCommitTest
{
    private static final AtomicInteger FORCES = new AtomicInteger();

    @TempDir
    private Path directory;

    @Test
    void shouldForceEachChangeBeforeItsAcknowledgement()
    {
        FilePath.register(new CountingFiles());
        try (World world = new World("jdbc:h2:forced:" + directory.resolve("accounts")))
        {
            int before = FORCES.get();
            final long account = world.account("Ann");
            before = assertForced(before, "a sign-up");
            final long knight = world.create(account, 1, 1, "Knight");
            before = assertForced(before, "a character");
            for (int i = 2; i < 12; i++)
            {
                assertEquals(0, world.save(account, 1, i, knight, i));
                before = assertForced(before, "save " + i);
            }
            world.list(account);
            assertEquals(before, FORCES.get(), "a read");
        }
    }

    @Test
    void shouldNotForceWhereTheOptionSaysSo()
    {
        FilePath.register(new CountingFiles());
        try (World world = new World(
            "jdbc:h2:forced:" + directory.resolve("accounts"), (context) -> context.forceCommits(false)))
        {
            final int before = FORCES.get();
            world.account("Ann");
            assertEquals(before, FORCES.get());
        }
    }

    private static int assertForced(final int before, final String what)
    {
        final int now = FORCES.get();
        assertTrue(now > before, what + " was not forced");
        return now;
    }

    /** Files of the scheme forced:, on the disk. H2 makes instances by reflection. */
    public static final class CountingFiles extends FilePathWrapper
    {
        @Override
        public String getScheme()
        {
            return "forced";
        }

        @Override
        public FileChannel open(final String mode) throws IOException
        {
            return new CountingFile(super.open(mode));
        }
    }

    private static final class CountingFile extends FileBase
    {
        private final FileChannel file;

        CountingFile(final FileChannel file)
        {
            this.file = file;
        }

        @Override
        public void force(final boolean isWithMetadata) throws IOException
        {
            FORCES.incrementAndGet();
            file.force(isWithMetadata);
        }

        @Override
        public int read(final ByteBuffer target) throws IOException
        {
            return file.read(target);
        }

        @Override
        public int read(final ByteBuffer target, final long position) throws IOException
        {
            return file.read(target, position);
        }

        @Override
        public int write(final ByteBuffer source) throws IOException
        {
            return file.write(source);
        }

        @Override
        public int write(final ByteBuffer source, final long position) throws IOException
        {
            return file.write(source, position);
        }

        @Override
        public long position() throws IOException
        {
            return file.position();
        }

        @Override
        public FileChannel position(final long position) throws IOException
        {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException
        {
            return file.size();
        }

        @Override
        public FileChannel truncate(final long size) throws IOException
        {
            file.truncate(size);
            return this;
        }

        @Override
        public FileLock tryLock(final long position, final long size, final boolean isShared) throws IOException
        {
            return file.tryLock(position, size, isShared);
        }

        @Override
        protected void implCloseChannel() throws IOException
        {
            file.close();
        }
    }
}
