package io.escapement.arena.bots;

import java.util.function.LongConsumer;

/**
 * Checks that each message of a player reaches its room exactly once, even when the room's server is killed. A Pong
 * contains the number of messages that the room has had from the player. That number is part of the room's state, and
 * the Ping was the message with that sequence.
 */
final class DeliveryCheck
{
    /** Pings without an answer, of a player who sends one Ping per second. Answers of a killed server never arrive. */
    private static final int OPEN_LIMIT = 64;

    private final LongConsumer delivered;
    private final long[] stamps = new long[OPEN_LIMIT];
    private final long[] sequences = new long[OPEN_LIMIT];
    private long sent;
    private long answered;
    /** Difference of the room's number to the client's, from counted faults and from refused messages. */
    private long difference;
    private boolean isRefused;

    /** @param delivered receives how many messages more a room has had than were sent since the last Pong, or less. */
    DeliveryCheck(final LongConsumer delivered)
    {
        this.delivered = delivered;
    }

    /** The player has another seat. */
    void onSeat()
    {
        answered = sent;
        difference = 0;
        isRefused = false;
    }

    /**
     * A Ping was sent.
     *
     * @param stamp    of the Ping, greater than the last Ping's.
     * @param sequence of the message.
     */
    void onPing(final long stamp, final long sequence)
    {
        final int index = (int)(sent % OPEN_LIMIT);
        stamps[index] = stamp;
        sequences[index] = sequence;
        sent++;
        answered = Math.max(answered, sent - OPEN_LIMIT);
    }

    /** The server refused a message, so that the room has had one less. */
    void onRefused()
    {
        isRefused = true;
    }

    /**
     * A Pong arrived.
     *
     * @param stamp of its Ping.
     * @param count of the messages that the room has had.
     */
    void onPong(final long stamp, final long count)
    {
        while (answered < sent && stamps[(int)(answered % OPEN_LIMIT)] < stamp)
        {
            answered++;
        }
        final int index = (int)(answered % OPEN_LIMIT);
        if (answered == sent || stamps[index] != stamp)
        {
            return;
        }
        answered++;
        final long more = count - sequences[index] - difference;
        difference += more;
        if (!isRefused)
        {
            delivered.accept(more);
        }
        isRefused = false;
    }
}
