package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;

/**
 * Moves one loop's journal from its tail to its files. {@link #write()} belongs to one thread: the journal's, or the
 * loop's where there is no tail that outlives the process. The rest belongs to the journal's thread.
 *
 * <p>It stops at the first failure. A failed sync may have dropped pages, and a later sync would not prove that they
 * are on the disk.
 */
final class JournalWriter
{
    /** A disk that is full is asked again after this time, until the running segment is. */
    static final long SPARE_RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Tail tail;
    private final JournalSegments segments;
    private final AtomicReference<Throwable> failure;
    private final ErrorHandler errorHandler;
    private final ByteBuffer bytes;
    private final boolean isSynced;
    private final long syncIntervalNs;
    private long nextSyncNs;
    private long nextPrepareNs;
    private boolean isSpareFaultReported;
    private volatile Throwable spareFault;

    JournalWriter(
        final Tail tail,
        final JournalSegments segments,
        final JournalSettings options,
        final long nowNs,
        final AtomicReference<Throwable> failure,
        final ErrorHandler errorHandler)
    {
        this.tail = tail;
        this.segments = segments;
        this.failure = failure;
        this.errorHandler = errorHandler;
        bytes = tail.bytes();
        isSynced = options.isSynced();
        syncIntervalNs = options.syncIntervalNs();
        nextSyncNs = nowNs;
    }

    /** Write the data that the loop has stored, up to the start of the next segment. Returns the number of bytes. */
    int write()
    {
        final Tail tail = this.tail;
        final long written = tail.written();
        final long stored = tail.stored();
        if (stored == written || null != failure.get())
        {
            return 0;
        }
        try
        {
            final long segment = tail.segment();
            final boolean isBegun = segment < stored && segment >= written && segment != segments.start();
            if (isBegun && segment == written)
            {
                beginSegment(segment);
            }
            final long limit = isBegun && segment > written ? segment : stored;
            return writeTo(written, limit);
        }
        catch (final IOException | RuntimeException ex)
        {
            fail(ex);
            return 0;
        }
    }

    /** Sync the written data, if a sync is due. Returns 1 if it did, otherwise 0. */
    int sync(final long nowNs)
    {
        if (!isSynced && nowNs - nextSyncNs < 0)
        {
            return 0;
        }
        nextSyncNs = nowNs + syncIntervalNs;
        return syncNow() ? 1 : 0;
    }

    /** Sync the written data. Returns whether there was any. */
    boolean syncNow()
    {
        // Read before the segments, so that they hold at least as much.
        final long written = tail.written();
        if (written == tail.synced() || null != failure.get())
        {
            return false;
        }
        try
        {
            segments.force();
            tail.synced(written);
            return true;
        }
        catch (final IOException | RuntimeException ex)
        {
            fail(ex);
            return false;
        }
    }

    /**
     * Write some zeros of the next segment.
     *
     * @param nowNs  present time.
     * @param isIdle whether there is no other work. Otherwise the zeros keep pace with the running segment.
     * @return 1 if it did, otherwise 0.
     */
    int prepare(final long nowNs, final boolean isIdle)
    {
        if (segments.isSpareReady() || null != failure.get() || nowNs - nextPrepareNs < 0 && null != spareFault ||
            !isIdle && segments.spareLength() > tail.written() - tail.segment())
        {
            return 0;
        }
        try
        {
            segments.prepare();
            spareFault = null;
            return 1;
        }
        catch (final IOException | RuntimeException ex)
        {
            spareFailed(nowNs, ex);
            return 0;
        }
    }

    /** Make the file of the first segment, before any thread runs. */
    void prepareAll() throws IOException
    {
        while (!segments.isSpareReady())
        {
            segments.prepare();
        }
    }

    /** The reason why there is no file for the next segment, or null. Any thread. */
    Throwable spareFault()
    {
        return spareFault;
    }

    /** Whether a next segment can start at once. Any thread. */
    boolean isSpareReady()
    {
        return segments.isSpareReady();
    }

    /** End all writing. The first failure is kept. */
    void fail(final Throwable ex)
    {
        if (failure.compareAndSet(null, ex))
        {
            errorHandler.onError(ex);
        }
    }

    /** Close the files, when no other thread uses them. */
    void close(final long end) throws IOException
    {
        segments.close(end);
    }

    private void beginSegment(final long position) throws IOException
    {
        // The journal's thread makes the file here if the loop was faster. The loop itself waits for the file.
        while (!segments.isSpareReady())
        {
            segments.prepare();
        }
        segments.begin(position);
    }

    private int writeTo(final long written, final long limit) throws IOException
    {
        long position = written;
        while (position < limit)
        {
            final int index = tail.index(position);
            final int length = (int)Math.min(limit - position, tail.ringLength() - index);
            final int offset = tail.bytesOffset() + index;
            bytes.limit(offset + length).position(offset);
            segments.write(bytes, position);
            position += length;
        }
        // Always after a whole record. A later record with this as its synced position proves that all data before it
        // was whole.
        tail.written(limit);
        return (int)(limit - written);
    }

    private void spareFailed(final long nowNs, final Throwable ex)
    {
        nextPrepareNs = nowNs + SPARE_RETRY_NS;
        spareFault = ex;
        segments.abandonSpare();
        if (!isSpareFaultReported)
        {
            isSpareFaultReported = true;
            errorHandler.onError(ex);
        }
    }
}
