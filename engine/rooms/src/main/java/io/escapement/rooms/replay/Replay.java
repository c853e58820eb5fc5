package io.escapement.rooms.replay;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.log.TurnLogReader;
import org.agrona.DirectBuffer;

/**
 * Runs a turn log again in a host of its own and compares, turn by turn, the output and the state hashes that the log
 * holds.
 */
public final class Replay
{
    private final TurnLogReader log;
    private final RoomHost host;
    private final Check check = new Check();
    private long firstDifferentTurn;
    private String difference;
    private long turns;

    /**
     * Prepare a replay.
     *
     * @param log     to run, from its beginning.
     * @param context with the room types and the outputs; what the log's header says is taken from there.
     */
    public Replay(final TurnLogReader log, final HostContext context)
    {
        this(log, context, false);
    }

    /**
     * Prepare a replay, perhaps with another version of the logic: to see from which turn on it does something else.
     *
     * @param log                    to run, from its beginning.
     * @param context                with the room types and the outputs.
     * @param areOtherVersionsTaken  true to take room types whose version or settings are not those of the log.
     */
    public Replay(final TurnLogReader log, final HostContext context, final boolean areOtherVersionsTaken)
    {
        this.log = log;
        checkTypes(log.header(), context.header(), areOtherVersionsTaken);
        host = new RoomHost(context.like(log.header()).silent().turnLog(check));
    }

    /**
     * Run to the end of the log, or to the first turn that differs.
     *
     * @return this.
     */
    public Replay run()
    {
        return runUntil(Long.MAX_VALUE);
    }

    /**
     * Run up to a turn, or to the first one that differs.
     *
     * @param lastTurn to run.
     * @return this.
     */
    public Replay runUntil(final long lastTurn)
    {
        while (null == difference && turns < lastTurn && log.nextTurn())
        {
            turns = log.turn();
            host.beginTurn(log.nowNs());
            log.forEachCommand(this::onCommand);
            host.endTurn();
            // A log that was cut has turns in which nothing happens, and no hashes to compare.
            if (0 != log.outputHash())
            {
                compare("turn", log.turn(), host.turn());
                compare("output hash", log.outputHash(), check.outputHash);
            }
            if (log.hasStateHash())
            {
                compare("state hash", log.stateHash(), host.stateHash());
            }
        }
        return this;
    }

    /**
     * The host that runs the log.
     *
     * @return the host, between turns.
     */
    public RoomHost host()
    {
        return host;
    }

    /**
     * The last turn that was run.
     *
     * @return its number.
     */
    public long turns()
    {
        return turns;
    }

    /**
     * Whether everything was as the log says.
     *
     * @return true when no turn differed.
     */
    public boolean isSame()
    {
        return null == difference;
    }

    /**
     * The first turn that differs.
     *
     * @return its number, or 0.
     */
    public long firstDifferentTurn()
    {
        return firstDifferentTurn;
    }

    /**
     * What differs in that turn.
     *
     * @return a line for people, or null.
     */
    public String difference()
    {
        return difference;
    }

    private void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        host.onCommand(buffer, offset, length);
    }

    private void compare(final String what, final long expected, final long actual)
    {
        if (null == difference && expected != actual)
        {
            firstDifferentTurn = turns;
            difference = "turn " + turns + ": " + what + " is " + Long.toHexString(actual) +
                ", the log has " + Long.toHexString(expected);
        }
    }

    private static void checkTypes(
        final TurnLogHeader logged, final TurnLogHeader ours, final boolean areOtherVersionsTaken)
    {
        for (final TurnLogHeader.Type type : logged.types())
        {
            boolean isThere = false;
            for (final TurnLogHeader.Type own : ours.types())
            {
                isThere |= areOtherVersionsTaken ? own.typeId() == type.typeId() : own.equals(type);
            }
            if (!isThere)
            {
                throw new IllegalArgumentException("the log needs " + type + ", registered are " + ours.types());
            }
        }
    }

    /** Takes the place of a log, so that the host hashes its output. */
    private static final class Check implements TurnLog
    {
        private long outputHash;

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
}
