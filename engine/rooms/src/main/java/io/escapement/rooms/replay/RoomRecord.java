package io.escapement.rooms.replay;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.RecordSink;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the log of one room in one piece: a snapshot of it, and the turns after that. */
final class RoomRecord
{
    /** Length of a turn without its commands, and of the padding of a few. */
    static final int TURN_LENGTH = LogRecords.HEADER_LENGTH + ProposalReader.HEADER_LENGTH + 64;

    private static final int DATA = MessageHeaderDecoder.ENCODED_LENGTH + MessageDecoder.BLOCK_LENGTH;
    private static final int SBE_HEADER_LENGTH = 8;

    private final LogWriter writer;
    private final RoomPast.Hiding hiding;
    private final ProposalWriter proposal;
    private final long roomId;
    private final UnsafeBuffer failed = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);

    RoomRecord(final RecordSink sink, final HostConfig config, final long roomId, final RoomPast.Hiding hiding)
    {
        writer = new LogWriter(sink, config);
        this.roomId = roomId;
        this.hiding = hiding;
        proposal = new ProposalWriter(config.loopLimits().loop());
        if (null != hiding)
        {
            writer.hashed();
        }
    }

    void begin(final byte[] snapshot)
    {
        writer.snapshot(new UnsafeBuffer(snapshot), snapshot.length);
    }

    /**
     * Add a turn that has not run, and the callback at which the room fails in it for a reason of the machine, or 0.
     */
    void add(final ProposalReader turn, final long failedCallback)
    {
        proposal.clear();
        turn.rewind();
        while (turn.nextCommand())
        {
            add(turn.buffer(), turn.commandOffset(), turn.commandLength());
        }
        turn.rewind();
        writer.append(proposal.buffer(), 0, proposal.finish(
            turn.incarnation(), turn.number(), turn.nowNs(), turn.hashedTurn(), turn.outputHash()));
        if (0 != failedCallback)
        {
            writer.append(failed, 0, proposal.failed(failed, 0, turn.number(), roomId, failedCallback));
        }
    }

    void end(final ProposalRunner room)
    {
        writer.appendHashes(room.host().turn(), room.outputHash(), room.host().stateHash());
        writer.end();
    }

    private void add(final DirectBuffer buffer, final int offset, final int length)
    {
        final int data = offset + DATA + Short.BYTES;
        if (null == hiding || MessageDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, offset) ||
            length < data - offset + SBE_HEADER_LENGTH || !hiding.isHidden(SchemaRules.templateId(buffer, data)))
        {
            proposal.add(buffer, offset, length);
            return;
        }
        final UnsafeBuffer hidden = new UnsafeBuffer(new byte[length]);
        hidden.putBytes(0, buffer, offset, length);
        hiding.hide(hidden, data - offset + SBE_HEADER_LENGTH, offset + length - data - SBE_HEADER_LENGTH);
        proposal.add(hidden, 0, length);
    }
}
