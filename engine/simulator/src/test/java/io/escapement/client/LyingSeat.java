package io.escapement.client;

/** Makes an honest client lie about the sequence of its messages. */
public final class LyingSeat
{
    private LyingSeat()
    {
    }

    /**
     * A copy of a seat with another sequence.
     *
     * @param seat     that is present.
     * @param sequence after which the next message is numbered.
     * @return a seat to send from.
     */
    public static ClientSeat of(final ClientSeat seat, final long sequence)
    {
        final ClientSeat copy =
            new ClientSeat(seat.roomId(), seat.loop(), seat.index(), seat.generation(), seat.playerId());
        copy.present(sequence);
        return copy;
    }
}
