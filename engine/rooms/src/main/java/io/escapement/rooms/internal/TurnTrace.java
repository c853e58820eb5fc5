package io.escapement.rooms.internal;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.TurnLog;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;

/**
 * The numbering and recording of turns. A turn gets a number and a record only when a room or the host itself runs in
 * it; all other turns leave no trace, so that a log does not depend on how often a loop runs idle.
 */
final class TurnTrace
{
    private final HostTime time;
    private final TurnLog log;
    private final HostOutput output;
    private long turn;
    private long lastTurnNs;
    private long hashedTurn;
    private boolean isTouched;

    TurnTrace(final HostTime time, final TurnLog log, final HostOutput output)
    {
        this.time = time;
        this.log = log;
        this.output = output;
    }

    /** Begin a turn. A time before that of the last recorded turn counts as that time. */
    void begin(final long timeNs)
    {
        isTouched = false;
        time.nowNs(Math.max(timeNs, lastTurnNs));
    }

    void end()
    {
        if (isTouched && null != log)
        {
            log.turnEnd(output.hash());
        }
    }

    long turn()
    {
        return turn;
    }

    long lastTurnNs()
    {
        return lastTurnNs;
    }

    /** A room is about to run. */
    void touch()
    {
        if (!isTouched)
        {
            isTouched = true;
            turn++;
            lastTurnNs = time.nowNs();
            if (null != log)
            {
                log.turnStart(turn, lastTurnNs);
            }
        }
    }

    void record(final DirectBuffer buffer, final int offset, final int length)
    {
        touch();
        if (null != log)
        {
            log.command(buffer, offset, length);
        }
    }

    void recordFailure(final RoomIdentity room, final long callback)
    {
        if (null != log)
        {
            log.failedAt(room.roomId(), callback);
        }
    }

    /** Write the host's state hash, unless no turn has left a trace since the last one. */
    void recordStateHash(final LongSupplier stateHash)
    {
        if (null != log && turn != hashedTurn)
        {
            hashedTurn = turn;
            log.stateHash(turn, stateHash.getAsLong());
        }
    }

    long outputHash()
    {
        return output.hash();
    }

    void write(final StateWriter writer)
    {
        writer.putLong(turn);
        writer.putLong(lastTurnNs);
    }

    void read(final StateReader reader)
    {
        turn = reader.getLong();
        lastTurnNs = reader.getLong();
        Restored.check(turn >= 0 && lastTurnNs >= 0, "turn " + turn + " at " + lastTurnNs);
        // A new log has no turn yet that a hash could belong to.
        hashedTurn = turn;
    }

    void outputHash(final long value)
    {
        output.hash(value);
    }
}
