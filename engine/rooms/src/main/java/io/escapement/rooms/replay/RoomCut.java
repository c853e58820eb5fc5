package io.escapement.rooms.replay;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogHeader;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.output.RecordSink;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;

/**
 * Cuts the log of one room out of the log of its host. The whole log is replayed and compared with its hashes; beside
 * it, a second host runs only what concerns the room, and must produce the same output and state of that room. The
 * second host records: the result is an ordinary log of a host with one room, whose hashes a {@link Replay} compares.
 * Its turns are those in which the room or a command to the whole host ran, numbered from 1, at their recorded times.
 */
public final class RoomCut
{
    private final TurnLogReader log;
    private final long roomId;
    private final RoomOutputHash wholeOutput;
    private final RoomOutputHash aloneOutput;
    private final Replay whole;
    private final RoomHost alone;
    private final TurnLogWriter writer;
    private long commands;
    private long firstDifferentTurn;
    private String difference;

    /**
     * Prepare a cut.
     *
     * @param log      of the host, from its beginning.
     * @param roomId   of the room.
     * @param contexts makes a context with the room types for each of the two hosts.
     * @param out      for the room's log.
     */
    public RoomCut(
        final TurnLogReader log, final long roomId, final Supplier<HostContext> contexts, final RecordSink out)
    {
        this.log = log;
        this.roomId = roomId;
        wholeOutput = new RoomOutputHash(roomId);
        aloneOutput = new RoomOutputHash(roomId);
        whole = new Replay(log, contexts.get().outputs(wholeOutput));
        // A room that runs alone gets what others sent to it from the log.
        final TurnLogHeader header = log.header().alone();
        writer = new TurnLogWriter(out, header);
        alone = new RoomHost(contexts.get().outputs(aloneOutput).like(header).silent().turnLog(writer));
    }

    /** Cut to the end of the log, or to the first turn that differs. */
    public RoomCut run()
    {
        return runUntil(Long.MAX_VALUE);
    }

    /**
     * Cut up to a turn, or to the first one that differs. The result is finished, unless the log is cut off or differs.
     *
     * @param lastTurn of the host's log.
     */
    public RoomCut runUntil(final long lastTurn)
    {
        while (isSame() && whole.turns() < lastTurn && whole.step() && whole.isSame())
        {
            alone.beginTurn(log.nowNs());
            commands += log.forEachCommandOf(roomId, this::onCommand);
            alone.endTurn();
            compare("output hash", wholeOutput.value(), aloneOutput.value());
            if (log.hasStateHash())
            {
                compareState();
            }
        }
        if (isSame())
        {
            compareState();
        }
        if (isSame() && !whole.isCutOff())
        {
            writer.close();
        }
        return this;
    }

    /** Number of commands to the room. With 0 nothing of the room was compared: the log does not have it. */
    public long commands()
    {
        return commands;
    }

    /** Number of the last turn of the host's log that was run. */
    public long turns()
    {
        return whole.turns();
    }

    /** Number of turns in the room's log. */
    public long ownTurns()
    {
        return alone.turn();
    }

    /** Hash of the room's state after the last turn; 0 if it is not open. */
    public long stateHash()
    {
        return alone.stateHash(roomId);
    }

    /** Whether the cut reached the end of a recording that ends in the middle. */
    public boolean isCutOff()
    {
        return whole.isCutOff();
    }

    /** Whether neither the host differed from its log, nor the room alone from the room in its host. */
    public boolean isSame()
    {
        return whole.isSame() && null == difference;
    }

    /** Number of the first turn of the host's log that differs, or 0. */
    public long firstDifferentTurn()
    {
        return whole.isSame() ? firstDifferentTurn : whole.firstDifferentTurn();
    }

    /** The difference in that turn as a line for people, or null. */
    public String difference()
    {
        return whole.isSame() ? difference : whole.difference();
    }

    private void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        alone.onCommand(buffer, offset, length);
    }

    private void compareState()
    {
        compare("state hash", whole.host().stateHash(roomId), alone.stateHash(roomId));
        alone.logStateHash();
    }

    private void compare(final String subject, final long expected, final long actual)
    {
        if (null == difference && expected != actual)
        {
            firstDifferentTurn = whole.turns();
            difference = "turn " + firstDifferentTurn + ": " + subject + " of room " + roomId + " alone is " +
                Long.toHexString(actual) + ", in its host " + Long.toHexString(expected);
        }
    }
}
