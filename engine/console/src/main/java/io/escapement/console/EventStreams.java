package io.escapement.console;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The open streams of events. One thread publishes an event, and each stream's own thread writes the newest one: a slow
 * reader skips events and holds nobody.
 */
final class EventStreams
{
    /** Each has a thread, which waits: 20 operators and room for pages that were left open. */
    static final int LIMIT = 32;

    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);

    private final Map<Thread, Long> writingSinceNsMap = new HashMap<>();
    private final byte[] nothing = new byte[0];
    private byte[] event = nothing;
    private long sequence;
    private int open;
    private boolean isClosed;

    /** Take a place for a stream. Returns false if all are taken. */
    synchronized boolean enter()
    {
        if (isClosed || LIMIT == open)
        {
            return false;
        }
        open++;
        notifyAll();
        return true;
    }

    synchronized void leave()
    {
        open--;
    }

    /** Whether anybody reads. */
    synchronized boolean isEmpty()
    {
        return 0 == open;
    }

    synchronized void publish(final byte[] next)
    {
        event = next;
        sequence++;
        notifyAll();
    }

    /** Write events until the reader is gone or the streams are closed. In the thread of the stream. */
    void run(final OutputStream out) throws IOException
    {
        long written = current();
        try
        {
            for (byte[] next = await(written); null != next; next = await(written))
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

    private synchronized byte[] await(final long written) throws InterruptedException
    {
        while (!isClosed && written == sequence)
        {
            wait();
        }
        return isClosed ? null : event;
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
