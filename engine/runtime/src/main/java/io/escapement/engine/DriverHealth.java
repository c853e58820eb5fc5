package io.escapement.engine;

import io.aeron.exceptions.AeronException;
import java.io.File;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;

/** Passes the errors of an embedded driver on, and keeps the engine from being ready while there are any. */
final class DriverHealth implements ErrorHandler
{
    /** An error this old does not count any more, unless it is repeated. */
    static final long ERROR_NS = TimeUnit.SECONDS.toNanos(30);

    private final ErrorHandler errorHandler;
    private volatile boolean hasFailed;
    private volatile long failedNs;
    private volatile boolean isDirectoryGone;

    DriverHealth(final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
    }

    @Override
    public void onError(final Throwable ex)
    {
        if (!(ex instanceof AeronException aeron && AeronException.Category.WARN == aeron.category()))
        {
            failedNs = System.nanoTime();
            hasFailed = true;
        }
        errorHandler.onError(ex);
    }

    /** Check that the driver's files exist. Without them the driver continues to serve connected clients only. */
    void check(final String directory)
    {
        if (!isDirectoryGone && !new File(directory, "cnc.dat").exists())
        {
            isDirectoryGone = true;
            errorHandler.onError(new EngineException("the directory of the media driver was deleted: " + directory +
                ": no trunk can connect any more, restart the engine"));
        }
    }

    /** Whether newcomers can connect, as far as is known. */
    boolean isHealthy()
    {
        return !isDirectoryGone && !(hasFailed && System.nanoTime() - failedNs < ERROR_NS);
    }
}
