package io.escapement.engine.internal.durable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import org.agrona.LangUtil;

/**
 * Reads or runs the journals of several loops at a time, on as many threads as there are cores. Loops are independent
 * of each other, and running them in parallel does not affect them.
 */
public final class EachLoop
{
    /** A callback that ran compiled may run interpreted here, on frames that are several times as long. */
    public static final long STACK_LENGTH = 16L * 1_024 * 1_024;

    private EachLoop()
    {
    }

    /**
     * Run a task for each loop, and return when all are complete. An interrupt does not shorten the wait.
     *
     * @param loops number of loops.
     * @param task  gets a loop's number. The failure of the first loop that fails is thrown, once no task runs.
     */
    public static void run(final int loops, final IntConsumer task)
    {
        final ExecutorService executor = Executors.newFixedThreadPool(
            Math.max(1, Math.min(loops, Runtime.getRuntime().availableProcessors())),
            (runnable) -> new Thread(null, runnable, "escapement-recovery", STACK_LENGTH));
        final CompletableFuture<?>[] runs = new CompletableFuture<?>[loops];
        for (int i = 0; i < loops; i++)
        {
            final int loop = i;
            runs[i] = CompletableFuture.runAsync(() -> task.accept(loop), executor);
        }
        executor.shutdown();
        Throwable failure = null;
        for (final CompletableFuture<?> run : runs)
        {
            try
            {
                run.join();
            }
            catch (final CompletionException ex)
            {
                failure = null == failure ? ex.getCause() : failure;
            }
        }
        if (null != failure)
        {
            LangUtil.rethrowUnchecked(failure);
        }
    }
}
