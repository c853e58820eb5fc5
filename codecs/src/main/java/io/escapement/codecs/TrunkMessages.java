package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.EventDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.KeepaliveReplyDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.LogInDecoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StateDecoder;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The rules of the trunk protocol, and the walk over a frame: one or more messages, each with its length before it in
 * two bytes.
 */
public final class TrunkMessages
{
    /** The version of the protocol that Hello names. */
    public static final int PROTOCOL_VERSION = 1;

    /** A message stands behind its length. */
    public static final int ENTRY_HEADER_LENGTH = Short.BYTES;

    /** The longest payload of Send, and the longest arguments of Join: what a slot of the ring holds. */
    public static final int MAX_PAYLOAD_LENGTH = 512;

    /** The most messages of one Send: what its group can count. */
    public static final int MAX_SEND_MESSAGES = SendDecoder.MessagesDecoder.countMaxValue();

    /** The longest message of a room: some fragments. */
    public static final int MAX_MESSAGE_LENGTH = 8 * 1_024;

    /** The longest identity in Hello: a name. */
    public static final int MAX_IDENTITY_LENGTH = 64;

    /** The longest credentials of a trunk: an HMAC, a signature or a ticket. */
    public static final int MAX_CREDENTIALS_LENGTH = 512;

    /** The longest credentials of a player: a name and a password, or a ticket. */
    public static final int MAX_LOG_IN_LENGTH = 512;

    /** The longest player token. */
    public static final int MAX_TOKEN_LENGTH = 64;

    /** Templates of loop streams, to the engine, are below this. */
    public static final int FIRST_CONTROL_REQUEST = HelloDecoder.TEMPLATE_ID;

    /** Templates of the control stream, to the engine, are below this and not below the one before. */
    public static final int FIRST_CONTROL_REPLY = ChallengeDecoder.TEMPLATE_ID;

    /** Templates of the control stream, from the engine, are below this; from here on they are of loop streams. */
    public static final int FIRST_LOOP_MESSAGE = EventDecoder.TEMPLATE_ID;

    /** Where the control stream and the loop streams stand: the control stream is the first. */
    public static final int CONTROL_STREAM_ID = 7_000;

    /** The rules of every message of the schema. */
    public static final SchemaRules RULES = rules();

    private static final int HEADER_LENGTH = 8;
    private static final int SEND_COUNT = HEADER_LENGTH + SendDecoder.BLOCK_LENGTH + Byte.BYTES;
    private static final int MAX_FRAME_LENGTH = 2 * MAX_MESSAGE_LENGTH;

    private TrunkMessages()
    {
    }

    /**
     * The stream of a loop.
     *
     * @param loop from 0.
     * @return its stream id.
     */
    public static int loopStreamId(final int loop)
    {
        return CONTROL_STREAM_ID + 1 + loop;
    }

    /**
     * The loop that a room is on.
     *
     * @param roomId of the room.
     * @return the loop.
     */
    public static int loopOf(final long roomId)
    {
        return (int)(roomId >>> 54);
    }

    /**
     * Length of the message that begins behind an entry header, or the refusal that keeps it from being read.
     *
     * @param buffer with the frame.
     * @param at     where the entry header stands.
     * @param end    of the frame.
     * @return the length of the message; below 0, the complement of a refusal code.
     */
    public static int entryLength(final DirectBuffer buffer, final int at, final int end)
    {
        if (end - at < ENTRY_HEADER_LENGTH + HEADER_LENGTH)
        {
            return ~RefusalCode.TOO_SHORT.value();
        }
        final int length = buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (length > end - at - ENTRY_HEADER_LENGTH)
        {
            return ~RefusalCode.TOO_SHORT.value();
        }
        final int code = RULES.validate(buffer, at + ENTRY_HEADER_LENGTH, length);
        return 0 == code ? length : ~code;
    }

