package io.escapement.rooms.log;

import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkStateLostDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.codecs.room.TurnDecoder;
import io.escapement.rooms.output.RecordSink;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Operations on whole turn logs, and the layout of a turn. */
public final class TurnLogs
{
    /** Length of the Turn message that precedes the commands of a turn. */
    static final int TURN_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + TurnDecoder.BLOCK_LENGTH;

    /** The most bytes that an entry adds to its command: its length field and its padding. */
    static final int ENTRY_OVERHEAD_LIMIT = Integer.BYTES + Long.BYTES - 1;

    private static final int TEMPLATE_ID_OFFSET = MessageHeaderDecoder.templateIdEncodingOffset();

    private TurnLogs()
    {
    }

    /**
     * Extract the log of one room from the log of its host. The result has the header, every turn with its number and
     * time, the commands to the room, and the commands to the whole host: LinkUp, LinkDown, LinkResumed, LinkStateLost,
     * SetRate and Drain. Output hashes become 0 and state hashes are dropped, since they cover the whole host. The
     * result of an unfinished log is unfinished.
     *
     * @param in     log of the host; it is rewound before and after.
     * @param roomId of the room.
     * @param out    for the new log.
     * @return number of commands in the new log.
     */
    public static long cut(final TurnLogReader in, final long roomId, final RecordSink out)
    {
        in.rewind();
        final TurnLogWriter writer = new TurnLogWriter(out, in.header());
        final Cutter cutter = new Cutter(writer, roomId);
        while (in.nextTurn())
        {
            writer.turnStart(in.turn(), in.nowNs());
            in.forEachCommand(cutter);
            writer.turnEnd(0);
        }

        if (in.finished())
        {
            writer.close();
        }

        in.rewind();
        return cutter.commandCount;
    }

    /** Length of a command's entry in a turn: length field, command and padding. */
    static int entryLength(final int commandLength)
    {
        return BitUtil.align(Integer.BYTES + commandLength, Long.BYTES);
    }

    static int templateId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + TEMPLATE_ID_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    /** Whether a command is to the whole host. Every other command has its room's id as its first field. */
    static boolean isHostWide(final int templateId)
    {
        return switch (templateId)
        {
            case LinkUpDecoder.TEMPLATE_ID,
                LinkDownDecoder.TEMPLATE_ID,
                LinkResumedDecoder.TEMPLATE_ID,
                LinkStateLostDecoder.TEMPLATE_ID,
                SetRateDecoder.TEMPLATE_ID,
                DrainDecoder.TEMPLATE_ID -> true;
            default -> false;
        };
    }

    private static final class Cutter implements TurnLogReader.CommandHandler
    {
        private final TurnLogWriter writer;
        private final long roomId;
        private long commandCount;

        private Cutter(final TurnLogWriter writer, final long roomId)
        {
            this.writer = writer;
            this.roomId = roomId;
        }

        @Override
        public void onCommand(final DirectBuffer buffer, final int offset, final int length)
        {
            if (isHostWide(templateId(buffer, offset)) ||
                roomId == buffer.getLong(offset + MessageHeaderDecoder.ENCODED_LENGTH, LITTLE_ENDIAN))
            {
                writer.command(buffer, offset, length);
                commandCount++;
            }
        }
    }
}
