package io.escapement.examples.exchange;

import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The orders of one trader, each of which is executed once whatever fails. It has no socket, thread or clock: the
 * trunk's callbacks and {@link #step} are its inputs.
 *
 * <ol>
 *   <li>An order is accepted when the engine has accepted its message and has not refused it before.</li>
 *   <li>After a return the room says which orders it executed. Of those without an answer it has executed some. The
 *       trunk resends messages that the engine has not accepted. All others are resent by their numbers.</li>
 *   <li>At most as many orders are open as the room remembers.</li>
 * </ol>
 *
 * <pre>
 *    DUE ---sent--> SENT ---accepted sequence--> accepted
 *     ^              | \----refusal------------> refused
 *     |---later------/  \---return--> DOUBTED ---executed--> accepted
 *     \---------------------not executed--------/
 * </pre>
 */
final class TraderOrders
{
    /** Sends an order. */
    @FunctionalInterface
    interface Sender
    {
        /** Returns the sequence of the message, or {@link #NOT_SENT} under back pressure. */
        long send(long number);
    }

    /** The time at which an order is planned to be sent. */
    @FunctionalInterface
    interface Plan
    {
        /** Returns a time of the clock that steps have. */
        long dueNs(long number);
    }

    static final long NOT_SENT = 0;
    static final int WINDOW = ExecutedOrders.WINDOW;
    /** After a refusal that does not last, the order waits before it is resent. */
    static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The answer to an order, as far as it is known. */
    private enum State
    {
        /** To be sent. */
        DUE,
        /** Without an answer. */
        SENT,
        /** Without an answer, which will not arrive. */
        DOUBTED,
        /** Accepted or refused. */
        DECIDED
    }

    private final Sender sender;
    private final Histogram histogram;
    private final ExecutedOrders executed = new ExecutedOrders();
    /** By number modulo the window. */
    private final State[] states = new State[WINDOW];
    private final long[] sequences = new long[WINDOW];
    private final TreeMap<Integer, Integer> refusalsByCodeMap = new TreeMap<>();
    private Plan plan;
    private long firstRecorded;
    /** The lowest undecided number, the next unsent number, and the end of the plan. */
    private long open;
    private long next;
    private long end;
    private long acceptedSequence;
    private long pausedUntilNs;
    private boolean isReconciled;
    private long accepted;
    private long acceptedAtReturn;
    private long refused;
    private long resent;

    TraderOrders(final Sender sender, final Histogram histogram)
    {
        this.sender = sender;
        this.histogram = histogram;
    }

    /**
     * Plan orders, which the room may have executed in part for a client before this.
     *
     * @param first    number.
     * @param count    of orders.
     * @param recorded number of the first order with a recorded time.
     * @param due      when each is to be sent.
     */
    void plan(final long first, final long count, final long recorded, final Plan due)
    {
        open = first;
        next = first;
        end = first + count;
        firstRecorded = recorded;
        plan = due;
    }

    /** Whether the room has reported its executed orders after the trader's return. */
    boolean isReconciled()
    {
        return isReconciled;
    }

    /** The orders that the room had executed when it said so last. */
    ExecutedOrders executed()
    {
        return executed;
    }

    /** The lowest number that is not decided. */
    long open()
    {
        return open;
    }

    boolean isDone()
    {
        return open == end;
    }

    long accepted()
    {
        return accepted;
    }

    /** Accepted orders with lost answers: the room has reported them. */
    long acceptedAtReturn()
    {
        return acceptedAtReturn;
    }

    /** Orders that were refused for good. */
    long refused()
    {
        return refused;
    }

    /** Refusals per code, including the refusals after which the order was resent. */
    TreeMap<Integer, Integer> refusalsByCodeMap()
    {
        return refusalsByCodeMap;
    }

    /** Orders that were sent and have no answer. */
    long unknown()
    {
        long count = 0;
        for (long number = open; number < next; number++)
        {
            count += State.DECIDED == state(number) ? 0 : 1;
        }
        return count;
    }

    /** How often an order was resent, not counting the trunk's resends. */
    long resent()
    {
        return resent;
    }

