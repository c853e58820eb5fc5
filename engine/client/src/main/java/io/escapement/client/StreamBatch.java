package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Collects the entries of one stream in a batch and offers it as one fragment. Messages of players to the same room
 * share a Send. A batch that the engine does not accept stays here and is offered again.
 */
final class StreamBatch
{
    static final int NOT_CLAIMED = -1;

    private static final int SEND_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SendEncoder.BLOCK_LENGTH +
        SendEncoder.MessagesEncoder.sbeHeaderSize();
    private static final int MESSAGE_LENGTH =
        SendEncoder.MessagesEncoder.sbeBlockLength() + SendEncoder.MessagesEncoder.payloadHeaderLength();

    private final TrunkStream stream;
    private final UnsafeBuffer batch = new UnsafeBuffer(new byte[TrunkMessages.MAX_MESSAGE_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final SendEncoder send = new SendEncoder();
    private int maxEntries;
    private int length;
    private int entries;
    /** The messages of the Send at the end of the batch while more may follow, otherwise null. */
    private SendEncoder.MessagesEncoder messages;
    private int sendOffset;
    private long sendRoomId;
    private int sendMessages;

    StreamBatch(final TrunkStream stream, final int maxEntries)
    {
        this.stream = stream;
        this.maxEntries = maxEntries;
    }

    /** The limit that Welcome announced. */
    void maxEntries(final int value)
    {
        maxEntries = value;
    }

    /** The batch, for writing at a claimed offset. */
    UnsafeBuffer buffer()
    {
        return batch;
    }

    boolean isEmpty()
    {
        return 0 == length;
    }

    /**
     * Reserve space for one message with its header. A full batch is offered first.
     *
     * @return the offset of the message's header in {@link #buffer()}, or {@link #NOT_CLAIMED} under back pressure.
     */
    int claim(final int messageLength)
    {
        final int needed = TrunkMessages.ENTRY_HEADER_LENGTH + messageLength;
        if (!fits(needed) && !flush())
        {
            return NOT_CLAIMED;
        }
        endSend();
        batch.putShort(length, (short)messageLength, ByteOrder.LITTLE_ENDIAN);
        final int offset = length + TrunkMessages.ENTRY_HEADER_LENGTH;
        length += needed;
        entries++;
        return offset;
    }

    /**
     * Reserve space for a player's message, in the last Send if it is for the same room.
     *
     * @return where to write the message, or null under back pressure.
     */
    SendEncoder.MessagesEncoder claimMessage(final long roomId, final int payloadLength)
    {
        final int needed = MESSAGE_LENGTH + payloadLength;
        if (null != messages && roomId == sendRoomId && sendMessages < TrunkMessages.MAX_SEND_MESSAGES && fits(needed))
        {
            length += needed;
            entries++;
        }
        else
        {
            final int offset = claim(SEND_LENGTH + needed);
            if (NOT_CLAIMED == offset)
            {
                return null;
            }
            messages = send.wrapAndApplyHeader(batch, offset, header).roomId(roomId)
                .messagesCount(TrunkMessages.MAX_SEND_MESSAGES);
            sendOffset = offset;
            sendRoomId = roomId;
            sendMessages = 0;
        }
        sendMessages++;
        return messages.next();
    }

    /** Offer the batch. Returns whether no message is left to send. */
    boolean flush()
    {
        if (0 == length)
        {
            return true;
        }
        endSend();
        if (stream.offer(batch, 0, length) < 0)
        {
            return false;
        }
        clear();
        return true;
    }

    /** Discard the batch. */
    void clear()
    {
        messages = null;
        length = 0;
        entries = 0;
    }

    private boolean fits(final int needed)
    {
        return length + needed <= Math.min(stream.maxPayloadLength(), batch.capacity()) && entries < maxEntries;
    }

    /** The number of messages and the length of a Send are only known when it is complete. */
    private void endSend()
    {
        if (null != messages)
        {
            messages.resetCountToIndex();
            messages = null;
            batch.putShort(sendOffset - TrunkMessages.ENTRY_HEADER_LENGTH, (short)(length - sendOffset),
                ByteOrder.LITTLE_ENDIAN);
        }
    }
}
