package io.escapement.engine.spi;

import io.escapement.codecs.room.RefusalCode;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Handles requests of rooms, in a worker thread that may block. Each worker has one instance. */
@FunctionalInterface
public interface AsyncService
{
    /** A request and the buffer for its reply. Valid only during the call. */
    interface Request
    {
        /** The room's order key. Requests with the same key are handled in order. */
        long orderKey();

        /** Buffer with the request. */
        DirectBuffer buffer();

        /** Offset of the request in its buffer. */
        int offset();

        /** Length of the request, in bytes. */
        int length();

        /** Buffer for the reply, written from offset 0. Its capacity is the maximum length of a reply. */
        MutableDirectBuffer reply();
    }

    /**
     * Handle a request. May block. After a restart or a change of the leader, requests without an answer are resent. A
     * request may therefore be handled twice: give it an idempotency key if that matters.
     *
     * @param request of a room.
     * @return length of the reply, or the complement of a status, such as {@code ~3}, for a reply without bytes.
     * @throws Exception which the room receives as {@link RefusalCode#SERVICE_FAILED}.
     */
    int onRequest(Request request) throws Exception;
}
