package io.escapement.console;

import io.escapement.http.HttpError;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Answers that pages share. */
class SharedAnswersTest
{
    private final SharedAnswers answers = new SharedAnswers();
    private final AtomicInteger made = new AtomicInteger();

    @Test
    void shouldMakeAnAnswerOnceASecond() throws HttpError
    {
        final byte[] first = ask("trunks", 0);
        assertSame(first, ask("trunks", SharedAnswers.FRESH_NS));
        assertNotSame(first, ask("storage", 1));
        assertEquals(2, made.get());
        assertNotSame(first, ask("trunks", SharedAnswers.FRESH_NS + 1));
        assertEquals(3, made.get());
    }

    @Test
    void shouldMakeItAgainBehindAnOperation() throws HttpError
    {
        final byte[] first = ask("trunks", 0);
        answers.forget();
        assertNotSame(first, ask("trunks", 1));
    }

    @Test
    void shouldWaitForTheOneThatIsBeingMade() throws ExecutionException, InterruptedException, HttpError
    {
        final CountDownLatch isMaking = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        // The common pool has one thread on two cores, from JDK 25 on also for these.
        final Executor threads = (task) -> new Thread(task).start();
        final CompletableFuture<byte[]> first = CompletableFuture.supplyAsync(() -> slowly(isMaking, mayEnd), threads);
        isMaking.await();
        final CompletableFuture<byte[]> second = CompletableFuture.supplyAsync(() ->
        {
            mayEnd.countDown();
            return slowly(isMaking, mayEnd);
        }, threads);
        assertSame(first.get(), second.get());
        assertEquals(1, made.get());
    }

    @Test
    void shouldKeepNoFault() throws HttpError
    {
        final HttpError fault = assertThrows(HttpError.class, () -> answers.get("trunks", 0, () ->
        {
            throw new HttpError(504, "no answer");
        }));
        assertEquals(504, fault.status());
        assertThrows(IllegalStateException.class, () -> answers.get("trunks", 0, () ->
        {
            throw new IllegalStateException("a defect");
        }));
        ask("trunks", 1);
        assertEquals(1, made.get());
    }

    /** Whoever has a token can ask for any room. */
    @Test
    void shouldKeepNoMoreThanItsLimit() throws HttpError
    {
        for (int i = 0; i < SharedAnswers.LIMIT; i++)
        {
            ask("room " + i, 0);
        }
        assertNotSame(ask("another", 0), ask("another", 0), "kept beyond the limit");
        final int before = made.get();
        ask("room 0", 0);
        assertEquals(before, made.get());
        ask("another", SharedAnswers.FRESH_NS + 1);
        assertSame(ask("another", SharedAnswers.FRESH_NS + 1), ask("another", SharedAnswers.FRESH_NS + 1));
    }

    private byte[] ask(final String question, final long nowNs) throws HttpError
    {
        return answers.get(question, nowNs, this::make);
    }

    private byte[] make()
    {
        made.incrementAndGet();
        return new byte[1];
    }

    private byte[] slowly(final CountDownLatch isMaking, final CountDownLatch mayEnd)
    {
        try
        {
            return answers.get("trunks", 0, () ->
            {
                isMaking.countDown();
                await(mayEnd);
                return make();
            });
        }
        catch (final HttpError ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static void await(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
