package io.escapement.console;

import java.io.IOException;
import java.io.OutputStream;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The open streams of events. One thread publishes an event, and each stream's own thread writes the newest one: a slow
 * reader skips events and holds nobody. The streams write one after another, so that many pages take their share of a
 * core from the players a little at a time.
 */
final class EventStreams
{
    /** Each has a thread, which waits: 20 operators and room for pages that were left open. */
    static final int LIMIT = 32;

    /** How much later than the place before it a stream writes an event. All have written before the next one. */
    static final long APART_NS = TimeUnit.MILLISECONDS.toNanos(12);

    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Thread, Long> writingSinceNsMap = new HashMap<>();
    private final byte[] nothing = new byte[0];
    private final BitSet taken = new BitSet(LIMIT);
    private byte[] event = nothing;
    private long publishedNs;
    private long sequence;
    private boolean isClosed;

    /** Take a place for a stream, the first that is free. Returns {@link #LIMIT} if all are taken. */
    synchronized int enter()
    {
        final int place = isClosed ? LIMIT : taken.nextClearBit(0);
        if (place < LIMIT)
        {
            taken.set(place);
        }
        return place;
    }

    synchronized void leave(final int place)
    {
        taken.clear(place);
    }

    /** Whether anybody reads. */
    synchronized boolean isEmpty()
    {
        return taken.isEmpty();
    }

    synchronized void publish(final byte[] next)
    {
        event = next;
        publishedNs = System.nanoTime();
        sequence++;
        notifyAll();
    }

    /** Write events until the reader is gone or the streams are closed. In the thread of the stream. */
    void run(final int place, final OutputStream out) throws IOException
    {
        final long laterNs = place * APART_NS;
        long written = current();
        try
        {
            for (byte[] next = await(written, laterNs); null != next; next = await(written, laterNs))
            {
                written = current();
                writing(true);
                out.write(next);
                out.flush();
                writing(false);
            }
        }
        catch (final InterruptedException ex)
        {
            // A stuck write ends by an interrupt, as ClosedByInterruptException; this one came between two.
            Thread.currentThread().interrupt();
        }
        finally
        {
            writing(false);
            // The thread serves other requests.
            Thread.interrupted();
        }
    }

    /** End the streams whose readers have read nothing for a while: the interrupt closes the socket. */
    synchronized void endStuck(final long nowNs)
    {
        writingSinceNsMap.forEach((thread, sinceNs) ->
        {
            if (nowNs - sinceNs > STUCK_NS)
            {
                thread.interrupt();
            }
        });
    }

    /** End all streams, also those that are stuck. */
    synchronized void close()
    {
        isClosed = true;
        writingSinceNsMap.keySet().forEach(Thread::interrupt);
        notifyAll();
    }

    private synchronized long current()
    {
        return sequence;
    }

    private synchronized byte[] await(final long written, final long laterNs) throws InterruptedException
    {
        while (!isClosed)
        {
            final long waitNs = publishedNs + laterNs - System.nanoTime();
            if (written == sequence)
            {
                wait();
            }
            else if (waitNs > 0)
            {
                TimeUnit.NANOSECONDS.timedWait(this, waitNs);
            }
            else
            {
                return event;
            }
        }
        return null;
    }

    private synchronized void writing(final boolean isWriting)
    {
        if (isWriting)
        {
            writingSinceNsMap.put(Thread.currentThread(), System.nanoTime());
        }
        else
        {
            writingSinceNsMap.remove(Thread.currentThread());
        }
    }
}
