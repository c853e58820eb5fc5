package io.escapement.client;

import java.nio.ByteBuffer;

/**
 * What it takes to go on with a trunk from another connection, or from another process. Whoever has it and the trunk's
 * credentials has the trunk.
 *
 * @param trunkId   the trunk.
 * @param tokenHigh first half of its resume token.
 * @param tokenLow  second half of its resume token.
 */
public record ResumeTicket(long trunkId, long tokenHigh, long tokenLow)
{
    private static final int LENGTH = 3 * Long.BYTES;

    /**
     * As bytes, to keep.
     *
     * @return the bytes.
     */
    public byte[] toBytes()
    {
        return ByteBuffer.allocate(LENGTH).putLong(trunkId).putLong(tokenHigh).putLong(tokenLow).array();
    }

    /**
     * From bytes that were kept.
     *
     * @param bytes of {@link #toBytes()}.
     * @return the ticket.
     */
    public static ResumeTicket of(final byte[] bytes)
    {
        if (LENGTH != bytes.length)
        {
            throw new IllegalArgumentException("a ticket has " + LENGTH + " bytes, this has " + bytes.length);
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new ResumeTicket(buffer.getLong(), buffer.getLong(), buffer.getLong());
    }
}
