package io.escapement.engine.internal.monitor;

import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.ErrorHandler;

/** The engine's periodic jobs. A job that throws is told of, and runs again next time. */
final class Jobs
{
    private static final int LIMIT = 64;

    private final CopyOnWriteArrayList<Job> jobs = new CopyOnWriteArrayList<>();
    private final ErrorHandler errorHandler;

    Jobs(final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
    }

    AutoCloseable add(final long periodNs, final Runnable task, final long nowNs)
    {
        if (periodNs <= 0)
        {
            throw new IllegalArgumentException("periodNs: " + periodNs);
        }
        if (jobs.size() >= LIMIT)
        {
            throw new IllegalStateException("more than " + LIMIT + " periodic jobs");
        }
        final Job job = new Job(periodNs, task, nowNs + periodNs);
        jobs.add(job);
        return () -> jobs.remove(job);
    }

    int poll(final long nowNs)
    {
        int work = 0;
        for (final Job job : jobs)
        {
            if (nowNs >= job.deadlineNs)
            {
                // Deadlines are absolute; those that were missed are not made up for.
                job.deadlineNs += (1 + (nowNs - job.deadlineNs) / job.periodNs) * job.periodNs;
                run(job);
                work++;
            }
        }
        return work;
    }

    private void run(final Job job)
    {
        try
        {
            job.task.run();
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private static final class Job
    {
        private final long periodNs;
        private final Runnable task;
        private long deadlineNs;

        Job(final long periodNs, final Runnable task, final long deadlineNs)
        {
            this.periodNs = periodNs;
            this.task = task;
            this.deadlineNs = deadlineNs;
        }
    }
}
