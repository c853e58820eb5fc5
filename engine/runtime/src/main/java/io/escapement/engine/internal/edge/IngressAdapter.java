package io.escapement.engine.internal.edge;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.AttachDecoder;
import io.escapement.codecs.trunk.AwayDecoder;
import io.escapement.codecs.trunk.CancelJoinDecoder;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.codecs.trunk.LeaveDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StateLostDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.codecs.trunk.TrunkDispatcher;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.collections.ArrayUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies the batches of one loop's stream into the slots of the loop's ring. A batch is admitted whole: when the ring
 * lacks slots for all of its entries, the fragment is aborted and stays in Aeron. Aeron's flow control then stops that
 * sender. No message is lost.
 */
final class IngressAdapter extends TrunkDispatcher implements ControlledFragmentHandler, EdgeTransport.ImageListener
{
    private static final int FRAGMENT_LIMIT = 64;
    /** Interval at which abandoned images are skipped. */
    private static final long SKIP_NS = 1_000_000_000;
    private static final int NONE = RefusalCode.NONE.value();
    private static final int NO_SEAT = TrunkMessages.NO_SEAT;

    private final int loop;
    private final CommandQueue ring;
    private final UnsafeBuffer block;
    private final Trunks trunks;
    private final Standbys standbys;
    private final LogIns logIns;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final EdgeCounters counters;
    private final int batchEntries;
    private IngressStream[] streams = {};
    private final RoomEncoder commands = new RoomEncoder();
    private IngressStream stream;
    private int next;
    private long skippedNs;
    private int accepted;
    /** State of the batch being admitted: its time, its next slot, and its first slot above the trunk's rate. */
    private long nowNs;
    private long nextSlot;
    private long withinRate;

    IngressAdapter(
        final int loop,
        final EdgeContext context,
        final Trunks trunks,
        final Standbys standbys,
        final LogIns logIns,
        final ControlProxy proxy,
        final NanoClock clock)
    {
        this.loop = loop;
        this.trunks = trunks;
        this.standbys = standbys;
        this.logIns = logIns;
        this.proxy = proxy;
        this.clock = clock;
        counters = context.counters();
        batchEntries = context.queues().batchEntries();
        ring = context.queues().rings()[loop];
        block = ring.block();
    }

    @Override
    public void onImage(final EdgeImage image)
    {
        streams = ArrayUtil.add(streams, new IngressStream(loop, image, clock.nanoTime()));
    }

    @Override
    public void onImageGone(final EdgeImage image)
    {
        for (final IngressStream removed : streams)
        {
            if (removed.image() == image)
            {
                streams = ArrayUtil.remove(streams, removed);
                trunks.onImageGone(removed);
            }
        }
    }

    /** Images of the loop's stream. */
    int sessions()
    {
        return streams.length;
    }

    /**
     * Poll every stream once. The first stream rotates, because a fixed order would always serve the same stream last.
     */
    int poll()
    {
        final IngressStream[] polled = streams;
        final int count = polled.length;
        int work = 0;
        accepted = 0;
        next = next + 1 >= count ? 0 : next + 1;
        for (int i = 0, at = next; i < count; i++)
        {
            stream = polled[at];
            // While the ring is full a blocked batch is not polled, because it would be validated in every turn.
            if (stream.isPolled() && !stream.isCongested() && ring.hasRoom(stream.blockedEntries()))
            {
                work += stream.image().controlledPoll(this, FRAGMENT_LIMIT);
            }
            at = at + 1 == count ? 0 : at + 1;
        }
        if (0 != accepted)
        {
            counters.accepted.getAndAddRelease(accepted);
        }
        return work;
    }

