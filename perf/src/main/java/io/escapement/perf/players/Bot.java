package io.escapement.perf.players;

import io.escapement.client.ClientSeat;

/** A player. */
final class Bot
{
    /** Its turn to send, from 0: its moves are planned that many places behind those of the first. */
    final int order;
    final long roomId;
    final BotTrunk trunk;
    ClientSeat seat;
    /** Its place in what a state tells of the last moves. */
    int seatIndex;
    /** The last move that was answered. */
    int answered;
    /** The last move that was in a state. */
    int seen;
    /** When it saw a state last, 0 for not yet. */
    long stateNs;
    long stateNumber;

    Bot(final int order, final long roomId, final BotTrunk trunk)
    {
        this.order = order;
        this.roomId = roomId;
        this.trunk = trunk;
    }
}
