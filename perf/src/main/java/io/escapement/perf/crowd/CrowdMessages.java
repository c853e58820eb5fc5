package io.escapement.perf.crowd;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Moves and states as bytes. A move returns to its player unchanged, as the answer. */
final class CrowdMessages
{
    static final int MOVE_LENGTH = 16;
    /** Where a move has its number. */
    static final int NUMBER = 8;

    private static final int PLANNED = 0;
    private static final int PLAYER = 12;
    private static final int STATE_NUMBER = 0;
    private static final int IS_MEASURED = 8;
    private static final int SEATS = 12;
    private static final int TIME = 16;
    private static final int LAST_MOVES = 24;

    private static final UnsafeBuffer MEASURING = new UnsafeBuffer(new byte[]{1});
    private static final UnsafeBuffer NOT_MEASURING = new UnsafeBuffer(new byte[]{0});

    private CrowdMessages()
    {
    }

    /** Write a move. Returns its contribution to the checksum. */
    static long move(final MutableDirectBuffer buffer, final long plannedNs, final int number, final int player)
    {
        buffer.putLong(PLANNED, plannedNs);
        buffer.putInt(NUMBER, number);
        buffer.putInt(PLAYER, player);
        return checksum(plannedNs, number, player);
    }

    /** The signal by which rooms start and stop marking their states as measured. */
    static DirectBuffer measuring(final boolean isMeasuring)
    {
        return isMeasuring ? MEASURING : NOT_MEASURING;
    }

    static boolean isMeasuring(final DirectBuffer signal, final int offset)
    {
        return 0 != signal.getByte(offset);
    }

    static long checksum(final long plannedNs, final int number, final int player)
    {
        return (plannedNs ^ player) * 31 + number;
    }

    static long plannedNs(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + PLANNED);
    }

    static int number(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + NUMBER);
    }

    static int player(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + PLAYER);
    }

    /** The last bytes of a state are the complement of its number. */
    static int minStateLength(final int seats)
    {
        return LAST_MOVES + seats * Integer.BYTES + Long.BYTES;
    }

    static void state(
        final MutableDirectBuffer buffer, final int length, final long number, final boolean isMeasured,
        final int seats, final long nowNs)
    {
        buffer.putLong(TIME, nowNs);
        buffer.putLong(STATE_NUMBER, number);
        buffer.putInt(IS_MEASURED, isMeasured ? 1 : 0);
        buffer.putInt(SEATS, seats);
        buffer.putLong(length - Long.BYTES, ~number);
    }

    static void lastMove(final MutableDirectBuffer buffer, final int seat, final int number)
    {
        buffer.putInt(LAST_MOVES + seat * Integer.BYTES, number);
    }

    static boolean isWholeState(final DirectBuffer buffer, final int offset, final int length, final int seats)
    {
        return length >= minStateLength(seats) && seats == buffer.getInt(offset + SEATS) &&
            buffer.getLong(offset + STATE_NUMBER) == ~buffer.getLong(offset + length - Long.BYTES);
    }

    static long stateNumber(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + STATE_NUMBER);
    }

    /** The time of the frame: of this host's clock, or of the room's if the room must do the same on every node. */
    static long stateNs(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + TIME);
    }

    static boolean isMeasured(final DirectBuffer buffer, final int offset)
    {
        return 0 != buffer.getInt(offset + IS_MEASURED);
    }

    static int lastMove(final DirectBuffer buffer, final int offset, final int seat)
    {
        return buffer.getInt(offset + LAST_MOVES + seat * Integer.BYTES);
    }
}
