package io.escapement.perf.rooms;

import io.escapement.perf.peers.JobTimer;

/** A locked priority queue of jobs. */
final class JobTimers extends TimersUnderTest
{
    /** Small, because a cancellation scans the queue. */
    private static final int CANCEL_CHUNK = 10;

    private final JobTimer timer = new JobTimer();
    private final JobTimer.Reservation[] reservations;
    private final Runnable job = this::onFired;

    JobTimers(final long[] delays, final int[] cancelOrder)
    {
        super(delays, cancelOrder);
        reservations = new JobTimer.Reservation[delays.length];
    }

    @Override
    void set(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            reservations[i] = timer.reserve(nowNs + delays[i], job);
        }
    }

    @Override
    void cancel(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            checkCancelled(timer.cancel(reservations[cancelOrder[i]]), i);
        }
    }

    @Override
    void poll(final long timeNs)
    {
        timer.distribute(timeNs);
    }

    @Override
    int cancelChunk()
    {
        return CANCEL_CHUNK;
    }
}
