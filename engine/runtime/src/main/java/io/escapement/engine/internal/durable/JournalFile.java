package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file of a {@link JournalDisk}. */
public interface JournalFile extends AutoCloseable
{
    /**
     * Write all bytes from the source's position to its limit. Before {@link #force()} any part of them may be lost in
     * a power loss.
     *
     * @param source of the bytes.
     * @param offset in the file.
     */
    void write(ByteBuffer source, long offset) throws IOException;

    /**
     * Read until the target is full or the end of the file is reached.
     *
     * @param target of the bytes.
     * @param offset in the file.
     */
    void read(ByteBuffer target, long offset) throws IOException;

    /** Length in bytes. */
    long length() throws IOException;

    /**
     * Cut the file off.
     *
     * @param length that remains, in bytes.
     */
    void truncate(long length) throws IOException;

    /**
     * Wait until all written data is on the disk. After a failure the state of the data is unknown, and the sync is not
     * retried.
     */
    void force() throws IOException;

    @Override
    void close() throws IOException;
}
