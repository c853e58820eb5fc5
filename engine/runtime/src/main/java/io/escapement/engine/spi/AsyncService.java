package io.escapement.engine.spi;

import io.escapement.codecs.room.RefusalCode;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** What a worker does with a request of a room. Each worker has an instance of its own, used in its thread alone. */
@FunctionalInterface
public interface AsyncService
{
    /** A request, and where its answer goes. Valid during the call alone. */
    interface Request
    {
        /**
         * Requests of one key are done in order.
         *
         * @return the key that the room gave.
         */
        long orderKey();

        /**
         * The request.
         *
         * @return buffer with its bytes.
         */
        DirectBuffer buffer();

        /**
         * Where the request begins.
         *
         * @return offset in the buffer.
         */
        int offset();

        /**
         * How long the request is.
         *
         * @return bytes.
         */
        int length();

        /**
         * Where to write the answer, from 0.
         *
         * @return a buffer as long as an answer may be.
         */
        MutableDirectBuffer reply();
    }

    /**
     * Do it. May block. What it throws is answered with {@link RefusalCode#SERVICE_FAILED}.
     *
     * @param request of a room.
     * @return the length of the answer, or a negative number: the complement of a status, without an answer.
     * @throws Exception when it cannot be done.
     */
    int onRequest(Request request) throws Exception;
}
