package io.escapement.client;

/** Makes an honest client lie about the sequence of its messages. */
public final class LyingSeat
{
    private LyingSeat()
    {
    }

    /**
     * Set the sequence after which the next message of a seat is numbered.
     *
     * @param seat     that is present.
     * @param sequence any.
     */
    public static void sequence(final ClientSeat seat, final long sequence)
    {
        seat.present(sequence);
    }
}