    /** Stop reading streams that have sent no Attach in time, and skip unread streams. */
    void housekeep()
    {
        final long now = clock.nanoTime();
        for (final IngressStream unbound : streams)
        {
            if (unbound.isAttachLate(now, Handshakes.TIMEOUT_NS))
            {
                unbound.detach();
                counters.refused(TrunkCode.HANDSHAKE_TIMEOUT.value());
            }
        }
        if (now - skippedNs > SKIP_NS)
        {
            skippedNs = now;
            for (final IngressStream unread : streams)
            {
                if (!unread.isPolled())
                {
                    unread.image().skip();
                }
            }
        }
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header fragment)
    {
        if (FrameDescriptor.UNFRAGMENTED != (fragment.flags() & FrameDescriptor.UNFRAGMENTED))
        {
            return refuseBatch(TrunkCode.NOT_UNFRAGMENTED.value());
        }
        final int end = offset + length;
        int at = offset;
        int entries = 0;
        while (at < end)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, end);
            if (entryLength < 0)
            {
                return refuseBatch(~entryLength);
            }
            final int message = at + TrunkMessages.ENTRY_HEADER_LENGTH;
            if (SchemaRules.templateId(buffer, message) >= TrunkMessages.FIRST_CONTROL_REQUEST)
            {
                return refuseBatch(TrunkCode.WRONG_STREAM.value());
            }
            entries += TrunkMessages.entries(buffer, message);
            at = message + entryLength;
        }
        if (0 == entries)
        {
            return refuseBatch(RefusalCode.TOO_SHORT.value());
        }
        if (entries > batchEntries)
        {
            return refuseBatch(TrunkCode.TOO_MANY_ENTRIES.value());
        }
        return IngressStream.State.ATTACHED == stream.state() ?
            admit(buffer, offset, end, entries) : beforeAttached(buffer, offset, entries);
    }

    private Action beforeAttached(final DirectBuffer buffer, final int offset, final int entries)
    {
        final int message = offset + TrunkMessages.ENTRY_HEADER_LENGTH;
        if (1 != entries || AttachDecoder.TEMPLATE_ID != SchemaRules.templateId(buffer, message))
        {
            return refuseBatch(TrunkCode.NOT_ATTACHED.value());
        }
        if (IngressStream.State.UNBOUND == stream.state() || IngressStream.State.STANDBY == stream.state())
        {
            dispatch(buffer, message);
        }
        return Action.CONTINUE;
    }

    private Action admit(final DirectBuffer buffer, final int offset, final int end, final int entries)
    {
        final long first = ring.tryClaim(entries);
        if (CommandQueue.FULL == first)
        {
            stream.blockedEntries(entries);
            counters.ringFull.incrementRelease();
            return Action.ABORT;
        }
        stream.blockedEntries(0);
        nowNs = clock.nanoTime();
        nextSlot = first;
        withinRate = first + stream.entryLimits().take(entries, nowNs);
        int at = offset;
        while (at < end)
        {
            final int message = at + TrunkMessages.ENTRY_HEADER_LENGTH;
            dispatch(buffer, message);
            at = message + entryLength(buffer, at);
        }
        ring.publish(first, entries);
        stream.trunk().onEntries(entries);
        return Action.CONTINUE;
    }

    @Override
    protected int refused(final int templateId)
    {
        fill(nextSlot(), refuse(templateId, 0, NO_SEAT, 0, RefusalCode.UNKNOWN_TEMPLATE.value()));
        return NONE;
    }

    @Override
    protected int onAttach(final AttachDecoder attach)
    {
        if (IngressStream.State.ATTACHED == stream.state())
        {
            // The client repeats an Attach that was answered.
            trunks.onAttachRepeated(stream, attach.trunkId(), attach.attachToken());
            fill(nextSlot(), 0);
            return NONE;
        }
        stream.isAcceptedWanted(1 == attach.isAcceptedWanted());
        if (TrunkMessages.NO_TRUNK == attach.trunkId())
        {
            standbys.onAttach(stream, attach.attachToken());
        }
        else
        {
            trunks.onAttach(stream, attach.trunkId(), attach.attachToken());
        }
        return NONE;
    }

    @Override
    protected int onSend(final SendDecoder send)
    {
        final long roomId = send.roomId();
        final SendDecoder.MessagesDecoder messages = send.messages();
        while (messages.hasNext())
        {
            messages.next();
            final int payloadLength = messages.payloadLength();
            final int payload = send.limit() + SendDecoder.MessagesDecoder.payloadHeaderLength();
            final CommandQueue.Slot slot = nextSlot();
            fill(slot, encodeMessage(slot.offset, roomId, messages, send.buffer(), payload, payloadLength));
            messages.skipPayload();
        }
        return NONE;
    }

    private int encodeMessage(
        final int slotOffset,
        final long roomId,
        final SendDecoder.MessagesDecoder message,
        final DirectBuffer buffer,
        final int payload,
        final int payloadLength)
    {
        final long sequence = message.sequence();
        final int seatIndex = message.seatIndex();
        if (!isWithinRate() || !stream.entryLimits().tryTakeForSeat(roomId, seatIndex, nowNs))
        {
            return refuse(SendDecoder.TEMPLATE_ID, roomId, seatIndex, sequence, TrunkCode.RATE_LIMITED.value());
        }
        if (TrunkMessages.loopOf(roomId) != loop)
        {
            return refuse(SendDecoder.TEMPLATE_ID, roomId, seatIndex, sequence, RefusalCode.UNKNOWN_ROOM.value());
        }
        return commands.message(block, slotOffset, roomId, sequence, seatIndex, message.generation(),
            stream.trunk().link(), buffer, payload, payloadLength);
    }

    @Override
    protected int onJoin(final JoinDecoder join)
    {
        final long requestId = join.requestId();
        final long roomId = join.roomId();
        final long playerId = join.playerId();
        final int tokenLength = join.tokenLength();
        join.getToken(logIns.tokenBuffer(), 0, Math.min(tokenLength, logIns.tokenBuffer().length));
        final int argsLength = join.argsLength();
        final int args = join.limit() + JoinDecoder.argsHeaderLength();
        final boolean isSpectator = 0 != join.isSpectator();
        final CommandQueue.Slot slot = nextSlot();
        final int code;
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
            code = logIns.checkPlayer(stream.trunk(), playerId, tokenLength);
        }
        final int number = stream.trunk().link();
        fill(slot, NONE != code ? refuse(JoinDecoder.TEMPLATE_ID, roomId, NO_SEAT, requestId, code) : commands.join(
            block, slot.offset, roomId, playerId, requestId, number, isSpectator, join.buffer(), args, argsLength));
        return NONE;
    }

    /** The room compares link, player and request with the join's, so that no token is needed. */
    @Override
    protected int onCancelJoin(final CancelJoinDecoder cancelJoin)
    {
        final long requestId = cancelJoin.requestId();
        final long roomId = cancelJoin.roomId();
        final CommandQueue.Slot slot = nextSlot();
        final int code = !isWithinRate() ? TrunkCode.RATE_LIMITED.value() :
            TrunkMessages.loopOf(roomId) != loop ? RefusalCode.UNKNOWN_ROOM.value() : NONE;
        fill(slot, NONE == code ?
            commands.cancelJoin(
                block, slot.offset, roomId, cancelJoin.playerId(), requestId, stream.trunk().link()) :
            refuse(CancelJoinDecoder.TEMPLATE_ID, roomId, NO_SEAT, requestId, code));
        return NONE;
    }

    @Override
    protected int onLeave(final LeaveDecoder leave)
    {
        final long roomId = leave.roomId();
        final int seatIndex = leave.seatIndex();
        final CommandQueue.Slot slot = nextSlot();
        fill(slot, isWithinRate() ?
            commands.leave(
                block, slot.offset, roomId, seatIndex, leave.generation(), stream.trunk().link(), leave.code()) :
            refuse(LeaveDecoder.TEMPLATE_ID, roomId, seatIndex, 0, TrunkCode.RATE_LIMITED.value()));
        return NONE;
    }

    @Override
    protected int onAway(final AwayDecoder away)
    {
        final long roomId = away.roomId();
        final int seatIndex = away.seatIndex();
        final CommandQueue.Slot slot = nextSlot();
        fill(slot, isWithinRate() ?
            commands.seatDown(block, slot.offset, roomId, seatIndex, away.generation(), stream.trunk().link()) :
            refuse(AwayDecoder.TEMPLATE_ID, roomId, seatIndex, 0, TrunkCode.RATE_LIMITED.value()));
        return NONE;
    }

    /** Each makes a room encode a snapshot. Its per-seat rate is therefore lower than a message's. */
    @Override
    protected int onStateLost(final StateLostDecoder stateLost)
    {
        final long roomId = stateLost.roomId();
        final int seatIndex = stateLost.seatIndex();
        final CommandQueue.Slot slot = nextSlot();
        fill(slot, isWithinRate() && stream.entryLimits().tryTakeStateLost(roomId, seatIndex, nowNs) ?
            commands.stateLost(
                block, slot.offset, roomId, seatIndex, stateLost.generation(), stream.trunk().link()) :
            refuse(StateLostDecoder.TEMPLATE_ID, roomId, seatIndex, 0, TrunkCode.RATE_LIMITED.value()));
        return NONE;
    }

    /** The next slot claimed for this batch. */
    private CommandQueue.Slot nextSlot()
    {
        final CommandQueue.Slot slot = ring.slot(nextSlot++);
        slot.acceptedNs(nowNs);
        return slot;
    }

    /** Whether the last slot of {@link #nextSlot()} is within the trunk's rate. */
    private boolean isWithinRate()
    {
        return nextSlot <= withinRate;
    }

    /** Finish a slot that holds a command of this length; 0 when its entry was refused. */
    private void fill(final CommandQueue.Slot slot, final int length)
    {
        slot.length(length);
        if (0 == length)
        {
            slot.signal(ControlSignal.PADDING);
        }
        else
        {
            accepted++;
        }
    }

    private Action refuseBatch(final int code)
    {
        refuse(0, 0, NO_SEAT, 0, code);
        return Action.CONTINUE;
    }

    /** Count a refusal and report it to the client. Returns 0, the length of no command. */
    private int refuse(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        counters.refused(code);
        counters.shed.incrementRelease();
        final Trunk trunk = stream.trunk();
        if (null != trunk)
        {
            trunk.onRefused(code);
        }
        if (null != trunk && trunk.isUp() &&
            !proxy.entryRefused(trunk.control(), templateId, roomId, seatIndex, reference, code))
        {
            counters.refusalsDropped.incrementRelease();
        }
        return 0;
    }

    private static int entryLength(final DirectBuffer buffer, final int at)
    {
        return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
