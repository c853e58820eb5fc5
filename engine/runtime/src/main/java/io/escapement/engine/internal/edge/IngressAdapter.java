package io.escapement.engine.internal.edge;

import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.SchemaRules;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What comes on the stream of one loop, frames to slots of the loop's ring. A frame is admitted whole: when the ring
 * has no room for all its entries Aeron keeps it and the sender's flow control feels it, so nothing is lost.
 */
final class IngressAdapter implements ControlledFragmentHandler
{
    private static final int FRAGMENT_LIMIT = 64;
    private static final int NONE = RefusalCode.NONE.value();

    private final int loop;
    private final CommandQueue ring;
    private final UnsafeBuffer block;
    private final Trunks trunks;
    private final EdgeCounters counters;
    private final int batchEntries;
    private LoopLink[] links = {};
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final AttachDecoder attach = new AttachDecoder();
    private final JoinDecoder join = new JoinDecoder();
    private final LeaveDecoder leave = new LeaveDecoder();
    private final SendDecoder send = new SendDecoder();
    private LoopLink link;
    private int next;
    private int accepted;
    /** Of the frame that is being admitted: when, which of its slots is next, and which is the first over the rate. */
    private long nowNs;
    private long nextSlot;
    private long withinRate;

    IngressAdapter(
        final int loop,
        final CommandQueue ring,
        final Trunks trunks,
        final EdgeCounters counters,
        final int batchEntries)
    {
        this.loop = loop;
        this.ring = ring;
        this.trunks = trunks;
        this.counters = counters;
        this.batchEntries = batchEntries;
        block = ring.block();
    }

    void onImage(final Image image, final TrunkChannels.Port port)
    {
        links = ArrayUtil.add(links, new LoopLink(loop, image, port, trunks.nowNs()));
    }

    void onImageGone(final Image image)
    {
        for (final LoopLink gone : links)
        {
            if (gone.image == image)
            {
                links = ArrayUtil.remove(links, gone);
                trunks.onLoopImageGone(gone);
            }
        }
    }

    /** Every connection has its share of a poll, and a different one is first each time. */
    int poll()
    {
        final LoopLink[] polled = links;
        final int count = polled.length;
        int work = 0;
        accepted = 0;
        next = next + 1 >= count ? 0 : next + 1;
        for (int i = 0, at = next; i < count; i++)
        {
            link = polled[at];
            // A frame that waits is not validated in every turn in which the ring is full: there is no time to waste.
            if (LoopLink.State.DETACHING != link.state && ring.hasRoom(link.waitingEntries))
            {
                work += link.image.controlledPoll(this, FRAGMENT_LIMIT);
            }
            at = at + 1 == count ? 0 : at + 1;
        }
        if (0 != accepted)
        {
            counters.accepted.getAndAddRelease(accepted);
        }
        return work;
    }

