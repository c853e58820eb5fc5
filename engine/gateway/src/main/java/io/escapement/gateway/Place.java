package io.escapement.gateway;

import org.agrona.concurrent.UnsafeBuffer;

/** A session's place in one room: the join under way, or the seat. */
final class Place
{
    /**
     * Transitions:
     * <pre>
     *   JOINING  Joined                                 SEATED
     *   JOINING  refused, or the player left            gone
     *   SEATED   player's connection lost               HELD, by Away to the engine
     *   SEATED   SeatAway, an event was lost            AWAY
     *   SEATED   SeatAway, the player moved; Left       gone
     *   HELD     the session is resumed                 JOINING
     *   HELD     Left, SeatAway; the session is over    gone
     *   AWAY     the player joins                       JOINING
     * </pre>
     */
    enum State
    {
        /** Join is to be sent, or has no answer yet. */
        JOINING,
        /** The player has the seat. */
        SEATED,
        /** The engine put the seat away and holds it. */
        AWAY,
        /** The player's connection was lost, and the engine holds the seat. */
        HELD
    }

    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    final PlayerSession session;
    final long roomId;
    State state = State.JOINING;
    /** Null before Joined. */
    TrunkSeat seat;
    /** Of the join on the trunk, as long as this place exists: a reconnected trunk repeats it. */
    long trunkRequestId;
    /** Of the player's Join, or 0 for a join of the gateway. */
    long requestId;
    /** Whether the player only watches. */
    boolean isSpectator;
    UnsafeBuffer args = NOTHING;
    /** The seat's last sequence when the player joined: its messages are counted from there. */
    long firstSequence;
    /** When a join that cannot be sent is given up. */
    long joinDeadlineNs;
    boolean isReturning;
    /** Whether an Away or a Leave was sent. The engine may refuse them for a time, and answers no Away it accepts. */
    boolean hasSent;
    long answerDueNs;
    /** Orders that the trunk has not taken yet, carried out in this order. */
    boolean hasAwayToSend;
    /** The engine refused an Away: it is repeated, although the seat is away here. */
    boolean isAwayRefused;
    boolean hasLeaveToSend;
    /** The player asked to leave its seat, which has not been freed yet. It does not return to it. */
    boolean isLeaving;
    /** The code with which the player leaves, or 0. */
    int leaveCode;
    /** The player left before its join was answered. */
    boolean isCancelled;
    boolean hasCancelToSend;
    boolean hasJoinToSend;
    /** Whether it is in the list of places with orders. */
    boolean isListed;
    /** The engine refused the join because the player's last seat had returned with the trunk. */
    boolean isJoinRepeated;
    /** The seat was freed or has moved while there was no connection to tell. */
    boolean isGone;
    boolean hasMoved;
    int goneReason;
    int goneCode;
    boolean hasLostState;
    long stateLostDueNs;

    Place(final PlayerSession session, final long roomId)
    {
        this.session = session;
        this.roomId = roomId;
    }

    boolean hasOrders()
    {
        return hasAwayToSend || hasLeaveToSend || hasJoinToSend || hasCancelToSend;
    }

    void sent(final long untilNs)
    {
        hasSent = true;
        answerDueNs = untilNs;
    }

    void noArgs()
    {
        args = NOTHING;
    }
}
