package io.escapement.rooms.scenario;

import io.escapement.rooms.log.TurnLog;
import org.agrona.DirectBuffer;

/** Makes a host hash its output, keeps the last hash, adds each to a fingerprint, and passes all on to a log. */
final class HashLog implements TurnLog
{
    final Fingerprint fingerprint = new Fingerprint();
    long outputHash;
    private final TurnLog log;
    private long turn;

    HashLog()
    {
        this(null);
    }

    HashLog(final TurnLog log)
    {
        this.log = log;
    }

    @Override
    public void turnStart(final long newTurn, final long nowNs)
    {
        turn = newTurn;
        if (null != log)
        {
            log.turnStart(newTurn, nowNs);
        }
    }

    @Override
    public void command(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != log)
        {
            log.command(buffer, offset, length);
        }
    }

    @Override
    public void failedAt(final long roomId, final long callback)
    {
        if (null != log)
        {
            log.failedAt(roomId, callback);
        }
    }

    @Override
    public void turnEnd(final long hash)
    {
        outputHash = hash;
        fingerprint.output(turn, hash);
        if (null != log)
        {
            log.turnEnd(hash);
        }
    }

    @Override
    public void stateHash(final long ofTurn, final long hash)
    {
        fingerprint.stateHash(ofTurn, hash);
        if (null != log)
        {
            log.stateHash(ofTurn, hash);
        }
    }

    @Override
    public void close()
    {
        if (null != log)
        {
            log.close();
        }
    }
}
