package io.escapement.engine.internal.loop;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * The questions of the application to rooms of one loop that have no answer. Any thread asks, the loop's thread
 * answers.
 *
 * <p>A durable room may answer a question of an earlier start of the engine, or of another node. The correlation ids of
 * each start at a random number, and an answer to an unknown id is dropped.
 */
public final class ApplicationQuestions
{
    /** Maximum number of questions without an answer. If an application has more, it does not need their answers. */
    public static final int LIMIT = 1_024;

    /** Gets the end of a question, in any thread: it must not run code of the application. */
    @FunctionalInterface
    public interface Asker
    {
        /**
         * The answer, or the reason for its absence.
         *
         * @param status 0, a code of a refusal, or of the room.
         * @param answer of the room, or empty with a code of the engine.
         */
        void onEnd(int status, byte[] answer);
    }

    private static final byte[] NOTHING = new byte[0];

    private final ConcurrentHashMap<Long, Asker> askerByIdMap = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong(new SecureRandom().nextLong());
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ReplyDecoder reply = new ReplyDecoder();
    private final RefusalDecoder refusal = new RefusalDecoder();
    private final AskDecoder ask = new AskDecoder();
    private volatile int closeCode;

    /** The correlation id of the next question. */
    public long nextId()
    {
        return lastId.incrementAndGet();
    }

    /**
     * Keep the asker of a question, before the loop gets it.
     *
     * @param id    of the question.
     * @param asker that gets its end.
     * @return 0, or the code of the refusal. The asker is then not called.
     */
    public int add(final long id, final Asker asker)
    {
        if (askerByIdMap.size() >= LIMIT)
        {
            return RefusalCode.QUEUE_FULL.value();
        }
        askerByIdMap.put(id, asker);
        // A close before the put has not seen this question. A close after it does.
        return 0 != closeCode && remove(id) ? closeCode : 0;
    }

    /**
     * Forget a question.
     *
     * @param id of the question.
     * @return whether it had no end yet. Its asker is then not called.
     */
    public boolean remove(final long id)
    {
        return null != askerByIdMap.remove(id);
    }

    /** Questions without an answer. */
    public int size()
    {
        return askerByIdMap.size();
    }

    /**
     * End all questions, and refuse others from now on.
     *
     * @param code of the reason.
     */
    public void close(final int code)
    {
        closeCode = code;
        endAll(code);
    }

    /** End all questions, because their commands may not run. */
    void endAll(final int code)
    {
        for (final Long id : askerByIdMap.keySet())
        {
            end(id, code, NOTHING);
        }
    }

    /** A room, or its loop, answered by a Reply or a Refusal. In the loop's thread. */
    void onAnswer(final DirectBuffer buffer, final int offset)
    {
        switch (SchemaRules.templateId(buffer, offset))
        {
            case ReplyDecoder.TEMPLATE_ID ->
            {
                reply.wrapAndApplyHeader(buffer, offset, header);
                final long id = reply.correlationId();
                final int status = reply.status();
                final byte[] answer = new byte[reply.payloadLength()];
                reply.getPayload(answer, 0, answer.length);
                end(id, status, answer);
            }
            case RefusalDecoder.TEMPLATE_ID ->
            {
                refusal.wrapAndApplyHeader(buffer, offset, header);
                end(refusal.correlationId(), refusal.codeRaw(), NOTHING);
            }
            default -> throw new IllegalStateException(
                "no answer to the application: template " + SchemaRules.templateId(buffer, offset));
        }
    }

    /**
     * A command was dropped. If it was a question of the application, the question ends without an answer. In the
     * loop's thread.
     */
    void onDropped(final DirectBuffer buffer, final int offset, final int code)
    {
        if (AskDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset))
        {
            ask.wrapAndApplyHeader(buffer, offset, header);
            if (0 == ask.fromRoomId())
            {
                end(ask.correlationId(), code, NOTHING);
            }
        }
    }

    private void end(final long id, final int status, final byte[] answer)
    {
        final Asker asker = askerByIdMap.remove(id);
        if (null != asker)
        {
            asker.onEnd(status, answer);
        }
    }
}
