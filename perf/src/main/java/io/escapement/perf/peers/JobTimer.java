package io.escapement.perf.peers;

import java.util.ArrayList;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Delayed jobs of all rooms and threads in one priority queue with a lock: the usual timer of game servers that pass
 * jobs to rooms. The distributor removes due jobs under the lock, and runs them outside it.
 *
 * <p>A cancellation scans the queue, because it is a heap.
 */
public final class JobTimer
{
    /** A pending job, and its handle. */
    public static final class Reservation implements Comparable<Reservation>
    {
        private final long deadlineNs;
        private final Runnable job;

        Reservation(final long deadlineNs, final Runnable job)
        {
            this.deadlineNs = deadlineNs;
            this.job = job;
        }

        @Override
        public int compareTo(final Reservation other)
        {
            return Long.compare(deadlineNs, other.deadlineNs);
        }
    }

    private final Object lock = new Object();
    private final PriorityQueue<Reservation> queue = new PriorityQueue<>();
    private final AtomicBoolean isDistributing = new AtomicBoolean();
    private final ArrayList<Reservation> due = new ArrayList<>();

    /** Schedule a job, which must not throw. From any thread. */
    public Reservation reserve(final long deadlineNs, final Runnable job)
    {
        final Reservation reservation = new Reservation(deadlineNs, job);
        synchronized (lock)
        {
            queue.add(reservation);
        }
        return reservation;
    }

    /** Cancel a job. Returns false if it is not pending. From any thread. */
    public boolean cancel(final Reservation reservation)
    {
        synchronized (lock)
        {
            return queue.remove(reservation);
        }
    }

    /** Run due jobs, and return how many ran. From any thread, but one at a time, so that jobs stay in order. */
    public int distribute(final long nowNs)
    {
        if (!isDistributing.compareAndSet(false, true))
        {
            return 0;
        }
        synchronized (lock)
        {
            while (!queue.isEmpty() && queue.peek().deadlineNs <= nowNs)
            {
                due.add(queue.poll());
            }
        }
        final int count = due.size();
        for (int i = 0; i < count; i++)
        {
            due.get(i).job.run();
        }
        due.clear();
        isDistributing.set(false);
        return count;
    }
}