    /**
     * Send all due orders, as far as the window and the engine allow.
     *
     * @param nowNs the time.
     * @param limit no order from this number on is sent.
     * @return the orders that were sent.
     */
    int step(final long nowNs, final long limit)
    {
        if (!isReconciled || nowNs - pausedUntilNs < 0)
        {
            return 0;
        }
        int sent = 0;
        for (long number = open; number < next; number++)
        {
            if (State.DUE == state(number))
            {
                if (!isSent(number))
                {
                    return sent;
                }
                resent++;
                sent++;
            }
        }
        final long last = Math.min(Math.min(end, limit), open + WINDOW);
        while (next < last && nowNs - plan.dueNs(next) >= 0)
        {
            if (executed.has(next))
            {
                states[index(next++)] = State.DECIDED;
                advance();
                continue;
            }
            if (!isSent(next))
            {
                return sent;
            }
            next++;
            sent++;
        }
        return sent;
    }

    private boolean isSent(final long number)
    {
        final long sequence = sender.send(number);
        if (NOT_SENT != sequence)
        {
            states[index(number)] = State.SENT;
            sequences[index(number)] = sequence;
        }
        return NOT_SENT != sequence;
    }

    /** The engine has accepted the messages up to a sequence, after the refusals of some of them. */
    void onAccepted(final long sequence, final long nowNs)
    {
        acceptedSequence = sequence;
        for (long number = open; number < next; number++)
        {
            if (State.SENT == state(number) && sequences[index(number)] <= sequence)
            {
                accept(number, nowNs);
            }
        }
        advance();
    }

    /** The engine or the room refused a message. */
    void onRefused(final long sequence, final int code, final long nowNs)
    {
        refusalsByCodeMap.merge(code, 1, Integer::sum);
        for (long number = open; number < next; number++)
        {
            if (State.SENT == state(number) && sequences[index(number)] == sequence)
            {
                if (BookRoom.ALREADY_EXECUTED == code)
                {
                    accept(number, nowNs);
                }
                else if (isLasting(code))
                {
                    states[index(number)] = State.DECIDED;
                    refused++;
                }
                else
                {
                    states[index(number)] = State.DUE;
                    pausedUntilNs = nowNs + PAUSE_NS;
                }
            }
        }
        advance();
    }

    /**
     * A refusal by the book is final, except when its ledger lags. A refusal by the engine is not, for example because
     * of a rate.
     */
    private static boolean isLasting(final int code)
    {
        return code >= BookRoom.FIRST_APPLICATION_CODE && BookRoom.LEDGER_BEHIND != code;
    }

    /** The connection is lost. */
    void onAway()
    {
        isReconciled = false;
    }

    /**
     * The trader has a seat. {@link #onExecuted} follows.
     *
     * @param isSameSeat whether the trader had it before, so that the trunk resends messages that the engine has not
     *                   accepted.
     * @param sequence   that the engine has accepted.
     */
    void onReturned(final boolean isSameSeat, final long sequence)
    {
        isReconciled = false;
        final boolean isResending = isSameSeat && sequence >= acceptedSequence;
        acceptedSequence = sequence;
        for (long number = open; number < next; number++)
        {
            if (State.SENT == state(number) && (!isResending || sequences[index(number)] <= sequence))
            {
                states[index(number)] = State.DOUBTED;
            }
        }
    }

    /** The room reports its executed orders. */
    void onExecuted(final long last, final long window, final long nowNs)
    {
        executed.set(last, window);
        isReconciled = true;
        for (long number = open; number < next; number++)
        {
            if (State.DOUBTED == state(number))
            {
                if (executed.has(number))
                {
                    acceptedAtReturn++;
                    accept(number, nowNs);
                }
                else
                {
                    states[index(number)] = State.DUE;
                }
            }
        }
        advance();
    }

    private void accept(final long number, final long nowNs)
    {
        states[index(number)] = State.DECIDED;
        accepted++;
        if (number >= firstRecorded)
        {
            histogram.recordValue(Math.min(histogram.getHighestTrackableValue(), nowNs - plan.dueNs(number)));
        }
    }

    private void advance()
    {
        while (open < next && State.DECIDED == state(open))
        {
            open++;
        }
    }

    private State state(final long number)
    {
        return states[index(number)];
    }

    private static int index(final long number)
    {
        return (int)(number % WINDOW);
    }
}
