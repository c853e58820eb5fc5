package io.escapement.rooms.log;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.CloseRoomDecoder;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.JoinDecoder;
import io.escapement.codecs.room.KickDecoder;
import io.escapement.codecs.room.LeaveDecoder;
import io.escapement.codecs.room.LinkDownDecoder;
import io.escapement.codecs.room.LinkResumedDecoder;
import io.escapement.codecs.room.LinkStateLostDecoder;
import io.escapement.codecs.room.LinkUpDecoder;
import io.escapement.codecs.room.LockRoomDecoder;
import io.escapement.codecs.room.LockTypeDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.room.TakenDecoder;
import io.escapement.codecs.room.TurnDecoder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** The layout of a turn, and which rooms a command concerns. */
final class TurnLogs
{
    /** Length of the Turn message that precedes the commands of a turn. */
    static final int TURN_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + TurnDecoder.BLOCK_LENGTH;

    /** The most bytes that an entry adds to its command: its length field and its padding. */
    static final int ENTRY_OVERHEAD_LIMIT = Integer.BYTES + Long.BYTES - 1;

    private static final int TEMPLATE_ID_OFFSET = MessageHeaderDecoder.templateIdEncodingOffset();

    private TurnLogs()
    {
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

    /**
     * Whether a command is to a room. Every command begins with its room's id, except those to the whole host, Taken,
     * which concerns no room, and LoopCommand, which carries a command to a room.
     */
    static boolean isTo(final long roomId, final DirectBuffer buffer, final int offset)
    {
        return !isHostWide(buffer, offset) && TakenDecoder.TEMPLATE_ID != templateId(buffer, offset) &&
            roomId == buffer.getLong(offset + MessageHeaderDecoder.ENCODED_LENGTH, LITTLE_ENDIAN);
    }

    /** Offset of the command that a LoopCommand carries, or of the command itself if it is another. */
    static int carriedOffset(final DirectBuffer buffer, final int offset)
    {
        return LoopCommandDecoder.TEMPLATE_ID == templateId(buffer, offset) ?
            RoomCommands.carriedOffset(offset) : offset;
    }

    /** Whether a command is to the whole host, as a Reload is that names no room. */
    static boolean isHostWide(final DirectBuffer buffer, final int offset)
    {
        return switch (templateId(buffer, offset))
        {
            case ReloadDecoder.TEMPLATE_ID ->
                0 == buffer.getLong(offset + MessageHeaderDecoder.ENCODED_LENGTH, LITTLE_ENDIAN);
            case LinkUpDecoder.TEMPLATE_ID,
                LinkDownDecoder.TEMPLATE_ID,
                LinkResumedDecoder.TEMPLATE_ID,
                LinkStateLostDecoder.TEMPLATE_ID,
                SetRateDecoder.TEMPLATE_ID,
                LockTypeDecoder.TEMPLATE_ID,
                DrainDecoder.TEMPLATE_ID,
                HostResumedDecoder.TEMPLATE_ID -> true;
            case OpenRoomDecoder.TEMPLATE_ID,
                CloseRoomDecoder.TEMPLATE_ID,
                JoinDecoder.TEMPLATE_ID,
                ReserveDecoder.TEMPLATE_ID,
                LeaveDecoder.TEMPLATE_ID,
                MessageDecoder.TEMPLATE_ID,
                SignalDecoder.TEMPLATE_ID,
                ReplyDecoder.TEMPLATE_ID,
                RefusalDecoder.TEMPLATE_ID,
                StateLostDecoder.TEMPLATE_ID,
                KickDecoder.TEMPLATE_ID,
                FailedAtDecoder.TEMPLATE_ID,
                DirectoryEntryDecoder.TEMPLATE_ID,
                TakenDecoder.TEMPLATE_ID,
                LoopCommandDecoder.TEMPLATE_ID,
                SeatDownDecoder.TEMPLATE_ID,
                LockRoomDecoder.TEMPLATE_ID,
                CancelJoinDecoder.TEMPLATE_ID,
                AskDecoder.TEMPLATE_ID -> false;
            default -> throw new IllegalStateException("no command: template " + templateId(buffer, offset));
        };
    }
}
