package io.escapement.codecs;

import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.CancelJoinDecoder;
import io.escapement.codecs.room.CloseRoomDecoder;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.DrainDecoder;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.FailedDecoder;
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
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LoopCommandDecoder;
import io.escapement.codecs.room.MessageDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.SeatDownDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.StateHashDecoder;
import io.escapement.codecs.room.StateLostDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.codecs.room.TakenDecoder;
import org.agrona.DirectBuffer;

/** Limits and validation of room.xml: the commands of a room host and the records of its log. */
public final class RoomCommands
{
    /** Longest command: a slot of a loop's ring. */
    public static final int MAX_COMMAND_LENGTH = 2_048;

    /** Longest payload of a message, a signal, a question or a reply: what a slot leaves beside the largest block. */
    public static final int MAX_PAYLOAD_LENGTH = 1_920;

    /** Longest command in a LoopCommand: what a slot leaves beside its block. */
    public static final int MAX_LOOP_COMMAND_LENGTH = 2_016;

    /** Longest arguments of OpenRoom: a page of settings. */
    public static final int MAX_OPEN_ARGS_LENGTH = 1_024;

    /** Longest arguments of Join: a name, a team, a ticket. */
    public static final int MAX_JOIN_ARGS_LENGTH = 512;

    /** Longest bytes of a room's logic in Joined: a team, a name, settings. */
    public static final int MAX_JOIN_ANSWER_LENGTH = 512;

    /** Longest value of a label: it is shown in a list. */
    public static final int MAX_LABEL_LENGTH = 64;

    /** The duration of a Reserve that releases the seat. */
    public static final long RELEASE = 0;

    /** Most room types in a log's header. */
    public static final int MAX_LOG_TYPES = 256;

    /** Longest name of a room type. */
    public static final int MAX_TYPE_NAME_LENGTH = 64;

    /** Longest name of a build. */
    public static final int MAX_BUILD_LENGTH = 128;

    /** Commands have template ids below this. */
    public static final int FIRST_REQUEST_TEMPLATE_ID = SubscribeDecoder.TEMPLATE_ID;

    /** Records of the log have this template id or a higher one. */
    public static final int FIRST_LOG_TEMPLATE_ID = LogHeaderDecoder.TEMPLATE_ID;

    private static final int MAX_HEADER_LENGTH = 32 * 1_024;
    private static final int TYPE_BLOCK_LENGTH = 16;

    /** The layout of every message of the schema. */
    public static final SchemaRules RULES = SchemaRules
        .of(OpenRoomDecoder.SCHEMA_ID, OpenRoomDecoder.SCHEMA_VERSION)
        .message(OpenRoomDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, OpenRoomDecoder.BLOCK_LENGTH)
        .data(MAX_OPEN_ARGS_LENGTH)
        .message(CloseRoomDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, CloseRoomDecoder.BLOCK_LENGTH)
        .message(JoinDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, JoinDecoder.BLOCK_LENGTH)
        .data(MAX_JOIN_ARGS_LENGTH)
        .message(ReserveDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, ReserveDecoder.BLOCK_LENGTH)
        .message(LeaveDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LeaveDecoder.BLOCK_LENGTH)
        .message(LinkUpDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LinkUpDecoder.BLOCK_LENGTH)
        .message(LinkDownDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LinkDownDecoder.BLOCK_LENGTH)
        .message(LinkResumedDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LinkResumedDecoder.BLOCK_LENGTH)
        .message(MessageDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, MessageDecoder.BLOCK_LENGTH).data(MAX_PAYLOAD_LENGTH)
        .message(SignalDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, SignalDecoder.BLOCK_LENGTH).data(MAX_PAYLOAD_LENGTH)
        .message(ReplyDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, ReplyDecoder.BLOCK_LENGTH)
        .data(MAX_PAYLOAD_LENGTH)
        .message(RefusalDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, RefusalDecoder.BLOCK_LENGTH)
        .message(StateLostDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, StateLostDecoder.BLOCK_LENGTH)
        .message(SetRateDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, SetRateDecoder.BLOCK_LENGTH)
        .message(DrainDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, DrainDecoder.BLOCK_LENGTH)
        .message(KickDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, KickDecoder.BLOCK_LENGTH)
        .message(FailedAtDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, FailedAtDecoder.BLOCK_LENGTH)
        .message(DirectoryEntryDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, DirectoryEntryDecoder.BLOCK_LENGTH)
        .data(MAX_LABEL_LENGTH)
        .message(LinkStateLostDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LinkStateLostDecoder.BLOCK_LENGTH)
        .message(HostResumedDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, HostResumedDecoder.BLOCK_LENGTH)
        .message(TakenDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, TakenDecoder.BLOCK_LENGTH)
        .message(LoopCommandDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LoopCommandDecoder.BLOCK_LENGTH)
        .data(MAX_LOOP_COMMAND_LENGTH)
        .message(SeatDownDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, SeatDownDecoder.BLOCK_LENGTH)
        .message(ReloadDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, ReloadDecoder.BLOCK_LENGTH)
        .message(LockRoomDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LockRoomDecoder.BLOCK_LENGTH)
        .message(LockTypeDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, LockTypeDecoder.BLOCK_LENGTH)
        .message(CancelJoinDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, CancelJoinDecoder.BLOCK_LENGTH)
        .message(AskDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, AskDecoder.BLOCK_LENGTH).data(MAX_PAYLOAD_LENGTH)
        .message(SubscribeDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, SubscribeDecoder.BLOCK_LENGTH)
        .message(RequestDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, RequestDecoder.BLOCK_LENGTH).data(MAX_PAYLOAD_LENGTH)
        .message(LogHeaderDecoder.TEMPLATE_ID, MAX_HEADER_LENGTH, LogHeaderDecoder.BLOCK_LENGTH)
        .group(MAX_LOG_TYPES, TYPE_BLOCK_LENGTH).dataInGroup(MAX_TYPE_NAME_LENGTH).data(MAX_BUILD_LENGTH)
        .message(StateHashDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, StateHashDecoder.BLOCK_LENGTH)
        .message(ProposalDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, ProposalDecoder.BLOCK_LENGTH)
        .message(FailedDecoder.TEMPLATE_ID, MAX_COMMAND_LENGTH, FailedDecoder.BLOCK_LENGTH)
        .build();

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
        final int code = RULES.validate(buffer, offset, length);
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
        final int code = RULES.validate(buffer, carriedOffset(offset), length - CARRIED_OFFSET);
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
        final int code = RULES.validate(buffer, offset, length);
        return 0 == code && SchemaRules.templateId(buffer, offset) < FIRST_LOG_TEMPLATE_ID ? NOT_A_COMMAND : code;
    }
}
