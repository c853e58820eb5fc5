package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.trunk.TrunkLayout;
import org.agrona.DirectBuffer;

/** Limits and validation of room.xml: the commands of a room host and the records of its log. */
public final class RoomCommands
{
    /** Longest command: a slot of a loop's ring. */
    public static final int MAX_COMMAND_LENGTH = 2_048;

    /** Longest payload of a message, a signal, a question or a reply: a slot without the largest block. */
    public static final int MAX_PAYLOAD_LENGTH = RoomLayout.MESSAGE_PAYLOAD_MAX_LENGTH;

    /** Longest command in a LoopCommand: a slot without its block. */
    public static final int MAX_LOOP_COMMAND_LENGTH = RoomLayout.LOOP_COMMAND_COMMAND_MAX_LENGTH;

    /** Longest arguments of OpenRoom: a page of settings. */
    public static final int MAX_OPEN_ARGS_LENGTH = RoomLayout.OPEN_ROOM_ARGS_MAX_LENGTH;

    /** Longest arguments of Join: a name, a team, a ticket. */
    public static final int MAX_JOIN_ARGS_LENGTH = RoomLayout.JOIN_ARGS_MAX_LENGTH;

    /** Longest bytes of a room's logic in Joined: a team, a name, settings. */
    public static final int MAX_JOIN_ANSWER_LENGTH = TrunkLayout.JOINED_ANSWER_MAX_LENGTH;

    /** Longest value of a label: it is shown in a list. */
    public static final int MAX_LABEL_LENGTH = RoomLayout.DIRECTORY_ENTRY_VALUE_MAX_LENGTH;

    /** The duration of a Reserve that releases the seat. */
    public static final long RELEASE = 0;

    /** Most room types in a log's header. */
    public static final int MAX_LOG_TYPES = RoomLayout.LOG_HEADER_TYPES_MAX_COUNT;

    /** Longest name of a room type. */
    public static final int MAX_TYPE_NAME_LENGTH = RoomLayout.LOG_HEADER_TYPES_NAME_MAX_LENGTH;

    /** Longest name of a build. */
    public static final int MAX_BUILD_LENGTH = RoomLayout.LOG_HEADER_BUILD_MAX_LENGTH;

    /** Commands have template ids below this. */
    public static final int FIRST_REQUEST_TEMPLATE_ID = SubscribeDecoder.TEMPLATE_ID;

    /** Records of the log have this template id or a higher one. */
    public static final int FIRST_LOG_TEMPLATE_ID = LogHeaderDecoder.TEMPLATE_ID;

    private static final int CARRIED_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH + LoopCommandDecoder.BLOCK_LENGTH +
        LoopCommandDecoder.commandHeaderLength();

    private static final int NOT_A_COMMAND = RefusalCode.NOT_A_COMMAND.value();

    private RoomCommands()
    {
    }

    /**
     * Validate a command before it is decoded.
     *
     * @param buffer with the command.
     * @param offset of its header.
     * @param length of the whole command in bytes.
     * @return 0 when it may be decoded, otherwise the value of a {@link RefusalCode}.
     */
    public static int validateCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = RoomLayout.RULES.validate(buffer, offset, length);
        if (0 != code)
        {
            return code;
        }
        final int templateId = SchemaRules.templateId(buffer, offset);
        return templateId >= FIRST_REQUEST_TEMPLATE_ID ? NOT_A_COMMAND :
            LoopCommandDecoder.TEMPLATE_ID != templateId ? code : validateCarried(buffer, offset, length);
    }

    /**
     * Offset of the command that a LoopCommand carries.
     *
     * @param offset of the LoopCommand's header.
     * @return offset of the header of the carried command, which extends to the end of the LoopCommand.
     */
    public static int carriedOffset(final int offset)
    {
        return offset + CARRIED_OFFSET;
    }

    /**
     * Whether a command answers a question or another request.
     *
     * @param buffer with the command.
     * @param offset of its header.
     * @return whether it is a Reply or a Refusal.
     */
    public static boolean isAnswer(final DirectBuffer buffer, final int offset)
    {
        final int templateId = SchemaRules.templateId(buffer, offset);
        return ReplyDecoder.TEMPLATE_ID == templateId || RefusalDecoder.TEMPLATE_ID == templateId;
    }

    /** Rooms send five kinds of commands to rooms. A LoopCommand that carried any other could carry itself. */
    private static int validateCarried(final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = RoomLayout.RULES.validate(buffer, carriedOffset(offset), length - CARRIED_OFFSET);
        if (0 != code)
        {
            return code;
        }
        return switch (SchemaRules.templateId(buffer, carriedOffset(offset)))
        {
            case SignalDecoder.TEMPLATE_ID,
                ReserveDecoder.TEMPLATE_ID,
                AskDecoder.TEMPLATE_ID,
                ReplyDecoder.TEMPLATE_ID,
                RefusalDecoder.TEMPLATE_ID -> code;
            default -> NOT_A_COMMAND;
        };
    }

    /**
     * Validate a record of a log before it is decoded.
     *
     * @param buffer with the record.
     * @param offset of its header.
     * @param length of the whole record in bytes.
     * @return 0 when it may be decoded, otherwise the value of a {@link RefusalCode}.
     */
    public static int validateLogRecord(final DirectBuffer buffer, final int offset, final int length)
    {
        final int code = RoomLayout.RULES.validate(buffer, offset, length);
        return 0 == code && SchemaRules.templateId(buffer, offset) < FIRST_LOG_TEMPLATE_ID ? NOT_A_COMMAND : code;
    }
}
