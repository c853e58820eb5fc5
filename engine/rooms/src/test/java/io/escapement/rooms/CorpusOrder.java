package io.escapement.rooms;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Orders to a room of the corpus, in messages and signals: an ordinal, the bytes x and y, and two bytes z. */
enum CorpusOrder
{
    NOTHING, EVENT, STATE, CLAIM_EVENT, CLAIM_STATE, FLOOD_EVENTS, FLOOD_STATES, AFTER, EVERY, EVERY_FRAMES, CANCEL,
    RESCHEDULE, CANCEL_ALL, RATE, KICK, CLOSE, CLOSE_WHEN_EMPTY, LOCK, REFUSE, SIGNAL, ASK, ANSWER, ASYNC, OPEN_ROOM,
    RESERVE, RELEASE, RESERVE_HERE, RELEASE_HERE, LABEL, SUBSCRIBE, THROW, BOMB, DECIDE, GROUP, DATA, STEPS,
    CANCEL_STEPS, SYNC, RANDOM, WALK, STALE, KEEP_OPEN, COUNT;

    /** Length of an order in bytes. */
    static final int LENGTH = 5;

    private static final CorpusOrder[] ORDERS = values();

    static CorpusOrder at(final DirectBuffer buffer, final int offset)
    {
        return ORDERS[(buffer.getByte(offset) & 0xFF) % ORDERS.length];
    }

    static int x(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + 1) & 0xFF;
    }

    static int y(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + 2) & 0xFF;
    }

    static int z(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + 3, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    int write(final MutableDirectBuffer buffer, final int offset, final int x, final int y, final int z)
    {
        buffer.putByte(offset, (byte)ordinal());
        buffer.putByte(offset + 1, (byte)x);
        buffer.putByte(offset + 2, (byte)y);
        buffer.putShort(offset + 3, (short)z, ByteOrder.LITTLE_ENDIAN);
        return LENGTH;
    }
}
