package io.escapement.matchmaking;

import java.util.Arrays;

/** The waiting tickets in ascending order of their keys: by rating, then by age. */
final class RatedQueue
{
    private final long[] keys;
    private final int[] tickets;
    private int size;

    RatedQueue(final int capacity)
    {
        keys = new long[capacity];
        tickets = new int[capacity];
    }

    int size()
    {
        return size;
    }

    int ticket(final int position)
    {
        return tickets[position];
    }

    long key(final int position)
    {
        return keys[position];
    }

    /** The first position with a key that is not below this key. */
    int position(final long key)
    {
        final int found = Arrays.binarySearch(keys, 0, size, key);
        return found < 0 ? ~found : found;
    }

    /** Add a ticket. Moves the tickets after it: for 10,000 waiting tickets at most 120 KB, a few microseconds. */
    void add(final long key, final int ticket)
    {
        final int at = position(key);
        System.arraycopy(keys, at, keys, at + 1, size - at);
        System.arraycopy(tickets, at, tickets, at + 1, size - at);
        keys[at] = key;
        tickets[at] = ticket;
        size++;
    }

    void remove(final long key)
    {
        final int at = position(key);
        if (at == size || keys[at] != key)
        {
            throw new IllegalStateException("no ticket waits with key " + key);
        }
        size--;
        System.arraycopy(keys, at + 1, keys, at, size - at);
        System.arraycopy(tickets, at + 1, tickets, at, size - at);
    }
}
