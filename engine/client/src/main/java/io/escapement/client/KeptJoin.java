package io.escapement.client;

import org.agrona.DirectBuffer;

/** A join with its number among the client's joins, kept to be sent when its stream or its trunk has connected. */
record KeptJoin(
    long number, long requestId, long roomId, long playerId, boolean isSpectator, byte[] token, DirectBuffer args)
{
}
