package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Tails in memory that are passed from one engine to the next, as shared memory is after a kill. */
public final class MemoryTails implements TailStore
{
    private final Map<String, UnsafeBuffer> memoryByNameMap = new HashMap<>();

    @Override
    public UnsafeBuffer create(final String name, final int length) throws IOException
    {
        final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, 64));
        memoryByNameMap.put(name, memory);
        return memory;
    }

    @Override
    public UnsafeBuffer open(final String name)
    {
        return memoryByNameMap.get(name);
    }

    @Override
    public void delete(final String name)
    {
        memoryByNameMap.remove(name);
    }

    @Override
    public String path(final String name)
    {
        return "memory/" + name;
    }

    @Override
    public void close()
    {
    }

    /** Overwrite the data after the end of the only tail, like a loop that is killed while it copies a record. */
    void overwriteBehind(final long position)
    {
        final UnsafeBuffer memory = memoryByNameMap.values().iterator().next();
        final Tail tail = Tail.of(memory);
        for (long next = position; next < position + 2L * tail.recordLimit(); next++)
        {
            tail.ring().putByte(tail.index(next), (byte)-1);
        }
    }

    /** A power loss, or the end of a container. */
    void clear()
    {
        memoryByNameMap.clear();
    }

    int size()
    {
        return memoryByNameMap.size();
    }

    /** A copy, as of a kill at this moment. */
    public MemoryTails copy()
    {
        final MemoryTails copy = new MemoryTails();
        memoryByNameMap.forEach((name, memory) ->
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(BufferUtil.allocateDirectAligned(memory.capacity(), 64));
            bytes.putBytes(0, memory, 0, memory.capacity());
            copy.memoryByNameMap.put(name, bytes);
        });
        return copy;
    }
}
