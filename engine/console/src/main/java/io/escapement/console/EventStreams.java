package io.escapement.console;

import io.escapement.http.HttpStream;
import java.util.concurrent.TimeUnit;

/**
 * The pages that get events. If a page has yet to take an event, it skips the next event, and delays no other page.
 * Pages get an event one after another, so that many pages never take much of a core from the players at once.
 */
final class EventStreams
{
    /** 20 operators and room for pages that were left open. */
    static final int LIMIT = 32;

    /** Delay of an event from each page to the next page. All pages have an event before the next event. */
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
