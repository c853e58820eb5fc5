package io.escapement.rooms.replay;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.codecs.room.TakenDecoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.RecordSink;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Cuts the log of one room out of the log of its host. The whole log is replayed and compared with its hashes; beside
 * it, a second host runs only what concerns the room, and must produce the same output and state of that room. The
 * second host is given proposals: the result is an ordinary log of a host with one room, whose hashes a {@link Replay}
 * compares. Its turns are those in which the room or a command to the whole host ran, numbered from 1, at their times.
 */
public final class RoomCut
{
    private static final String ROOM_ID = "roomId";
    private static final int NONE = RefusalCode.NONE.value();

    private final long roomId;
    private final RoomOutputHash wholeOutput;
    private final RoomOutputHash aloneOutput;
    private final Replay whole;
    private final ProposalRunner alone;
    private final ProposalWriter proposal;
    private final LogWriter writer;
    private final boolean hasLog;
    private final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    private long aloneDeadlineNs;
    private long commands;
    private long firstDifferentTurn;
    private String difference;

    /**
     * Prepare a cut.
     *
     * @param log      of the host. If it begins with a snapshot, the room does too, and no log of it is written.
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
        // A room that runs alone gets what others sent to it from the log.
        final HostConfig config = log.config().alone();
        final HostContext options = contexts.get().outputs(aloneOutput).like(config).silent();
        final DirectBuffer snapshot = log.snapshot();
        hasLog = null == snapshot;
        // The timers and frames of a snapshot are known after the first turn.
        aloneDeadlineNs = hasLog ? Long.MAX_VALUE : 0;
        writer = new LogWriter(hasLog ? out : (buffer, offset, length) -> { }, config);
        alone = hasLog ? new ProposalRunner(options) : ProposalRunner.restoreRoom(options, roomId, snapshot);
        proposal = new ProposalWriter(config.loopLimits().loop());
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

    /** Whether the room's log was written, which it is unless the host's log begins with a snapshot. */
    public boolean hasLog()
    {
        return hasLog;
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
        return alone.host().turn();
    }

    /** Hash of the room's state after the last turn; 0 if it is not open. */
    public long stateHash()
    {
        return alone.host().stateHash(roomId);
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

    private void compareState()
    {
        compare("state hash", whole.host().stateHash(roomId), alone.host().stateHash(roomId));
    }

    /** Propose what concerns the room, and run it, if there is anything or a timer or frame is due. */
    private void runAlone(final ProposalReader turn)
    {
        proposal.clear();
        turn.rewind();
        while (turn.nextCommand())
        {
            if (NONE != RoomCommands.validateCommand(turn.buffer(), turn.commandOffset(), turn.commandLength()))
            {
                // The host refuses and counts it.
                continue;
            }
            final int offset = carriedOffset(turn.buffer(), turn.commandOffset());
            final boolean isOwn = isTo(roomId, turn.buffer(), offset);
            if (isOwn || isHostWide(turn.buffer(), offset))
            {
                proposal.add(turn.buffer(), offset, turn.commandOffset() + turn.commandLength() - offset);
                commands += isOwn ? 1 : 0;
            }
        }
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

    /** Whether a command is to a room. It begins with the room's id then. */
    private static boolean isTo(final long roomId, final DirectBuffer buffer, final int offset)
    {
        return ROOM_ID.equals(RoomLayout.firstField(SchemaRules.templateId(buffer, offset))) &&
            roomId == buffer.getLong(offset + MessageHeaderDecoder.ENCODED_LENGTH, LITTLE_ENDIAN);
    }

    /** Offset of the command that a LoopCommand carries, or of the command itself if it is another. */
    private static int carriedOffset(final DirectBuffer buffer, final int offset)
    {
        return LoopCommandDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset) ?
            RoomCommands.carriedOffset(offset) : offset;
    }

    /** Whether a command is to the whole host: it names no room, or is a Reload of room 0. */
    private static boolean isHostWide(final DirectBuffer buffer, final int offset)
    {
        final int templateId = SchemaRules.templateId(buffer, offset);
        final String firstField = RoomLayout.firstField(templateId);
        if (null == firstField || templateId >= RoomCommands.FIRST_REQUEST_TEMPLATE_ID)
        {
            throw new IllegalStateException("no command: template " + templateId);
        }
        return switch (templateId)
        {
            case ReloadDecoder.TEMPLATE_ID -> isTo(0, buffer, offset);
            // Taken concerns no room, and LoopCommand carries a command to one.
            case TakenDecoder.TEMPLATE_ID, LoopCommandDecoder.TEMPLATE_ID -> false;
            default -> !ROOM_ID.equals(firstField);
        };
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
