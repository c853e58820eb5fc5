package io.escapement.rooms.scenario;

import io.escapement.rooms.log.TurnLog;
import org.agrona.DirectBuffer;

/** Makes a host hash its output, and keeps the last hash. */
final class HashLog implements TurnLog
{
    long outputHash;

    @Override
    public void turnStart(final long turn, final long nowNs)
    {
    }

    @Override
    public void command(final DirectBuffer buffer, final int offset, final int length)
    {
    }

    @Override
    public void failedAt(final long roomId, final long callback)
    {
    }

    @Override
    public void turnEnd(final long hash)
    {
        outputHash = hash;
    }

    @Override
    public void stateHash(final long turn, final long hash)
    {
    }

    @Override
    public void close()
    {
    }
}
