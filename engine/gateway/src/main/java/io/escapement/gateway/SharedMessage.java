package io.escapement.gateway;

import org.agrona.DirectBuffer;

/** One message for many players, encoded for the kind of their links when the first of them receives it. */
interface SharedMessage
{
    /**
     * Encode.
     *
     * @param prefix       header and block of the message.
     * @param prefixLength of it.
     * @param buffer       with the payload.
     * @param offset       of the payload.
     * @param length       of the payload.
     */
    void encode(DirectBuffer prefix, int prefixLength, DirectBuffer buffer, int offset, int length);

    /** Drop the encoded message. Links that queued it keep the bytes they need. */
    void release();
}
