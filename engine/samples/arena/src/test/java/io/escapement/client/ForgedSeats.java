package io.escapement.client;

import io.escapement.codecs.TrunkMessages;

/** Seats that no engine gave: what a trunk can send that was not written with {@link TrunkClient}'s care. */
public final class ForgedSeats
{
    private ForgedSeats()
    {
    }

    /**
     * A seat by its numbers.
     *
     * @param roomId     of any room.
     * @param index      of any seat.
     * @param generation of any of its holders.
     * @param sequence   that the next message goes on from.
     * @return a seat that can be sent from and left.
     */
    public static ClientSeat of(final long roomId, final int index, final int generation, final long sequence)
    {
        final ClientSeat seat = new ClientSeat(roomId, TrunkMessages.loopOf(roomId), index, generation, 0);
        seat.present(sequence);
        return seat;
    }

    /** As when the trunk is lost. */
    public static void away(final ClientSeat seat)
    {
        seat.away();
    }
}