    /** Connections that have not said whose they are in time. */
    void housekeep(final long timeoutNs)
    {
        for (final LoopLink waiting : links)
        {
            if (LoopLink.State.UNBOUND == waiting.state && trunks.nowNs() - waiting.sinceNs > timeoutNs)
            {
                waiting.state = LoopLink.State.DETACHING;
                counters.refused(TrunkCode.HANDSHAKE_TIMEOUT.value());
            }
        }
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header frame)
    {
        if (FrameDescriptor.UNFRAGMENTED != (frame.flags() & FrameDescriptor.UNFRAGMENTED))
        {
            return refuseFrame(TrunkCode.NOT_UNFRAGMENTED.value());
        }
        final int end = offset + length;
        int at = offset;
        int entries = 0;
        while (at < end)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, end);
            if (entryLength < 0)
            {
                return refuseFrame(~entryLength);
            }
            final int message = at + TrunkMessages.ENTRY_HEADER_LENGTH;
            if (SchemaRules.templateId(buffer, message) >= TrunkMessages.FIRST_CONTROL_REQUEST)
            {
                return refuseFrame(TrunkCode.WRONG_STREAM.value());
            }
            entries += TrunkMessages.entries(buffer, message);
            at = message + entryLength;
        }
        if (0 == entries)
        {
            return refuseFrame(RefusalCode.TOO_SHORT.value());
        }
        if (entries > batchEntries)
        {
            return refuseFrame(TrunkCode.TOO_MANY_ENTRIES.value());
        }
        return LoopLink.State.ATTACHED == link.state ?
            admit(buffer, offset, end, entries) : beforeAttached(buffer, offset, entries);
    }

    private Action beforeAttached(final DirectBuffer buffer, final int offset, final int entries)
    {
        final int message = offset + TrunkMessages.ENTRY_HEADER_LENGTH;
        if (1 != entries || AttachDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, message))
        {
            return refuseFrame(TrunkCode.NOT_ATTACHED.value());
        }
        if (LoopLink.State.UNBOUND == link.state)
        {
            attach.wrapAndApplyHeader(buffer, message, header);
            trunks.onAttach(link, attach.trunkId(), attach.attachToken());
        }
        return Action.CONTINUE;
    }

    private Action admit(final DirectBuffer buffer, final int offset, final int end, final int entries)
    {
        final long first = ring.tryClaim(entries);
        if (CommandQueue.FULL == first)
        {
            link.waitingEntries = entries;
            counters.ringFull.incrementRelease();
            return Action.ABORT;
        }
        link.waitingEntries = 0;
        nowNs = trunks.nowNs();
        nextSlot = first;
        withinRate = first + link.trunkBucket.take(entries, nowNs);
        int at = offset;
        while (at < end)
        {
            final int message = at + TrunkMessages.ENTRY_HEADER_LENGTH;
            onMessage(buffer, message);
            at = message + entryLength(buffer, at);
        }
        ring.publish(first, entries);
        return Action.CONTINUE;
    }

    private void onMessage(final DirectBuffer buffer, final int offset)
    {
        switch (SchemaRules.templateId(buffer, offset))
        {
            case SendDecoder.TEMPLATE_ID -> onSend(buffer, offset);
            case JoinDecoder.TEMPLATE_ID -> onJoin(buffer, offset);
            case LeaveDecoder.TEMPLATE_ID -> onLeave(buffer, offset);
            // An Attach that came twice, since its answer was on the way: done already.
            default -> fill(claimed(), 0);
        }
    }

    private void onSend(final DirectBuffer buffer, final int offset)
    {
        send.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = send.roomId();
        final SendDecoder.MessagesDecoder messages = send.messages();
        while (messages.hasNext())
        {
            messages.next();
            final int payloadLength = messages.payloadLength();
            final int payload = send.limit() + SendDecoder.MessagesDecoder.payloadHeaderLength();
            final CommandQueue.Slot slot = claimed();
            fill(slot, onSent(slot.offset, roomId, messages, buffer, payload, payloadLength));
            messages.skipPayload();
        }
    }

    private int onSent(
        final int into,
        final long roomId,
        final SendDecoder.MessagesDecoder message,
        final DirectBuffer buffer,
        final int payload,
        final int payloadLength)
    {
        final long sequence = message.sequence();
        final int seatIndex = message.seatIndex();
        if (!isWithinRate() || !link.seatBuckets.tryTake(roomId, seatIndex, nowNs))
        {
            return refuse(SendDecoder.TEMPLATE_ID, roomId, sequence, TrunkCode.RATE_LIMITED.value());
        }
        if (TrunkMessages.loopOf(roomId) != loop)
        {
            return refuse(SendDecoder.TEMPLATE_ID, roomId, sequence, RefusalCode.UNKNOWN_ROOM.value());
        }
        return commands.message(block, into, roomId, seatIndex, message.generation(), link.trunk.link, sequence,
            buffer, payload, payloadLength);
    }

    private void onJoin(final DirectBuffer buffer, final int offset)
    {
        join.wrapAndApplyHeader(buffer, offset, header);
        final long requestId = join.requestId();
        final long roomId = join.roomId();
        final long playerId = join.playerId();
        final int tokenLength = join.tokenLength();
        join.getToken(trunks.givenToken(), 0, Math.min(tokenLength, trunks.givenToken().length));
        final int argsLength = join.argsLength();
        final int args = join.limit() + JoinDecoder.argsHeaderLength();
        final CommandQueue.Slot slot = claimed();
        int code = NONE;
        if (!isWithinRate())
        {
            code = TrunkCode.RATE_LIMITED.value();
        }
        else if (TrunkMessages.loopOf(roomId) != loop)
        {
            code = RefusalCode.UNKNOWN_ROOM.value();
        }
        else
        {
            code = trunks.checkPlayer(link.trunk, playerId, tokenLength);
        }
        fill(slot, NONE == code ?
            commands.join(
                block, slot.offset, roomId, playerId, requestId, link.trunk.link, buffer, args, argsLength) :
            refuse(JoinDecoder.TEMPLATE_ID, roomId, requestId, code));
    }

    private void onLeave(final DirectBuffer buffer, final int offset)
    {
        leave.wrapAndApplyHeader(buffer, offset, header);
        final long roomId = leave.roomId();
        final CommandQueue.Slot slot = claimed();
        fill(slot, isWithinRate() ?
            commands.leave(block, slot.offset, roomId, leave.seatIndex(), leave.generation(), link.trunk.link) :
            refuse(LeaveDecoder.TEMPLATE_ID, roomId, 0, TrunkCode.RATE_LIMITED.value()));
    }

    /** The next of the slots that were claimed for this frame. */
    private CommandQueue.Slot claimed()
    {
        final CommandQueue.Slot slot = ring.slot(nextSlot++);
        slot.acceptedNs = nowNs;
        return slot;
    }

    /** Whether the slot that was handed out last is one that the trunk's rate allows. */
    private boolean isWithinRate()
    {
        return nextSlot <= withinRate;
    }

    /** With a command of this length, 0 when there is none. */
    private void fill(final CommandQueue.Slot slot, final int length)
    {
        slot.length = length;
        if (0 == length)
        {
            slot.kind = ControlSignal.NOTHING;
        }
        else
        {
            accepted++;
        }
    }

    private int refuse(final int templateId, final long roomId, final long reference, final int code)
    {
        trunks.entryRefused(link, templateId, roomId, reference, code);
        return 0;
    }

    private Action refuseFrame(final int code)
    {
        trunks.entryRefused(link, 0, 0, 0, code);
        return Action.CONTINUE;
    }

    private static int entryLength(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
