package io.escapement.perf.crowd;

import org.agrona.DirectBuffer;

/** A connection with its players. Answers and states go to the statistics of the bots. */
interface BotTrunk
{
    /** Ask for a seat; false if it must be tried again. {@link CrowdBots#onJoined} follows. */
    boolean join(Bot bot);

    /** Send a move; false under back pressure. It leaves with the next {@link BotLinks#flush()}. */
    boolean send(Bot bot, DirectBuffer buffer, int length);
}
