package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.AttachedDecoder;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.EntryRefusedDecoder;
import io.escapement.codecs.trunk.EventDecoder;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.KeepaliveDecoder;
import io.escapement.codecs.trunk.KeepaliveReplyDecoder;
import io.escapement.codecs.trunk.LeadingDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.LogInDecoder;
import io.escapement.codecs.trunk.LogInReplyDecoder;
import io.escapement.codecs.trunk.LogInSessionDecoder;
import io.escapement.codecs.trunk.ProofDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RejectDecoder;
import io.escapement.codecs.trunk.ResumeDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StandDecoder;
import io.escapement.codecs.trunk.StandbyDecoder;
import io.escapement.codecs.trunk.StateDecoder;
import io.escapement.codecs.trunk.StateLostDecoder;
import io.escapement.codecs.trunk.WelcomeDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Limits and validation of the trunk protocol, trunk.xml, and iteration over a batch: one or more messages, each behind
 * its length in two bytes.
 */
public final class TrunkMessages
{
    /** Version of the protocol, as in Hello. */
    public static final int PROTOCOL_VERSION = 1;

    /** Length of the header of an entry: the length of its message. */
    public static final int ENTRY_HEADER_LENGTH = Short.BYTES;

    /** Longest payload of a message in Send and longest arguments of Join: they fit a slot of the ring. */
    public static final int MAX_PAYLOAD_LENGTH = 512;

    /** Most messages of one Send: its group counts them in one byte. */
    public static final int MAX_SEND_MESSAGES = SendDecoder.MessagesDecoder.countMaxValue();

    /** Longest payload of Event and State: a few fragments. */
    public static final int MAX_MESSAGE_LENGTH = 8 * 1_024;

    /** Longest identity in Hello: a name. */
    public static final int MAX_IDENTITY_LENGTH = 64;

    /** Longest credentials of a trunk: an HMAC, a signature or a ticket. */
    public static final int MAX_CREDENTIALS_LENGTH = 512;

    /** Longest credentials of a player: a name and a password, or a ticket. */
    public static final int MAX_LOG_IN_LENGTH = 512;

    /** Longest session of a player: credentials without a password. */
    public static final int MAX_SESSION_LENGTH = 128;

    /** {@code trunkId} of an Attach of a client that stands by. */
    public static final long NO_TRUNK = 0;

    /** {@code leaderMemberId} of Standby when no leader is known. */
    public static final int NO_LEADER = -1;

    /** Longest player token. */
    public static final int MAX_TOKEN_LENGTH = 64;

    /** {@code seatIndex} of a refusal that concerns no seat. */
    public static final int NO_SEAT = RefusedDecoder.seatIndexNullValue();

    /** Template ids below this go to the engine on loop streams. */
    public static final int FIRST_CONTROL_REQUEST = HelloDecoder.TEMPLATE_ID;

    /** Template ids from {@link #FIRST_CONTROL_REQUEST} to below this go to the engine on the control stream. */
    public static final int FIRST_CONTROL_REPLY = ChallengeDecoder.TEMPLATE_ID;

    /** Template ids from {@link #FIRST_CONTROL_REPLY} to below this come on the control stream, later ones on loops. */
    public static final int FIRST_LOOP_MESSAGE = EventDecoder.TEMPLATE_ID;

    /** Stream id of the control stream. The loop streams follow it. */
    public static final int CONTROL_STREAM_ID = 7_000;

    /**
     * Over shared memory a response has the stream id of its publication plus this. A driver gives a subscription there
     * every publication of the stream, so the engine would receive its responses.
     */
    public static final int IPC_RESPONSE_STREAMS = 10_000;

    /** The layout of every message of the schema. */
    public static final SchemaRules RULES = rules();

    private static final int HEADER_LENGTH = 8;
    private static final int SEND_COUNT = HEADER_LENGTH + SendDecoder.BLOCK_LENGTH + Byte.BYTES;
    /** Longest Send, Event or State. */
    private static final int MAX_BULK_LENGTH = 2 * MAX_MESSAGE_LENGTH;

    private TrunkMessages()
    {
    }

    /**
     * The stream id of a loop.
     *
     * @param loop from 0.
     * @return the stream id.
     */
    public static int loopStreamId(final int loop)
    {
        return CONTROL_STREAM_ID + 1 + loop;
    }

    /**
     * The loop of a room: the high 10 bits of its id.
     *
     * @param roomId of the room.
     */
    public static int loopOf(final long roomId)
    {
        return (int)(roomId >>> 54);
    }

    /**
     * Validate the next entry of a batch.
     *
     * @param buffer with the batch.
     * @param at     offset of the entry's header.
     * @param end    of the batch.
     * @return the length of the message behind the header, or the complement of a refusal code, which is below 0.
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
     * Whether the rest of a batch from the engine is padding: an entry of length 0 and zeros up to the end.
     *
     * @param buffer with the batch.
     * @param at     offset of the next entry.
     * @param end    of the batch.
     * @return whether no message follows.
     */
    public static boolean isPadding(final DirectBuffer buffer, final int at, final int end)
    {
        return end - at >= ENTRY_HEADER_LENGTH && 0 == buffer.getShort(at);
    }

