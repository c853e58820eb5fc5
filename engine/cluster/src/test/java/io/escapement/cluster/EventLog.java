package io.escapement.cluster;

import io.escapement.testsupport.RealTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The last events of nodes, of the player and of the test, with their times, for the cause of a long wait. Of those
 * that repeat, as when a node tries the same again and again, the first are kept: the cause came before them.
 */
@RealTime("a helper of processes that are killed")
final class EventLog
{
    private static final int LIMIT = 4_096;
    private static final int REPEATED_LIMIT = 8;
    private static final long REPEATED_NS = TimeUnit.MINUTES.toNanos(1);

    private record Event(long timeNs, String text)
    {
    }

    private final Deque<Event> events = new ArrayDeque<>();

    synchronized void add(final String text)
    {
        final long nowNs = System.nanoTime();
        if (REPEATED_LIMIT == events.stream()
            .filter((event) -> nowNs - event.timeNs <= REPEATED_NS && event.text.equals(text)).count())
        {
            return;
        }
        if (events.size() == LIMIT)
        {
            events.removeFirst();
        }
        events.addLast(new Event(nowNs, text));
    }

    /** Events since a time, in milliseconds from then. */
    synchronized List<String> since(final long startNs)
    {
        final List<String> found = new ArrayList<>();
        for (final Event event : events)
        {
            if (event.timeNs - startNs >= 0)
            {
                found.add("%6d ms  %s".formatted(
                    TimeUnit.NANOSECONDS.toMillis(event.timeNs - startNs), event.text));
            }
        }
        return found;
    }
}
