package io.escapement.rooms.replay;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.RecordSink;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cuts the log of one room out of the log of its host. The whole log is replayed and compared with its hashes.
 * Alongside, a second host runs only the commands that concern the room, and must produce the same output and state of
 * that room. The second host is given proposals: the result is an ordinary log of a host with one room. A
 * {@link Replay} compares its hashes. Its turns are the turns in which the room or a command to the whole host ran,
 * numbered from 1, at their times.
 */
public final class RoomCut
{
    private final long roomId;
    private final RoomOutputHash wholeOutput;
    private final RoomOutputHash aloneOutput;
    private final Replay whole;
    private final ProposalRunner alone;
    private final ProposalWriter proposal;
    private final LogWriter writer;
    private final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    private long aloneDeadlineNs;
    private long commands;
    private long firstDifferentTurn;
    private String difference;

    /**
     * Prepare a cut.
     *
     * @param log      of the host. If it starts with a snapshot, the room's log also does.
     * @param roomId   of the room.
     * @param contexts makes a context with the room types for each of the two hosts.
     * @param out      for the room's log.
     */
    public RoomCut(
        final LogSource log, final long roomId, final Supplier<HostContext> contexts, final RecordSink out)
    {
        this.roomId = roomId;
        wholeOutput = new RoomOutputHash(roomId);
        aloneOutput = new RoomOutputHash(roomId);
        whole = new Replay(log, contexts.get().outputs(wholeOutput));
        // Without the other rooms, a room gets their messages from the log.
        final HostConfig config = log.config().alone();
        final HostContext options = contexts.get().outputs(aloneOutput).like(config).silent();
        final DirectBuffer snapshot = log.snapshot();
        // The timers and frames of a snapshot are known after the first turn.
        aloneDeadlineNs = null == snapshot ? Long.MAX_VALUE : 0;
        writer = new LogWriter(out, config);
        alone = null == snapshot ?
            new ProposalRunner(options) : ProposalRunner.restoreRoom(options, roomId, snapshot);
        if (null != snapshot)
        {
            final ByteSink ofRoom = new ByteSink();
            alone.host().snapshot(ofRoom);
            writer.snapshot(ofRoom.buffer(), ofRoom.length());
        }
        proposal = new ProposalWriter(config.loopLimits().loop());
    }

    /** Cut to the end of the log, or to the first turn that differs. */
    public RoomCut run()
    {
        return runUntil(Long.MAX_VALUE);
    }

    /**
     * Cut up to a turn, or to the first differing turn. The result is finished, unless the log is cut off or differs.
     *
     * @param lastTurn of the host's log.
     */
    public RoomCut runUntil(final long lastTurn)
    {
        while (isSame() && whole.step(lastTurn))
        {
            if (whole.hasRun())
            {
                runAlone(whole.runner().proposal());
                compare("output hash", wholeOutput.value(), aloneOutput.value());
            }
            else
            {
                compareState();
            }
        }
        if (isSame())
        {
            compareState();
            writer.appendHashes(alone.host().turn(), alone.outputHash(), alone.host().stateHash());
        }
        if (isSame() && !whole.isCutOff())
        {
            writer.end();
        }
        return this;
    }

    /** Number of commands to the room. With 0 the room was not compared: the log does not have it. */
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
        return alone.host().turn();
    }

    /** Hash of the room's state after the last turn; 0 if it is not open. */
    public long stateHash()
    {
        return alone.host().stateHash(roomId);
    }

    /** Whether the cut reached the end of a recording without an end record. */
    public boolean isCutOff()
    {
        return whole.isCutOff();
    }

    /** Whether neither the host differed from its log, nor the single room from the room in its host. */
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

    private void compareState()
    {
        compare("state hash", whole.host().stateHash(roomId), alone.host().stateHash(roomId));
    }

    /** Propose what concerns the room, and run it, if there is anything or a timer or frame is due. */
    private void runAlone(final ProposalReader turn)
    {
        proposal.clear();
        commands += RoomTurns.gather(turn, roomId, proposal::add);
        final long nowNs = whole.host().nowNs();
        if (0 != proposal.commands() || nowNs >= aloneDeadlineNs)
        {
            final long number = alone.lastProposal() + 1;
            final long callback = whole.runner().failedCallback(roomId);
            final int length = proposal.finish(
                turn.incarnation(), number, nowNs, alone.host().turn(), alone.outputHash());
            writer.append(proposal.buffer(), 0, length);
            if (0 != callback)
            {
                alone.failAt(number, roomId, callback);
                writer.append(failed, 0, proposal.failed(failed, 0, number, roomId, callback));
            }
            alone.accept(proposal.buffer(), 0, length);
            alone.runCommands();
            aloneDeadlineNs = alone.endTurn();
        }
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
