package io.escapement.engine.internal.durable;

import java.io.IOException;
import org.agrona.concurrent.UnsafeBuffer;

/** Keeps the memory of tails beyond the end of the process, where it can. */
public interface TailStore extends AutoCloseable
{
    /**
     * Make memory of zeros under a name, instead of older memory.
     *
     * @param name   of the memory.
     * @param length in bytes.
     */
    UnsafeBuffer create(String name, int length) throws IOException;

    /**
     * Find memory that an earlier process has left.
     *
     * @param name of the memory.
     * @return the memory, or null if it does not exist.
     */
    UnsafeBuffer open(String name) throws IOException;

    /**
     * Forget memory that is no longer in use.
     *
     * @param name of the memory.
     */
    void delete(String name) throws IOException;

    /**
     * The whole name, for messages.
     *
     * @param name of the memory.
     */
    String path(String name);

    /** Unmap all memory and leave it to the next process. */
    @Override
    void close();
}
