package io.escapement.client;

import java.nio.ByteBuffer;

/**
 * Resumes a trunk from another connection or another process. Keep it secret: together with the trunk's credentials it
 * takes the trunk over.
 *
 * @param trunkId   the trunk.
 * @param tokenHigh first half of its resume token.
 * @param tokenLow  second half of its resume token.
 */
public record ResumeTicket(long trunkId, long tokenHigh, long tokenLow)
{
    private static final int LENGTH = 3 * Long.BYTES;

    /** Without the token, because the text gets into logs. */
    @Override
    public String toString()
    {
        return "ResumeTicket[trunkId=" + trunkId + "]";
    }

    /** Encode the ticket, for storage. */
    public byte[] toBytes()
    {
        return ByteBuffer.allocate(LENGTH).putLong(trunkId).putLong(tokenHigh).putLong(tokenLow).array();
    }

    /**
     * Decode a stored ticket.
     *
     * @param bytes from {@link #toBytes()}.
     */
    public static ResumeTicket of(final byte[] bytes)
    {
        if (LENGTH != bytes.length)
        {
            throw new IllegalArgumentException("a ticket has " + LENGTH + " bytes, this one " + bytes.length);
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new ResumeTicket(buffer.getLong(), buffer.getLong(), buffer.getLong());
    }
}
