package io.escapement.perf.peers;

import java.util.ArrayList;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Jobs for later in one priority queue behind a lock, for all rooms and threads: the usual timer of game servers that
 * hand jobs to rooms. Whoever distributes takes what is due out under the lock, and runs it without.
 * <p>
 * The queue is a heap, so a job is found by looking at all of them: cancelling is as slow as there are jobs.
 */
public final class JobTimer
{
    /** A job that waits. It is its own handle. */
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

        @Override
        public boolean equals(final Object other)
        {
            return this == other;
        }

        @Override
        public int hashCode()
        {
            return System.identityHashCode(this);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Reservation> queue = new PriorityQueue<>();
    private final AtomicBoolean isDistributing = new AtomicBoolean();
    private final ArrayList<Reservation> due = new ArrayList<>();

    /**
     * Have a job run later. From any thread.
     *
     * @param deadlineNs at which it is due.
     * @param job        to run. It must not throw.
     * @return its handle.
     */
    public Reservation reserve(final long deadlineNs, final Runnable job)
    {
        final Reservation reservation = new Reservation(deadlineNs, job);
        lock.lock();
        try
        {
            queue.add(reservation);
        }
        finally
        {
            lock.unlock();
        }
        return reservation;
    }

    /**
     * Cancel a job. From any thread.
     *
     * @param reservation of the job.
     * @return whether it was still waiting.
     */
    public boolean cancel(final Reservation reservation)
    {
        lock.lock();
        try
        {
            return queue.remove(reservation);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Run what is due. From any thread; while one is at it, others leave it alone, so that jobs keep their order.
     *
     * @param nowNs the time.
     * @return how many jobs ran.
     */
    public int distribute(final long nowNs)
    {
        if (!isDistributing.compareAndSet(false, true))
        {
            return 0;
        }
        lock.lock();
        try
        {
            while (!queue.isEmpty() && queue.peek().deadlineNs <= nowNs)
            {
                due.add(queue.poll());
            }
        }
        finally
        {
            lock.unlock();
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

    /**
     * How many jobs wait.
     *
     * @return the number.
     */
    public int count()
    {
        lock.lock();
        try
        {
            return queue.size();
        }
        finally
        {
            lock.unlock();
        }
    }
}