    /**
     * The number of entries that a valid message of a loop stream counts as, for limits and rates.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @return the number of messages of a Send, 1 for any other.
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
            .of(AttachDecoder.SCHEMA_ID, AttachDecoder.SCHEMA_VERSION)
            .message(AttachDecoder.TEMPLATE_ID, longest, AttachDecoder.BLOCK_LENGTH)
            .message(JoinDecoder.TEMPLATE_ID, longest, JoinDecoder.BLOCK_LENGTH)
            .data(MAX_TOKEN_LENGTH).data(MAX_PAYLOAD_LENGTH)
            .message(LeaveDecoder.TEMPLATE_ID, longest, LeaveDecoder.BLOCK_LENGTH)
            .message(SendDecoder.TEMPLATE_ID, MAX_BULK_LENGTH, SendDecoder.BLOCK_LENGTH)
            .smallGroup(MAX_SEND_MESSAGES, SendDecoder.MessagesDecoder.sbeBlockLength()).dataInGroup(MAX_PAYLOAD_LENGTH)
            .message(AwayDecoder.TEMPLATE_ID, longest, AwayDecoder.BLOCK_LENGTH)
            .message(StateLostDecoder.TEMPLATE_ID, longest, StateLostDecoder.BLOCK_LENGTH)
            .message(CancelJoinDecoder.TEMPLATE_ID, longest, CancelJoinDecoder.BLOCK_LENGTH)
            .message(HelloDecoder.TEMPLATE_ID, longest, HelloDecoder.BLOCK_LENGTH).data(MAX_IDENTITY_LENGTH)
            .message(ProofDecoder.TEMPLATE_ID, longest, ProofDecoder.BLOCK_LENGTH).data(MAX_CREDENTIALS_LENGTH)
            .message(ResumeDecoder.TEMPLATE_ID, longest, ResumeDecoder.BLOCK_LENGTH).data(MAX_CREDENTIALS_LENGTH)
            .message(LogInDecoder.TEMPLATE_ID, longest, LogInDecoder.BLOCK_LENGTH).data(MAX_LOG_IN_LENGTH)
            .message(KeepaliveDecoder.TEMPLATE_ID, longest, KeepaliveDecoder.BLOCK_LENGTH)
            .message(GoodbyeDecoder.TEMPLATE_ID, longest, GoodbyeDecoder.BLOCK_LENGTH)
            .message(StandDecoder.TEMPLATE_ID, longest, StandDecoder.BLOCK_LENGTH).data(MAX_CREDENTIALS_LENGTH)
            .message(ChallengeDecoder.TEMPLATE_ID, longest, ChallengeDecoder.BLOCK_LENGTH)
            .message(WelcomeDecoder.TEMPLATE_ID, longest, WelcomeDecoder.BLOCK_LENGTH)
            .message(RejectDecoder.TEMPLATE_ID, longest, RejectDecoder.BLOCK_LENGTH)
            .message(AttachedDecoder.TEMPLATE_ID, longest, AttachedDecoder.BLOCK_LENGTH)
            .message(LogInReplyDecoder.TEMPLATE_ID, longest, LogInReplyDecoder.BLOCK_LENGTH).data(MAX_TOKEN_LENGTH)
            .message(KeepaliveReplyDecoder.TEMPLATE_ID, longest, KeepaliveReplyDecoder.BLOCK_LENGTH)
            .message(EntryRefusedDecoder.TEMPLATE_ID, longest, EntryRefusedDecoder.BLOCK_LENGTH)
            .message(LogInSessionDecoder.TEMPLATE_ID, longest, LogInSessionDecoder.BLOCK_LENGTH)
            .data(MAX_SESSION_LENGTH)
            .message(StandbyDecoder.TEMPLATE_ID, longest, StandbyDecoder.BLOCK_LENGTH)
            .message(LeadingDecoder.TEMPLATE_ID, longest, LeadingDecoder.BLOCK_LENGTH)
            .message(EventDecoder.TEMPLATE_ID, MAX_BULK_LENGTH, EventDecoder.BLOCK_LENGTH).data(MAX_MESSAGE_LENGTH)
            .message(StateDecoder.TEMPLATE_ID, MAX_BULK_LENGTH, StateDecoder.BLOCK_LENGTH).data(MAX_MESSAGE_LENGTH)
            .message(JoinedDecoder.TEMPLATE_ID, longest, JoinedDecoder.BLOCK_LENGTH)
            .data(RoomCommands.MAX_JOIN_ANSWER_LENGTH)
            .message(SeatResumedDecoder.TEMPLATE_ID, longest, SeatResumedDecoder.BLOCK_LENGTH)
            .message(SeatAwayDecoder.TEMPLATE_ID, longest, SeatAwayDecoder.BLOCK_LENGTH)
            .message(LeftDecoder.TEMPLATE_ID, longest, LeftDecoder.BLOCK_LENGTH)
            .message(RefusedDecoder.TEMPLATE_ID, longest, RefusedDecoder.BLOCK_LENGTH)
            .message(AcceptedDecoder.TEMPLATE_ID, longest, AcceptedDecoder.BLOCK_LENGTH)
            .build();
    }
}
