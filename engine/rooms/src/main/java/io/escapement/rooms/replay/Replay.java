package io.escapement.rooms.replay;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.log.TurnLogReader;
import java.util.List;

/** Runs a turn log in a new host, and compares the output hash and the state hash of each turn with the log. */
public final class Replay
{
    private final TurnLogReader log;
    private final RoomHost host;
    private final LoggedTurns loggedTurns;
    private long firstDifferentTurn;
    private String difference;
    private long turns;
    private long compared;
    private boolean isAtEnd;

    /**
     * Prepare a replay.
     *
     * @param log     to run, from its beginning.
     * @param context with the room types and the outputs; limits are taken from the log's header.
     */
    public Replay(final TurnLogReader log, final HostContext context)
    {
        this(log, context, false);
    }

    /**
     * Prepare a replay, possibly with another version of the logic, to find the first turn in which it differs.
     *
     * @param log                     to run, from its beginning.
     * @param context                 with the room types and the outputs.
     * @param areOtherVersionsAllowed true to accept room types whose version or settings differ from the log's.
     */
    public Replay(final TurnLogReader log, final HostContext context, final boolean areOtherVersionsAllowed)
    {
        this.log = log;
        checkTypes(log, context, areOtherVersionsAllowed);
        host = new RoomHost(context.like(log.header()).silent().turnLog(TurnLog.NOTHING));
        loggedTurns = new LoggedTurns(host);
    }

    /**
     * Run the turn to which a log points in a host that has run all turns before.
     *
     * @param log  with the turn.
     * @param host that runs it.
     * @return null, or how the commands that rooms of the host have sent each other differ from those in the log.
     */
    public static String runTurn(final TurnLogReader log, final RoomHost host)
    {
        return new LoggedTurns(host).run(log);
    }

    /** Run to the end of the log, or to the first turn that differs. */
    public Replay run()
    {
        return runUntil(Long.MAX_VALUE);
    }

    /**
     * Run up to a turn, or to the first one that differs.
     *
     * @param lastTurn to run.
     */
    public Replay runUntil(final long lastTurn)
    {
        while (null == difference && turns < lastTurn && step())
        {
            // Each step compares.
        }
        return this;
    }

    /** Run the next turn, to which the log then points; false at the end of the log. */
    boolean step()
    {
        if (!log.nextTurn())
        {
            isAtEnd = true;
            return false;
        }

        turns = log.turn();
        final String otherReturns = loggedTurns.run(log);
        if (null != otherReturns)
        {
            differ(otherReturns);
        }
        compare("turn", log.turn(), host.turn());
        compare("output hash", log.outputHash(), host.outputHash());
        if (log.hasStateHash())
        {
            compare("state hash", log.stateHash(), host.stateHash());
        }
        compared++;
        return true;
    }

    /** The host that runs the log. Use it between turns. */
    public RoomHost host()
    {
        return host;
    }

    /** Number of the last turn that was run. */
    public long turns()
    {
        return turns;
    }

    /** Number of turns that were compared with the log. With 0, {@link #isSame()} is no result. */
    public long compared()
    {
        return compared;
    }

    /**
     * Whether the replay reached the end of a recording that ends in the middle: its process was killed, or its
     * recorder could not keep up. All turns that were recorded have been compared.
     */
    public boolean isCutOff()
    {
        return isAtEnd && !log.finished();
    }

    /** Whether no turn has differed so far. */
    public boolean isSame()
    {
        return null == difference;
    }

    /** Number of the first turn that differs, or 0. */
    public long firstDifferentTurn()
    {
        return firstDifferentTurn;
    }

    /** The difference in that turn as a line for people, or null. */
    public String difference()
    {
        return difference;
    }

    private void compare(final String subject, final long expected, final long actual)
    {
        if (expected != actual)
        {
            differ(subject + " is " + Long.toHexString(actual) + ", the log has " + Long.toHexString(expected));
        }
    }

    private void differ(final String reason)
    {
        if (null == difference)
        {
            firstDifferentTurn = turns;
            difference = "turn " + turns + ": " + reason;
        }
    }

    private static void checkTypes(
        final TurnLogReader log, final HostContext context, final boolean areOtherVersionsAllowed)
    {
        final List<TurnLogHeader.Type> ours = context.registered();
        for (final TurnLogHeader.Type type : log.header().types())
        {
            boolean isRegistered = false;
            for (final TurnLogHeader.Type own : ours)
            {
                isRegistered |= areOtherVersionsAllowed ? own.typeId() == type.typeId() : own.equals(type);
            }
            if (!isRegistered)
            {
                throw new IllegalArgumentException("the log needs " + type + ", registered are " + ours);
            }
        }
        for (final TurnLogReader.Reload reload : log.reloads())
        {
            if (!areOtherVersionsAllowed && !context.isRegistered(reload.typeId(), reload.version()))
            {
                throw new IllegalArgumentException("turn " + reload.turn() + " of the log reloads room type " +
                    reload.typeId() + " to version " + reload.version() + ", registered are " + ours);
            }
        }
    }
}
