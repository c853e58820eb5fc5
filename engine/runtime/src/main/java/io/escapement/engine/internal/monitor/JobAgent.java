package io.escapement.engine.internal.monitor;

import io.escapement.config.ConfigException;
import io.escapement.engine.internal.queue.EngineClock;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/**
 * Runs the periodic jobs of the application. It has a thread to itself, so that a slow job cannot delay the
 * watchdog or the governor.
 */
public final class JobAgent implements Agent
{
    private static final int LIMIT = 64;

    private final CopyOnWriteArrayList<Job> jobs = new CopyOnWriteArrayList<>();
    private final EngineClock clock;
    private final ErrorHandler errorHandler;

    /**
     * Make one without jobs.
     *
     * @param clock        of the engine.
     * @param errorHandler receives exceptions of jobs.
     */
    public JobAgent(final EngineClock clock, final ErrorHandler errorHandler)
    {
        this.clock = clock;
        this.errorHandler = errorHandler;
    }

    /**
     * Add a job. From any thread.
     *
     * @param periodNs between deadlines.
     * @param task     to run.
     * @return removes the job when it is closed.
     */
    public AutoCloseable add(final long periodNs, final Runnable task)
    {
        ConfigException.check(periodNs > 0, "periodNs", periodNs, "use a positive period");
        if (jobs.size() >= LIMIT)
        {
            throw new IllegalStateException("more than " + LIMIT + " periodic jobs");
        }
        final Job job = new Job(periodNs, task, clock.nowNs() + periodNs);
        jobs.add(job);
        return () -> jobs.remove(job);
    }

    @Override
    public String roleName()
    {
        return "escapement-jobs";
    }

    @Override
    public int doWork()
    {
        int work = 0;
        for (final Job job : jobs)
        {
            final long nowNs = clock.nowNs();
            if (nowNs >= job.deadlineNs)
            {
                // Deadlines are absolute, and missed ones are skipped.
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
        catch (final Throwable ex)
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
