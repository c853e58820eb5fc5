package io.escapement.gateway;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Connects the workers of a gateway. A connection may resume a session of another worker, because the kernel gives a
 * socket to any worker. A log-in closes the player's sessions at the other workers. Both are handed over through the
 * tasks of the other worker's event loop. The limits of connections and log-ins bound the number of tasks.
 */
final class WorkerGroup
{
    private final AtomicReferenceArray<Worker> workers;
    private final AtomicLong logIns = new AtomicLong();
    private final ResumeTokens tokens = new ResumeTokens();

    WorkerGroup(final int size)
    {
        workers = new AtomicReferenceArray<>(size);
    }

    /** Of the sessions of all workers. */
    ResumeTokens tokens()
    {
        return tokens;
    }

    /** A worker listens. */
    void onStart(final int number, final Worker worker)
    {
        workers.set(number, worker);
    }

    Workers of(final int number)
    {
        return new View(number);
    }

    private final class View implements Workers
    {
        private final int number;

        View(final int number)
        {
            this.number = number;
        }

        @Override
        public int number()
        {
            return number;
        }

        @Override
        public boolean isOther(final int worker)
        {
            return worker != number && worker < workers.length() && null != workers.get(worker);
        }

        @Override
        public void move(final PlayerConnection connection, final int worker)
        {
            final Worker target = workers.get(worker);
            workers.get(number).listener().move((WebSocketLink)connection.link(), target.listener(),
                (isFull) -> target.sessions().arrive(connection, isFull));
        }

        @Override
        public long onLogIn(final long playerId)
        {
            final long order = logIns.incrementAndGet();
            for (int i = 0; i < workers.length(); i++)
            {
                if (isOther(i))
                {
                    final Worker other = workers.get(i);
                    execute(other, () -> other.sessions().onLogInElsewhere(playerId, order));
                }
            }
            return order;
        }

        private void execute(final Worker worker, final Runnable task)
        {
            try
            {
                worker.listener().execute(task);
            }
            catch (final RejectedExecutionException ignored)
            {
                // It is being closed, and its sessions with it.
            }
        }
    }
}
