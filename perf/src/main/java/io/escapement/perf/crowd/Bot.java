package io.escapement.perf.crowd;

/** A player. Its trunk and the statistics update it, in the bots' thread. */
final class Bot
{
    /** Its place in the plan, from 0: its moves are planned this many intervals after the first bot's moves. */
    final int order;
    final long roomId;
    final BotTrunk trunk;

    /** The seat as its trunk knows it. */
    Object seat;
    int seatIndex;
    /** The last move that a state showed to it, and when it saw the last state. */
    int seen;
    long stateNs;
    private int answered;
    private long stateNumber;

    Bot(final int order, final long roomId, final BotTrunk trunk)
    {
        this.order = order;
        this.roomId = roomId;
        this.trunk = trunk;
    }

    void onJoined(final int index, final Object joined)
    {
        seatIndex = index;
        seat = joined;
    }

    /** Note the answer to a move. Returns false if it is not newer than the last answer. */
    boolean onAnswer(final int number)
    {
        final boolean isNewer = number > answered;
        answered = number;
        return isNewer;
    }

    /** Note a state. Returns false if it is not newer than the last state. */
    boolean onState(final long number)
    {
        if (number <= stateNumber)
        {
            return false;
        }
        stateNumber = number;
        return true;
    }
}
