package io.escapement.perf.crowd;

import org.agrona.DirectBuffer;

/** A connection with its players. Answers and states go to the statistics of the bots. */
interface BotTrunk
{
    /** Ask for a seat. Returns false if the caller must retry. {@link CrowdBots#onJoined} follows. */
    boolean join(Bot bot);

    /** Send a move. Returns false under back pressure. It is sent with the next {@link BotLinks#flush()}. */
    boolean send(Bot bot, DirectBuffer buffer, int length);
}
