package io.escapement.engine.internal.edge;

import java.util.function.BooleanSupplier;

/** The opening of a room by the application. The edge writes its outcome, any thread reads it. */
public final class RoomOpening
{
    /** Of a room. */
    public enum Outcome
    {
        /** Its loop has not run the command yet. */
        OPENING,
        /** It has opened. */
        OPENED,
        /** Its loop did not open it. */
        REFUSED,
        /** The engine stopped, or another node became the leader, before the loop was known to have opened it. */
        LOST
    }

    private final BooleanSupplier isOver;
    private volatile Outcome outcome = Outcome.OPENING;

    RoomOpening(final BooleanSupplier isOver)
    {
        this.isOver = isOver;
    }

    /** The outcome so far. */
    public Outcome outcome()
    {
        final Outcome known = outcome;
        return Outcome.OPENING == known && isOver.getAsBoolean() ? Outcome.LOST : known;
    }

    void outcome(final Outcome value)
    {
        outcome = value;
    }
}
