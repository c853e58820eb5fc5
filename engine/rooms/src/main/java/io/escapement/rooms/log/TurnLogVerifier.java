package io.escapement.rooms.log;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.LogEndDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.TurnDecoder;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.internal.records.RecordHeader;
import io.escapement.rooms.internal.records.RecordReader;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Verifies a whole turn log before any of it is used: its messages must be those that a writer writes, in the same
 * order. {@link RecordReader} verifies the checksums of the records.
 */
final class TurnLogVerifier
{
    private final RecordReader records;
    private final DirectBuffer buffer;
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final TurnDecoder turnDecoder = new TurnDecoder();
    private final StateHashDecoder stateHashDecoder = new StateHashDecoder();
    private final LogEndDecoder logEndDecoder = new LogEndDecoder();
    private final ReloadDecoder reload = new ReloadDecoder();
    private final List<TurnLogReader.Reload> reloads = new ArrayList<>();
    private TurnLogHeader header;
    private long turnCount;
    private long turn;
    private long nowNs = Long.MIN_VALUE;
    private boolean stateHashMayFollow;

    TurnLogVerifier(final RecordReader records)
    {
        this.records = records;
        this.buffer = records.buffer();
    }

    /** Read the log to its end. */
    void verify()
    {
        verifyHeader();

        while (records.next())
        {
            switch (records.kind())
            {
                case TurnDecoder.TEMPLATE_ID -> verifyTurn();
                case StateHashDecoder.TEMPLATE_ID -> verifyStateHash();
                default -> throw damaged("a record of kind " + records.kind() + " cannot be here");
            }
        }

        if (records.ended())
        {
            verifyEnd();
        }
    }

    TurnLogHeader header()
    {
        return header;
    }

    long turnCount()
    {
        return turnCount;
    }

    /** In the order of the log, each version once. */
    List<TurnLogReader.Reload> reloads()
    {
        return reloads;
    }

    private void verifyHeader()
    {
        if (!records.next())
        {
            throw damaged("no header");
        }

        if (LogHeaderDecoder.TEMPLATE_ID != records.kind())
        {
            throw damaged("a record of kind " + records.kind() + " cannot be here");
        }

        verifyMessage(LogHeaderDecoder.TEMPLATE_ID, records.bodyLength());
        try
        {
            header = TurnLogHeader.decode(buffer, records.bodyOffset());
        }
        catch (final IllegalArgumentException ex)
        {
            throw damaged(ex.getMessage());
        }
    }

    private void verifyTurn()
    {
        // The commands that follow the message are not part of it.
        verifyMessage(TurnDecoder.TEMPLATE_ID, Math.min(TurnLogs.TURN_LENGTH, records.bodyLength()));
        turnDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);

        final long nextTurn = turnDecoder.turn();
        if (0 == turnCount ? nextTurn < 1 : nextTurn != turn + 1)
        {
            throw damaged("turn " + nextTurn + " cannot follow turn " + turn);
        }

        final long nextNowNs = turnDecoder.nowNs();
        if (nextNowNs < nowNs)
        {
            throw damaged("time of turn " + nextTurn + " goes back from " + nowNs + " to " + nextNowNs);
        }

        turn = nextTurn;
        nowNs = nextNowNs;
        turnCount++;
        stateHashMayFollow = true;
        verifyCommands(turnDecoder.commandCount());
    }

    private void verifyCommands(final int commandCount)
    {
        final int end = records.bodyOffset() + records.bodyLength();
        int index = records.bodyOffset() + TurnLogs.TURN_LENGTH;
        if (commandCount < 0 || commandCount > (end - index) / Long.BYTES)
        {
            throw damaged("command count " + commandCount);
        }

        boolean failureMayFollow = true;
        for (int i = 0; i < commandCount; i++)
        {
            require(end - index >= Integer.BYTES, "fewer commands than their count");
            final int length = buffer.getInt(index, LITTLE_ENDIAN);
            final int offset = index + Integer.BYTES;
            if (length < MessageHeaderDecoder.ENCODED_LENGTH || length > end - offset)
            {
                throw damaged(index, "length " + length + " of command " + i + " of turn " + turn);
            }

            final int next = index + TurnLogs.entryLength(length);
            if (next > end)
            {
                throw damaged(index, "padding of command " + i + " of turn " + turn);
            }

            verifyPadding(offset + length, next);
            final boolean isFailure = FailedAtDecoder.TEMPLATE_ID == verifyCommand(offset, length, i);
            if (isFailure && !failureMayFollow)
            {
                throw damaged(index, "FailedAt after another command in turn " + turn);
            }

            failureMayFollow = isFailure;
            index = next;
        }

        require(index == end, "bytes after the commands of the turn");
    }

    private int verifyCommand(final int offset, final int length, final int ordinal)
    {
        final int code = RoomCommands.validateCommand(buffer, offset, length);
        if (0 != code)
        {
            throw damaged(offset, "command " + ordinal + " of turn " + turn + " is refused: " + Codes.nameOf(code));
        }

        final int templateId = TurnLogs.templateId(buffer, offset);
        if (ReloadDecoder.TEMPLATE_ID == templateId)
        {
            noteReload(offset);
        }
        return templateId;
    }

    private void noteReload(final int offset)
    {
        reload.wrapAndApplyHeader(buffer, offset, headerDecoder);
        for (final TurnLogReader.Reload other : reloads)
        {
            if (other.typeId() == reload.typeId() && other.version() == reload.toVersion())
            {
                return;
            }
        }
        reloads.add(new TurnLogReader.Reload(turn, reload.typeId(), reload.toVersion()));
    }

    private void verifyPadding(final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            if (0 != buffer.getByte(i))
            {
                throw damaged(i, "padding of a command is not zero");
            }
        }
    }

    private void verifyStateHash()
    {
        verifyMessage(StateHashDecoder.TEMPLATE_ID, records.bodyLength());
        stateHashDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);
        require(stateHashMayFollow && turn == stateHashDecoder.turn(), "the state hash is not of the last turn");
        stateHashMayFollow = false;
    }

    private void verifyEnd()
    {
        verifyMessage(LogEndDecoder.TEMPLATE_ID, records.bodyLength());
        logEndDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);
        if (turnCount != logEndDecoder.turns())
        {
            throw damaged("the end record counts " + logEndDecoder.turns() + " turns, the log has " + turnCount);
        }
    }

    private void verifyMessage(final int templateId, final int length)
    {
        final int code = RoomCommands.validateLogRecord(buffer, records.bodyOffset(), length);
        if (0 != code)
        {
            throw damaged(RefusalCode.UNKNOWN_VERSION.value() == code ?
                "it is of version " + SchemaRules.version(buffer, records.bodyOffset()) +
                " of room.xml, this build reads version " + TurnDecoder.SCHEMA_VERSION :
                "message is refused: " + Codes.nameOf(code));
        }

        require(
            templateId == TurnLogs.templateId(buffer, records.bodyOffset()),
            "the message has a template that cannot be here");
    }

    private void require(final boolean holds, final String reason)
    {
        if (!holds)
        {
            throw damaged(reason);
        }
    }

    private DamagedRecordException damaged(final String reason)
    {
        return new DamagedRecordException(records.recordOffset(), reason);
    }

    private DamagedRecordException damaged(final int index, final String reason)
    {
        final int recordIndex = records.bodyOffset() - RecordHeader.LENGTH;
        return new DamagedRecordException(records.recordOffset() + index - recordIndex, reason);
    }
}
