package io.escapement.rooms.log;

import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.LogEndDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.TurnDecoder;
import org.agrona.DirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Checks a whole turn log before anything of it is handed out. The records' checksums are the {@link RecordReader}'s;
 * here it is that the messages are what a writer writes, in the order it writes them.
 */
final class TurnLogVerifier
{
    private static final int TYPE_BLOCK_LENGTH = LogHeaderDecoder.TypesDecoder.sbeBlockLength();
    private static final int GROUP_HEAD_LENGTH = LogHeaderDecoder.TypesDecoder.sbeHeaderSize();

    private final RecordReader records;
    private final DirectBuffer buffer;
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final TurnDecoder turnDecoder = new TurnDecoder();
    private final StateHashDecoder stateHashDecoder = new StateHashDecoder();
    private final LogEndDecoder logEndDecoder = new LogEndDecoder();
    private long turnCount;
    private long turn;
    private long nowNs = Long.MIN_VALUE;
    private boolean stateHashMayFollow;

    TurnLogVerifier(final RecordReader records)
    {
        this.records = records;
        this.buffer = records.buffer();
    }

    /**
     * Reads the log to its end.
     */
    void verify()
    {
        verifyHeader();

        while (records.next())
        {
            switch (records.kind())
            {
                case TurnDecoder.TEMPLATE_ID -> verifyTurn();
                case StateHashDecoder.TEMPLATE_ID -> verifyStateHash();
                default -> throw damaged("no record of kind " + records.kind() + " can stand here");
            }
        }

        if (records.ended())
        {
            verifyEnd();
        }
    }

    long turnCount()
    {
        return turnCount;
    }

    private void verifyHeader()
    {
        if (!records.next())
        {
            throw damaged("no header");
        }

        if (LogHeaderDecoder.TEMPLATE_ID != records.kind())
        {
            throw damaged("no record of kind " + records.kind() + " can stand here");
        }

        verifyMessage(LogHeaderDecoder.TEMPLATE_ID, LogHeaderDecoder.BLOCK_LENGTH);

        final int end = records.bodyOffset() + records.bodyLength();
        final int groupOffset =
            records.bodyOffset() + MessageHeaderDecoder.ENCODED_LENGTH + LogHeaderDecoder.BLOCK_LENGTH;
        require(groupOffset + GROUP_HEAD_LENGTH <= end, "header is too short");
        final int blockLength = unsignedShort(groupOffset);
        final int typeCount = unsignedShort(groupOffset + 2);
        require(TYPE_BLOCK_LENGTH == blockLength, "block length of the types");
        require(typeCount <= TurnLogHeader.TYPE_LIMIT, "more than " + TurnLogHeader.TYPE_LIMIT + " types");

        int index = groupOffset + GROUP_HEAD_LENGTH;
        for (int i = 0; i < typeCount; i++)
        {
            index = skipName(index + TYPE_BLOCK_LENGTH, end);
        }

        index = skipName(index, end);
        require(index == end, "bytes behind the header");
    }

    private int skipName(final int index, final int end)
    {
        require(index + Short.BYTES <= end, "header is too short");
        final int length = unsignedShort(index);
        final int next = index + Short.BYTES + length;
        require(length <= TurnLogHeader.NAME_LIMIT && next <= end, "length of a name in the header");
        for (int i = index + Short.BYTES; i < next; i++)
        {
            require(buffer.getByte(i) >= 0, "name in the header is not in US-ASCII");
        }

        return next;
    }

    private void verifyTurn()
    {
        verifyMessage(TurnDecoder.TEMPLATE_ID, TurnDecoder.BLOCK_LENGTH);
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
            require(end - index >= Integer.BYTES, "fewer commands than the count says");
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
                throw damaged(index, "failure behind another command in turn " + turn);
            }

            failureMayFollow = isFailure;
            index = next;
        }

        require(index == end, "bytes behind the commands of the turn");
    }

    private int verifyCommand(final int offset, final int length, final int ordinal)
    {
        final String refusal = refusalOfCommand(offset, length);
        if (null != refusal)
        {
            throw damaged(offset, "command " + ordinal + " of turn " + turn + ": " + refusal);
        }

        return TurnLogs.templateId(buffer, offset);
    }

    private String refusalOfCommand(final int offset, final int length)
    {
        headerDecoder.wrap(buffer, offset);
        final int templateId = headerDecoder.templateId();
        final int blockLength = headerDecoder.blockLength();
        if (TurnDecoder.SCHEMA_ID != headerDecoder.schemaId())
        {
            return "schema " + headerDecoder.schemaId();
        }

        if (headerDecoder.version() > TurnDecoder.SCHEMA_VERSION)
        {
            return "version " + headerDecoder.version();
        }

        if (templateId < OpenRoomDecoder.TEMPLATE_ID || templateId > DirectoryEntryDecoder.TEMPLATE_ID)
        {
            return "template " + templateId;
        }

        if (blockLength > length - MessageHeaderDecoder.ENCODED_LENGTH ||
            blockLength < Long.BYTES && !TurnLogs.isHostWide(templateId))
        {
            return "block length " + blockLength;
        }

        return null;
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
        verifyFixedMessage(StateHashDecoder.TEMPLATE_ID, StateHashDecoder.BLOCK_LENGTH);
        stateHashDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);
        require(stateHashMayFollow && turn == stateHashDecoder.turn(), "state hash of another turn than the last");
        stateHashMayFollow = false;
    }

    private void verifyEnd()
    {
        verifyFixedMessage(LogEndDecoder.TEMPLATE_ID, LogEndDecoder.BLOCK_LENGTH);
        logEndDecoder.wrapAndApplyHeader(buffer, records.bodyOffset(), headerDecoder);
        if (turnCount != logEndDecoder.turns())
        {
            throw damaged("the end says " + logEndDecoder.turns() + " turns, the log has " + turnCount);
        }
    }

    private void verifyFixedMessage(final int templateId, final int blockLength)
    {
        verifyMessage(templateId, blockLength);
        require(
            MessageHeaderDecoder.ENCODED_LENGTH + blockLength == records.bodyLength(), "bytes behind the message");
    }

    private void verifyMessage(final int templateId, final int blockLength)
    {
        require(records.bodyLength() >= MessageHeaderDecoder.ENCODED_LENGTH + blockLength, "message is too short");
        headerDecoder.wrap(buffer, records.bodyOffset());
        require(TurnDecoder.SCHEMA_ID == headerDecoder.schemaId(), "message of another schema");
        require(headerDecoder.version() <= TurnDecoder.SCHEMA_VERSION, "message of a version that is not known");
        require(templateId == headerDecoder.templateId(), "message of another template than the record's kind");
        require(blockLength == headerDecoder.blockLength(), "block length of the message");
    }

    private int unsignedShort(final int index)
    {
        return buffer.getShort(index, LITTLE_ENDIAN) & 0xFFFF;
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
        final int recordIndex = records.bodyOffset() - RecordFrame.RECORD_HEAD_LENGTH;

        return new DamagedRecordException(records.recordOffset() + index - recordIndex, reason);
    }
}
