package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.RefusalCode;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads a proposal in place. {@link #wrap} verifies its layout and reads no byte outside it. The host that runs the
 * commands validates them. One thread, no allocation.
 */
public final class ProposalReader
{
    /** Length of the Proposal message that precedes the commands. */
    public static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + ProposalDecoder.BLOCK_LENGTH;

    static final int CHECK_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH + ProposalDecoder.checkEncodingOffset();

    private static final int NONE = RefusalCode.NONE.value();
    private static final int TOO_SHORT = RefusalCode.TOO_SHORT.value();
    private static final int TOO_LONG = RefusalCode.TOO_LONG.value();
    private static final int BAD_VALUE = RefusalCode.BAD_VALUE.value();
    private static final int TRAILING_BYTES = RefusalCode.TRAILING_BYTES.value();
    private static final int UNKNOWN_TEMPLATE = RefusalCode.UNKNOWN_TEMPLATE.value();

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ProposalDecoder proposal = new ProposalDecoder();
    private final RecordChecksum checksum = new RecordChecksum();
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private int length;
    private int next;
    private int marked;
    private int offset;
    private int commandLength;

    /**
     * Length of a command's entry: its length field, the command and its padding.
     *
     * @param commandLength in bytes.
     */
    public static int entryLength(final int commandLength)
    {
        return BitUtil.align(Integer.BYTES + commandLength, Long.BYTES);
    }

    /**
     * Whether bytes are a proposal and not another record of a journal. Does not validate it.
     *
     * @param source   with the record.
     * @param position of its message header.
     * @param size     of the record in bytes.
     */
    public static boolean isProposal(final DirectBuffer source, final int position, final int size)
    {
        return size >= MessageHeaderDecoder.ENCODED_LENGTH &&
            ProposalDecoder.TEMPLATE_ID == SchemaRules.templateId(source, position);
    }

    /** The checksum that a proposal says it has. */
    static int check(final DirectBuffer source, final int position)
    {
        return source.getInt(position + CHECK_OFFSET, LITTLE_ENDIAN);
    }

    /** The checksum of a proposal's bytes. */
    static int computeCheck(
        final RecordChecksum checksum, final DirectBuffer source, final int position, final int size)
    {
        return checksum.ofBytesAround(source, position, size, position + CHECK_OFFSET);
    }

    /**
     * Whether the checksum of a proposal is right. For a proposal that was no record of a journal, because records are
     * checked when they are read.
     *
     * @param source   with the proposal.
     * @param position of its message header.
     * @param size     of the proposal in bytes.
     */
    public boolean isWhole(final DirectBuffer source, final int position, final int size)
    {
        return size >= HEADER_LENGTH && computeCheck(checksum, source, position, size) == check(source, position);
    }

    /**
     * Read from a proposal until the next call. Its layout is verified, but not its checksum.
     *
     * @param source   with the proposal, which must not change until the next call.
     * @param position of its message header.
     * @param size     of the proposal in bytes.
     * @return 0 when it may be read, otherwise the value of a {@link RefusalCode}.
     */
    public int wrap(final DirectBuffer source, final int position, final int size)
    {
        length = 0;
        next = 0;
        final int code = validate(source, position, size);
        if (NONE != code)
        {
            return code;
        }
        buffer.wrap(source, position, size);
        proposal.wrapAndApplyHeader(buffer, 0, header);
        final int entries = validateEntries(size);
        if (NONE == entries)
        {
            length = size;
            rewind();
        }
        return entries;
    }

    /** The loop of the turn. */
    public int loop()
    {
        return proposal.loop();
    }

    /** The incarnation that proposed it. */
    public int incarnation()
    {
        return proposal.incarnation();
    }

    /** Number of the proposal, from 1. */
    public long number()
    {
        return proposal.proposal();
    }

    /** Host time of the turn. */
    public long nowNs()
    {
        return proposal.nowNs();
    }

    /** Number of the last turn that the proposer had run; 0 before the first. */
    public long hashedTurn()
    {
        return proposal.hashedTurn();
    }

    /** Running hash of all output up to the end of that turn. */
    public long outputHash()
    {
        return proposal.outputHash();
    }

    /** How many of the commands, the first ones, rooms of the loop sent to each other. */
    public int returns()
    {
        return proposal.returns();
    }

    /** Number of commands. */
    public int commands()
    {
        return proposal.commandCount();
    }

    /** The proposal's bytes. It starts at 0. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Go to the next command. False after the last. */
    public boolean nextCommand()
    {
        if (next >= length)
        {
            return false;
        }
        commandLength = buffer.getInt(next, LITTLE_ENDIAN);
        offset = next + Integer.BYTES;
        next += entryLength(commandLength);
        return true;
    }

    /** Begin with the first command again. */
    public void rewind()
    {
        next = HEADER_LENGTH;
    }

    /** Remember the command, for {@link #reset()}. */
    public void mark()
    {
        marked = offset - Integer.BYTES;
    }

    /** Go back to the command of {@link #mark()}. */
    public void reset()
    {
        next = marked;
        nextCommand();
    }

    /** Offset of the command's message header in {@link #buffer()}. */
    public int commandOffset()
    {
        return offset;
    }

    /** Length of the command in bytes. */
    public int commandLength()
    {
        return commandLength;
    }

    private int validate(final DirectBuffer source, final int position, final int size)
    {
        if (size > ProposalWriter.MAX_LENGTH)
        {
            return TOO_LONG;
        }
        final int code = RoomCommands.validateLogRecord(source, position, Math.min(size, HEADER_LENGTH));
        if (NONE != code)
        {
            return code;
        }
        if (!isProposal(source, position, size))
        {
            return UNKNOWN_TEMPLATE;
        }
        return size > source.capacity() - position ? TOO_SHORT : NONE;
    }

    private int validateEntries(final int size)
    {
        final int count = proposal.commandCount();
        final int first = proposal.returns();
        if (count < 0 || first < 0 || first > count ||
            proposal.incarnation() < 0 || proposal.proposal() <= 0 || proposal.hashedTurn() < 0)
        {
            return BAD_VALUE;
        }
        int at = HEADER_LENGTH;
        for (int i = 0; i < count; i++)
        {
            if (size - at < Integer.BYTES)
            {
                return TOO_SHORT;
            }
            final int entry = buffer.getInt(at, LITTLE_ENDIAN);
            if (entry < MessageHeaderDecoder.ENCODED_LENGTH || entry > RoomCommands.MAX_COMMAND_LENGTH)
            {
                return BAD_VALUE;
            }
            final int end = at + entryLength(entry);
            if (end > size)
            {
                return TOO_SHORT;
            }
            if (!isZeroPadded(at + Integer.BYTES + entry, end))
            {
                return BAD_VALUE;
            }
            at = end;
        }
        return at == size ? NONE : TRAILING_BYTES;
    }

    /** Whether the last bytes of an entry, fewer than eight, are zero. */
    private boolean isZeroPadded(final int from, final int to)
    {
        final int before = Long.BYTES - (to - from);
        return from == to || 0 == buffer.getLong(to - Long.BYTES, LITTLE_ENDIAN) >>> Byte.SIZE * before;
    }
}
