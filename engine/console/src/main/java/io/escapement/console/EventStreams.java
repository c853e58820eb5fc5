package io.escapement.console;

import io.escapement.http.HttpStream;
import java.util.concurrent.TimeUnit;

/**
 * The pages that get events. A page that has yet to take an event skips the next one, and delays no other page. Pages
 * get an event one after another, so that many pages take their share of a core from the players a little at a time.
 */
final class EventStreams
{
    /** 20 operators and room for pages that were left open. */
    static final int LIMIT = 32;

    /** How much later than the page before it a page gets an event. All have it before the next one. */
    static final long APART_NS = TimeUnit.MILLISECONDS.toNanos(12);

    private final HttpStream[] streams = new HttpStream[LIMIT];
    private int count;

    synchronized boolean isFull()
    {
        return LIMIT == count;
    }

    synchronized boolean isEmpty()
    {
        return 0 == count;
    }

    /** Take the first free place for a page, until it is closed. */
    synchronized void enter(final HttpStream stream)
    {
        int place = 0;
        while (null != streams[place])
        {
            place++;
        }
        streams[place] = stream;
        count++;
        final int taken = place;
        stream.onClose(() -> leave(taken));
    }

    synchronized void publish(final byte[] event)
    {
        for (int i = 0; i < LIMIT; i++)
        {
            if (null != streams[i])
            {
                streams[i].offer(event, i * APART_NS);
            }
        }
    }

    private synchronized void leave(final int place)
    {
        streams[place] = null;
        count--;
    }
}
