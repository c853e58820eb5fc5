package io.escapement.console;

import io.escapement.http.HttpError;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Answers made once for all pages that ask for the same in a short time, so that twenty pages cost the loops as much as
 * one page.
 */
final class SharedAnswers
{
    /** A page asks every two seconds. */
    static final long FRESH_NS = TimeUnit.SECONDS.toNanos(1);
    /** Beyond this many different questions, more than pages ask, each is answered separately. */
    static final int LIMIT = 64;

    /** Makes an answer. */
    @FunctionalInterface
    interface Maker
    {
        byte[] make() throws HttpError;
    }

    /** An answer that is being made or is complete. */
    private record Answer(long nowNs, CompletableFuture<byte[]> bytes)
    {
    }

    private final Map<String, Answer> answerByQuestionMap = new HashMap<>();

    /** The answer to a question that is at most a second old, or a new answer. Waits while another thread makes it. */
    byte[] get(final String question, final long nowNs, final Maker maker) throws HttpError
    {
        final Answer made = new Answer(nowNs, new CompletableFuture<>());
        final Answer shared = share(question, made);
        if (shared != made)
        {
            final byte[] bytes = Reports.get(shared.bytes);
            // It could not be made: this asker learns why by itself.
            return null == bytes ? maker.make() : bytes;
        }
        byte[] bytes = null;
        try
        {
            bytes = maker.make();
            return bytes;
        }
        finally
        {
            made.bytes.complete(bytes);
            if (null == bytes)
            {
                forget(question, made);
            }
        }
    }

    /** Forget all answers: an operation has changed their content. */
    synchronized void forget()
    {
        answerByQuestionMap.clear();
    }

    private synchronized Answer share(final String question, final Answer made)
    {
        answerByQuestionMap.values().removeIf((answer) -> made.nowNs - answer.nowNs > FRESH_NS);
        final Answer shared = answerByQuestionMap.get(question);
        if (null == shared && answerByQuestionMap.size() < LIMIT)
        {
            answerByQuestionMap.put(question, made);
        }
        return null == shared ? made : shared;
    }

    private synchronized void forget(final String question, final Answer made)
    {
        answerByQuestionMap.remove(question, made);
    }
}
