package io.escapement.client;

import org.agrona.DirectBuffer;

/** A join and its arguments, kept to be sent again when the trunk has connected again. */
record KeptJoin(
    long requestId, long roomId, long playerId, boolean isSpectator, byte[] token, DirectBuffer args)
{
}