    /**
     * As how many entries of a frame a message counts. Only for a message of a loop stream that is known to be valid.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @return the number of messages of a Send, 1 for every other.
     */
    public static int entries(final DirectBuffer buffer, final int offset)
    {
        return SendDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset) ?
            buffer.getByte(offset + SEND_COUNT) & 0xFF : 1;
    }

    private static SchemaRules rules()
    {
        final int longest = RoomCommands.MAX_COMMAND_LENGTH;
        return SchemaRules
            .of(AttachDecoder.SCHEMA_ID, 0, AttachDecoder.SCHEMA_VERSION)
            .message(AttachDecoder.TEMPLATE_ID, longest, AttachDecoder.BLOCK_LENGTH)
            .message(JoinDecoder.TEMPLATE_ID, longest, JoinDecoder.BLOCK_LENGTH)
            .data(MAX_TOKEN_LENGTH).data(MAX_PAYLOAD_LENGTH)
            .message(LeaveDecoder.TEMPLATE_ID, longest, LeaveDecoder.BLOCK_LENGTH)
            .message(SendDecoder.TEMPLATE_ID, MAX_FRAME_LENGTH, SendDecoder.BLOCK_LENGTH)
            .smallGroup(MAX_SEND_MESSAGES, SendDecoder.MessagesDecoder.sbeBlockLength()).dataInGroup(MAX_PAYLOAD_LENGTH)
            .message(HelloDecoder.TEMPLATE_ID, longest, HelloDecoder.BLOCK_LENGTH).data(MAX_IDENTITY_LENGTH)
            .message(ProofDecoder.TEMPLATE_ID, longest, ProofDecoder.BLOCK_LENGTH).data(MAX_CREDENTIALS_LENGTH)
            .message(ResumeDecoder.TEMPLATE_ID, longest, ResumeDecoder.BLOCK_LENGTH).data(MAX_CREDENTIALS_LENGTH)
            .message(LogInDecoder.TEMPLATE_ID, longest, LogInDecoder.BLOCK_LENGTH).data(MAX_LOG_IN_LENGTH)
            .message(KeepaliveDecoder.TEMPLATE_ID, longest, KeepaliveDecoder.BLOCK_LENGTH)
            .message(GoodbyeDecoder.TEMPLATE_ID, longest, GoodbyeDecoder.BLOCK_LENGTH)
            .message(ChallengeDecoder.TEMPLATE_ID, longest, ChallengeDecoder.BLOCK_LENGTH)
            .message(WelcomeDecoder.TEMPLATE_ID, longest, WelcomeDecoder.BLOCK_LENGTH)
            .message(RejectDecoder.TEMPLATE_ID, longest, RejectDecoder.BLOCK_LENGTH)
            .message(AttachedDecoder.TEMPLATE_ID, longest, AttachedDecoder.BLOCK_LENGTH)
            .message(LogInReplyDecoder.TEMPLATE_ID, longest, LogInReplyDecoder.BLOCK_LENGTH).data(MAX_TOKEN_LENGTH)
            .message(KeepaliveReplyDecoder.TEMPLATE_ID, longest, KeepaliveReplyDecoder.BLOCK_LENGTH)
            .message(EntryRefusedDecoder.TEMPLATE_ID, longest, EntryRefusedDecoder.BLOCK_LENGTH)
            .message(EventDecoder.TEMPLATE_ID, MAX_FRAME_LENGTH, EventDecoder.BLOCK_LENGTH).data(MAX_MESSAGE_LENGTH)
            .message(StateDecoder.TEMPLATE_ID, MAX_FRAME_LENGTH, StateDecoder.BLOCK_LENGTH).data(MAX_MESSAGE_LENGTH)
            .message(JoinedDecoder.TEMPLATE_ID, longest, JoinedDecoder.BLOCK_LENGTH)
            .message(SeatResumedDecoder.TEMPLATE_ID, longest, SeatResumedDecoder.BLOCK_LENGTH)
            .message(SeatAwayDecoder.TEMPLATE_ID, longest, SeatAwayDecoder.BLOCK_LENGTH)
            .message(LeftDecoder.TEMPLATE_ID, longest, LeftDecoder.BLOCK_LENGTH)
            .message(RefusedDecoder.TEMPLATE_ID, longest, RefusedDecoder.BLOCK_LENGTH)
            .build();
    }
}
