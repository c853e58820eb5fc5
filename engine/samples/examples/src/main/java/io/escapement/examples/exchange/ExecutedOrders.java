package io.escapement.examples.exchange;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/**
 * Which orders of a trader were executed, by the trader's own numbers from 1: the highest, and which numbers below it
 * in a window. A number below the window counts as executed, so that no order is executed twice.
 */
final class ExecutedOrders
{
    /** The numbers that a trader may have without an answer. */
    static final int WINDOW = Long.SIZE;

    private long last;
    /** Bit n belongs to the number that is n below the last. At first no order is to be executed. */
    private long window = -1;

    /** The highest number that was executed, or 0. */
    long last()
    {
        return last;
    }

    long window()
    {
        return window;
    }

    /** The lowest number that can be executed. */
    long lowestOpen()
    {
        return last - WINDOW + 1 + Long.numberOfLeadingZeros(~window);
    }

    /** Whether a number, from 1, was executed. */
    boolean has(final long number)
    {
        final long below = last - number;
        return below >= WINDOW || below >= 0 && 0 != (window >>> below & 1);
    }

    /** A number that was not executed is now. */
    void add(final long number)
    {
        final long above = number - last;
        if (above > 0)
        {
            set(number, (above < WINDOW ? window << above : 0) | 1);
        }
        else
        {
            window |= 1L << -above;
        }
    }

    void set(final long newLast, final long newWindow)
    {
        last = newLast;
        window = newWindow;
    }

    void write(final StateWriter state)
    {
        state.putLong(last);
        state.putLong(window);
    }

    ExecutedOrders read(final StateReader state)
    {
        set(state.getLong(), state.getLong());
        return this;
    }
}
