package io.escapement.rooms.replay;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.HostResumedDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.codecs.room.TakenDecoder;
import io.escapement.rooms.log.ProposalReader;
import org.agrona.DirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Finds in the turns of a host the commands to a room and the commands to the whole host. */
final class RoomTurns
{
    private static final String ROOM_ID = "roomId";
    private static final int NONE = RefusalCode.NONE.value();

    /** Takes the commands. */
    @FunctionalInterface
    interface Target
    {
        /** A command, as a room without the others receives it. */
        void add(DirectBuffer buffer, int offset, int length);
    }

    private RoomTurns()
    {
    }

    /**
     * Hand on the commands of a turn.
     *
     * @return how many are to the room.
     */
    static int gather(final ProposalReader turn, final long roomId, final Target target)
    {
        int count = 0;
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
                target.add(turn.buffer(), offset, turn.commandOffset() + turn.commandLength() - offset);
                count += isOwn ? 1 : 0;
            }
        }
        return count;
    }

    /** Whether a proposal starts its incarnation. */
    static boolean beginsIncarnation(final ProposalReader turn)
    {
        final HostResumedDecoder resumed = resumed(turn);
        return null != resumed && turn.incarnation() == resumed.incarnation();
    }

    /** The HostResumed at the start of a turn, or null. */
    static HostResumedDecoder resumed(final ProposalReader turn)
    {
        HostResumedDecoder resumed = null;
        turn.rewind();
        if (0 == turn.returns() && turn.nextCommand() &&
            NONE == RoomCommands.validateCommand(turn.buffer(), turn.commandOffset(), turn.commandLength()) &&
            HostResumedDecoder.TEMPLATE_ID == SchemaRules.templateId(turn.buffer(), turn.commandOffset()))
        {
            resumed = new HostResumedDecoder().wrapAndApplyHeader(
                turn.buffer(), turn.commandOffset(), new MessageHeaderDecoder());
        }
        turn.rewind();
        return resumed;
    }

    /** Whether a command is to a room. Then the command starts with the room's id. */
    static boolean isTo(final long roomId, final DirectBuffer buffer, final int offset)
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
}
