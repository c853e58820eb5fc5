package io.escapement.ratelimit;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A bounded queue that is fair to its sources, such as the networks of players who log in.
 *
 * <p>The source that was served least recently is next. A source that was never served precedes all others. The
 * elements of one source keep their order. An element for a full queue replaces the newest element of the source with
 * most elements. Therefore a source that fills the queue displaces itself. Among sources with equally many, the source
 * that would be served last gives its place up.
 *
 * <p>The queue remembers when sources without elements were served. Therefore a source has no advantage from sending
 * one element at a time. The time of each call is proportional to the number of sources with elements: for jobs that
 * cost far more. Not thread-safe.
 *
 * @param <T> type of the elements.
 */
public final class FairQueue<T>
{
    /** Sources without elements for which the last service is remembered. An attack from more networks is an army. */
    static final int REMEMBERED_SOURCES = 4_096;

    private final Map<String, Source<T>> sourceByKeyMap = new HashMap<>();
    /** When each source was served, the least recent first. */
    private final LinkedHashMap<String, Long> serviceByKeyMap = new LinkedHashMap<>();
    private final int limit;
    private long services;
    private long arrivals;
    private int size;

    private static final class Source<T>
    {
        private final ArrayDeque<T> elements = new ArrayDeque<>();
        private final String key;
        private final long arrival;
        /** Number of the last service, or 0 before the first. */
        private long service;

        Source(final String key, final long arrival, final long service)
        {
            this.key = key;
            this.arrival = arrival;
            this.service = service;
        }

        boolean isBefore(final Source<T> other)
        {
            return service != other.service ? service < other.service : arrival < other.arrival;
        }
    }

    /**
     * An empty queue.
     *
     * @param limit most elements, at least 1.
     */
    public FairQueue(final int limit)
    {
        if (limit < 1)
        {
            throw new IllegalArgumentException("a queue for " + limit + " elements");
        }
        this.limit = limit;
    }

    /**
     * Add an element.
     *
     * @param key     of its source.
     * @param element to add.
     * @return the element without a place: null if the queue was not full, otherwise this element or an earlier one.
     */
    public T offer(final String key, final T element)
    {
        Source<T> source = sourceByKeyMap.get(key);
        if (null == source)
        {
            source = new Source<>(key, ++arrivals, serviceByKeyMap.getOrDefault(key, 0L));
            sourceByKeyMap.put(key, source);
        }
        source.elements.add(element);
        if (++size <= limit)
        {
            return null;
        }
        final Source<T> fullest = fullest();
        final T displaced = fullest.elements.removeLast();
        onRemoved(fullest);
        return displaced;
    }

    /** The element that is next, or null. */
    public T peek()
    {
        final Source<T> next = next();
        return null == next ? null : next.elements.peek();
    }

    /** Remove the element that is next, or return null. */
    public T poll()
    {
        final Source<T> next = next();
        if (null == next)
        {
            return null;
        }
        final T element = next.elements.remove();
        next.service = ++services;
        remember(next);
        onRemoved(next);
        return element;
    }

    /**
     * Remove elements without serving them.
     *
     * @param condition for an element to be removed. It may not use the queue.
     */
    public void removeIf(final Predicate<? super T> condition)
    {
        final Iterator<Source<T>> sources = sourceByKeyMap.values().iterator();
        while (sources.hasNext())
        {
            final Source<T> source = sources.next();
            size -= source.elements.size();
            source.elements.removeIf(condition);
            size += source.elements.size();
            if (source.elements.isEmpty())
            {
                sources.remove();
            }
        }
    }

    /** Number of elements. */
    public int size()
    {
        return size;
    }

    /** Whether the queue has no element. */
    public boolean isEmpty()
    {
        return 0 == size;
    }

    private Source<T> next()
    {
        Source<T> next = null;
        for (final Source<T> source : sourceByKeyMap.values())
        {
            next = null == next || source.isBefore(next) ? source : next;
        }
        return next;
    }

    private Source<T> fullest()
    {
        Source<T> fullest = null;
        for (final Source<T> source : sourceByKeyMap.values())
        {
            final int more = null == fullest ? 1 : source.elements.size() - fullest.elements.size();
            fullest = more > 0 || 0 == more && fullest.isBefore(source) ? source : fullest;
        }
        return fullest;
    }

    private void onRemoved(final Source<T> source)
    {
        size--;
        if (source.elements.isEmpty())
        {
            sourceByKeyMap.remove(source.key);
        }
    }

    private void remember(final Source<T> served)
    {
        serviceByKeyMap.remove(served.key);
        serviceByKeyMap.put(served.key, served.service);
        if (serviceByKeyMap.size() > REMEMBERED_SOURCES)
        {
            final Iterator<String> keys = serviceByKeyMap.keySet().iterator();
            keys.next();
            keys.remove();
        }
    }
}
