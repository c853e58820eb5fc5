package io.escapement.client;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.ImageFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import java.nio.ByteOrder;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/** The connection to one stream of an engine and back: the way back is made first, the way there names it. */
final class LoopStream implements AutoCloseable
{
    private static final long NONE = -1;
    private static final int FRAGMENT_LIMIT = 16;
    private static final int SEND_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SendEncoder.BLOCK_LENGTH +
        SendEncoder.MessagesEncoder.sbeHeaderSize();
    private static final int SENT_LENGTH =
        SendEncoder.MessagesEncoder.sbeBlockLength() + SendEncoder.MessagesEncoder.payloadHeaderLength();

    final int loop;
    private final Aeron aeron;
    private final TrunkContext context;
    private final int streamId;
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[TrunkMessages.MAX_MESSAGE_LENGTH]);
    private final ImageFragmentAssembler assembler;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final SendEncoder send = new SendEncoder();
    private long subscriptionId;
    private long publicationId = NONE;
    private Subscription subscription;
    private ExclusivePublication publication;
    private int frameLength;
    private int batchEntries;
    /** Of the Send at the frame's end, while it may grow; otherwise null. */
    private SendEncoder.MessagesEncoder messages;
    private int sendOffset;
    private long sendRoomId;
    private int sendMessages;
    boolean isAttached;
    long attachSentNs;

    LoopStream(
        final int loop, final int streamId, final TrunkContext context, final FragmentHandler handler)
    {
        this.loop = loop;
        this.streamId = streamId;
        this.context = context;
        aeron = context.aeron();
        assembler = new ImageFragmentAssembler(handler);
        subscriptionId = aeron.asyncAddSubscription(context.responseChannel(), streamId);
    }

    /** Make what is not made yet. */
    boolean isConnected()
    {
        if (NONE != subscriptionId)
        {
            subscription = aeron.getSubscription(subscriptionId);
            if (null == subscription)
            {
                return false;
            }
            subscriptionId = NONE;
            publicationId = aeron.asyncAddExclusivePublication(
                context.ingressChannel(subscription.registrationId()), streamId);
        }
        if (NONE != publicationId)
        {
            publication = aeron.getExclusivePublication(publicationId);
            if (null == publication)
            {
                return false;
            }
            publicationId = NONE;
        }
        return publication.isConnected();
    }

    /** Whether the engine can be heard. */
    boolean isHeard()
    {
        return null != subscription && 0 != subscription.imageCount();
    }

    int poll()
    {
        return isHeard() ? subscription.imageAtIndex(0).poll(assembler, FRAGMENT_LIMIT) : 0;
    }

    /**
     * Room for a message in the frame that leaves next; what is there leaves when there is none.
     *
     * @return where the message's header goes in {@link #frame()}, or -1 when the engine does not take what is there.
     */
    int claim(final int length, final int maxEntries)
    {
        final int needed = TrunkMessages.ENTRY_HEADER_LENGTH + length;
        if (!fits(needed, maxEntries) && !flush())
        {
            return -1;
        }
        endSend();
        frame.putShort(frameLength, (short)length, ByteOrder.LITTLE_ENDIAN);
        final int offset = frameLength + TrunkMessages.ENTRY_HEADER_LENGTH;
        frameLength += needed;
        batchEntries++;
        return offset;
    }

    /**
     * Room for a player's message, in the last Send if that is for the same room.
     *
     * @return where to put it, or null when the engine does not take what is there.
     */
    SendEncoder.MessagesEncoder claimMessage(final long roomId, final int payloadLength, final int maxEntries)
    {
        final int needed = SENT_LENGTH + payloadLength;
        if (null != messages && roomId == sendRoomId && sendMessages < TrunkMessages.MAX_SEND_MESSAGES &&
            fits(needed, maxEntries))
        {
            frameLength += needed;
            batchEntries++;
        }
        else
        {
            final int offset = claim(SEND_LENGTH + needed, maxEntries);
            if (offset < 0)
            {
                return null;
            }
            messages = send.wrapAndApplyHeader(frame, offset, header).roomId(roomId)
                .messagesCount(TrunkMessages.MAX_SEND_MESSAGES);
            sendOffset = offset;
            sendRoomId = roomId;
            sendMessages = 0;
        }
        sendMessages++;
        return messages.next();
    }

    private boolean fits(final int length, final int maxEntries)
    {
        return frameLength + length <= Math.min(publication.maxPayloadLength(), frame.capacity()) &&
            batchEntries < maxEntries;
    }

    /** Its length and its count are known now. */
    private void endSend()
    {
        if (null != messages)
        {
            messages.resetCountToIndex();
            messages = null;
            frame.putShort(sendOffset - TrunkMessages.ENTRY_HEADER_LENGTH, (short)(frameLength - sendOffset),
                ByteOrder.LITTLE_ENDIAN);
        }
    }

    UnsafeBuffer frame()
    {
        return frame;
    }

    /** Whether nothing waits to be sent. */
    boolean isEmpty()
    {
        return 0 == frameLength;
    }

    /** Whether nothing waits any more. */
    boolean flush()
    {
        if (0 == frameLength)
        {
            return true;
        }
        endSend();
        if (publication.offer(frame, 0, frameLength) < 0)
        {
            return false;
        }
        frameLength = 0;
        batchEntries = 0;
        return true;
    }

    @Override
    public void close()
    {
        if (NONE != subscriptionId)
        {
            aeron.asyncRemoveSubscription(subscriptionId);
        }
        if (NONE != publicationId)
        {
            aeron.asyncRemovePublication(publicationId);
        }
        CloseHelper.quietCloseAll(publication, subscription);
    }
}
