package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.ChallengeDecoder;
import io.escapement.codecs.trunk.HelloDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkLayout;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * Limits and validation of the trunk protocol, trunk.xml, and iteration over a batch: one or more messages, each after
 * its length in two bytes. Events and States are {@link RoomMessage}s.
 */
public final class TrunkMessages
{
    /** Version of the protocol, as in Hello. */
    public static final int PROTOCOL_VERSION = 1;

    /** Length of the header of an entry: the length of its message. */
    public static final int ENTRY_HEADER_LENGTH = Short.BYTES;

    /** Longest payload of a message in Send and longest arguments of Join: they fit a slot of the ring. */
    public static final int MAX_PAYLOAD_LENGTH = TrunkLayout.SEND_MESSAGES_PAYLOAD_MAX_LENGTH;

    /** Most messages of one Send: its group counts them in one byte. */
    public static final int MAX_SEND_MESSAGES = TrunkLayout.SEND_MESSAGES_MAX_COUNT;

    /** Longest payload of Event and State: a few fragments. */
    public static final int MAX_MESSAGE_LENGTH = RoomMessage.MAX_PAYLOAD_LENGTH;

    /** Longest identity in Hello: a name. */
    public static final int MAX_IDENTITY_LENGTH = TrunkLayout.HELLO_IDENTITY_MAX_LENGTH;

    /** Longest credentials of a trunk: an HMAC, a signature or a ticket. */
    public static final int MAX_CREDENTIALS_LENGTH = TrunkLayout.PROOF_CREDENTIALS_MAX_LENGTH;

    /** Longest credentials of a player: a name and a password, or a signed token that fits a datagram. */
    public static final int MAX_LOG_IN_LENGTH = TrunkLayout.LOG_IN_CREDENTIALS_MAX_LENGTH;

    /** Longest session of a player: credentials without a password. */
    public static final int MAX_SESSION_LENGTH = TrunkLayout.LOG_IN_SESSION_SESSION_MAX_LENGTH;

    /** {@code trunkId} of an Attach of a standby client. */
    public static final long NO_TRUNK = 0;

    /** {@code leaderMemberId} of Standby when no leader is known. */
    public static final int NO_LEADER = -1;

    /** Longest player token. */
    public static final int MAX_TOKEN_LENGTH = TrunkLayout.JOIN_TOKEN_MAX_LENGTH;

    /** {@code seatIndex} of a refusal that concerns no seat. */
    public static final int NO_SEAT = RefusedDecoder.seatIndexNullValue();

    /** Template ids below this go to the engine on loop streams. */
    public static final int FIRST_CONTROL_REQUEST = HelloDecoder.TEMPLATE_ID;

    /** Template ids from {@link #FIRST_CONTROL_REQUEST} to below this go to the engine on the control stream. */
    public static final int FIRST_CONTROL_REPLY = ChallengeDecoder.TEMPLATE_ID;

    /** Template ids from {@link #FIRST_CONTROL_REPLY} to below this are for the control stream, later ids for loops. */
    public static final int FIRST_LOOP_MESSAGE = JoinedDecoder.TEMPLATE_ID;

    /** Stream id of the control stream. The loop streams follow it. */
    public static final int CONTROL_STREAM_ID = 7_000;

    /**
     * Over shared memory a response has the stream id of its publication plus this. Without the offset the engine would
     * receive its own responses, because a driver gives a subscription there every publication of the stream.
     */
    public static final int IPC_RESPONSE_STREAMS = 10_000;

    /** Stream id of the feed of the first loop. The feeds of the other loops have the ids that follow it. */
    public static final int FEED_STREAM_ID = 9_000;

    private static final int HEADER_LENGTH = 8;
    private static final int SEND_COUNT = HEADER_LENGTH + SendDecoder.BLOCK_LENGTH + Byte.BYTES;

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
        return (int)(roomId >>> RoomMessage.ROOM_NUMBER_BITS);
    }

    /**
     * The id of a room.
     *
     * @param loop   of the room.
     * @param number of the room in its loop.
     */
    public static long roomId(final int loop, final long number)
    {
        return (long)loop << RoomMessage.ROOM_NUMBER_BITS | number;
    }

    /**
     * Validate the next entry of a batch, which is no {@link RoomMessage}.
     *
     * @param buffer with the batch.
     * @param at     offset of the entry's header.
     * @param end    of the batch.
     * @return the length of the message after the header, or the complement of a refusal code, which is below 0.
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
        final int code = TrunkLayout.RULES.validate(buffer, at + ENTRY_HEADER_LENGTH, length);
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
}
