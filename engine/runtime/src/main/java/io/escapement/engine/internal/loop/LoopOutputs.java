package io.escapement.engine.internal.loop;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.AskDecoder;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.ReserveDecoder;
import io.escapement.codecs.room.SignalDecoder;
import io.escapement.codecs.room.SubscribeDecoder;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The outputs of a loop's room host. Messages go to the egress of their link; commands go to other loops, services and
 * the edge through an {@link Outbox} each. Commands for rooms of the same loop are queued here for the next turn.
 *
 * <p>If the host keeps a {@link LoopState}, that has the commands to rooms and services and the requests for new rooms,
 * and is their only queue: they are sent from there as far as the other threads have room. Only commands that no room
 * sent are queued here.
 */
final class LoopOutputs implements Outputs, LoopEgress.LinkListener
{
    static final int LOCAL_HEADER_LENGTH = Integer.BYTES;

    /** Loop and link. */
    private static final int SIGNAL_LENGTH = 2 * Integer.BYTES;
    /** ATTACHED, SLOW and DETACHED: the edge attaches a link again only after DETACHED. */
    private static final int SIGNALS_PER_LINK = 3;
    private static final long NO_SUBSCRIBER = 0;
    private static final long PROGRAM = 0;
    private static final long ORDER_KEY_MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final int loop;
    private final int requestLimit;
    private final LoopCounters counters;
    private final ProgramQuestions questions;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SignalDecoder signal = new SignalDecoder();
    private final ReserveDecoder reserve = new ReserveDecoder();
    private final AskDecoder ask = new AskDecoder();
    private final OpenRoomDecoder openRoom = new OpenRoomDecoder();
    private final RequestDecoder request = new RequestDecoder();
    private final LoopEgress egress;
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LoopContext.INBOX_SLOT_LENGTH]);
    private final Outbox edge;
    /** Apart from the other messages to the edge, which rooms may fill the outbox with. */
    private final Outbox links;
    private final Outbox[] loops;
    private final Int2ObjectHashMap<Outbox[]> workersByServiceIdMap = new Int2ObjectHashMap<>();
    private final Outbox[] outboxes;
    private final LoopState.Receiver[] loopReceivers;
    private final LoopState.Receiver requestReceiver = this::sendRequest;
    private LoopState loopState;
    private ByteFifo local;
    private ByteFifo localTaken;
    private int replySlots;
    private boolean isLoaded;
    private boolean hasMissedDirectory;
    private boolean isHeld;

    LoopOutputs(final LoopContext context)
    {
        counters = context.counters();
        loop = context.loop();
        egress = new LoopEgress(context, this);
        questions = context.questions();
        requestLimit = context.requestLimit();
        replySlots = requestLimit;
        final int capacity = context.outboxLength();
        local = new ByteFifo(capacity);
        localTaken = new ByteFifo(capacity);
        final ArrayList<Outbox> all = new ArrayList<>();
        links = outbox(context.edgeInbox(), context.linkLimit() * SIGNALS_PER_LINK * Outbox.length(SIGNAL_LENGTH), all);
        edge = outbox(context.edgeInbox(), capacity, all);
        loops = new Outbox[context.inboxes().length];
        for (int i = 0; i < loops.length; i++)
        {
            loops[i] = i == loop ? null : outbox(context.inboxes()[i], capacity, all);
        }
        for (final Map.Entry<Integer, CommandQueue[]> service : context.workersByServiceIdMap().entrySet())
        {
            final Outbox[] workers = new Outbox[service.getValue().length];
            for (int i = 0; i < workers.length; i++)
            {
                workers[i] = outbox(service.getValue()[i], capacity, all);
            }
            workersByServiceIdMap.put(service.getKey().intValue(), workers);
        }
        outboxes = all.toArray(new Outbox[0]);
        loopReceivers = new LoopState.Receiver[loops.length];
        for (int i = 0; i < loops.length; i++)
        {
            final Outbox outbox = loops[i];
            loopReceivers[i] =
                (buffer, offset, length) -> outbox.offer(ControlSignal.COMMAND, buffer, offset, length);
        }
    }

    /** Send from the state of the loop; null if the host keeps none. */
    void loopState(final LoopState value)
    {
        loopState = value;
    }

    private static Outbox outbox(final CommandQueue queue, final int capacity, final ArrayList<Outbox> all)
    {
        final Outbox outbox = new Outbox(queue, capacity);
        all.add(outbox);
        return outbox;
    }

    void attach(final LinkAttachment attachment)
    {
        egress.attach(attachment);
        signalEdge(ControlSignal.ATTACHED, attachment.egress().link);
    }

    void detach(final int link)
    {
        if (egress.detach(link))
        {
            signalEdge(ControlSignal.DETACHED, link);
        }
    }

    void report(final RoomHost host, final List<LinkReport> reports)
    {
        egress.report(host, reports);
    }

    void turnTime(final long nowNs, final boolean isLoopLoaded)
    {
        isLoaded = isLoopLoaded;
        egress.turnTime(nowNs);
    }

    /** Move queued messages to other threads, as far as their queues have room. Returns how many were moved. */
    int drain()
    {
        int moved = 0;
        for (final Outbox outbox : outboxes)
        {
            moved += outbox.drain();
        }
        return null == loopState || isHeld || !loopState.hasUnsent() ? moved : moved + sendKept();
    }

    private int sendKept()
    {
        int sent = loopState.sendRequests(requestReceiver);
        for (int i = 0; i < loops.length; i++)
        {
            if (i != loop)
            {
                sent += loopState.sendMessages(i, loopReceivers[i]) + loopState.sendTaken(i, loopReceivers[i]);
            }
        }
        return sent;
    }

    private boolean sendRequest(final DirectBuffer buffer, final int offset, final int length)
    {
        return switch (header.wrap(buffer, offset).templateId())
        {
            case OpenRoomDecoder.TEMPLATE_ID -> edge.offer(ControlSignal.COMMAND, buffer, offset, length);
            case RequestDecoder.TEMPLATE_ID -> sendToService(buffer, offset, length);
            default -> throw new IllegalStateException("no open request: template " + header.templateId());
        };
    }

    private boolean sendToService(final DirectBuffer buffer, final int offset, final int length)
    {
        request.wrapAndApplyHeader(buffer, offset, header);
        final Outbox[] workers = workersByServiceIdMap.get(request.serviceId());
        if (null == workers)
        {
            return RefusalCode.NONE == send(loop, scratch, 0, commands.refusal(
                scratch, 0, request.roomId(), request.correlationId(), RefusalCode.UNKNOWN_SERVICE.value()));
        }
        final boolean isSent = 0 != replySlots && workers[worker(request.orderKey(), workers.length)]
            .offer(ControlSignal.REQUEST, buffer, offset, length);
        replySlots -= isSent ? 1 : 0;
        return isSent;
    }

    /** Whether a turn is needed: packets or commands of rooms of this loop are queued. */
    boolean isWaiting()
    {
        return egress.isWaiting() || !local.isEmpty() || null != loopState && 0 != loopState.returns();
    }

    /** Commands from rooms of this loop to each other, {length, command} each. Valid until the next call. */
    ByteFifo takeLocal()
    {
        final ByteFifo taken = local;
        localTaken.clear();
        local = localTaken;
        localTaken = taken;
        return taken;
    }

    /** The reply to a request was taken from the inbox, and with it the slot that the request had reserved. */
    void onReply()
    {
        replySlots++;
    }

    /** Hold back what the rooms send to other loops and services, until a failure is in the log. */
    void hold(final boolean value)
    {
        isHeld = value;
    }

    /** Drop what the rooms have sent to other loops and to the edge: the loop does not lead any more. */
    void forget()
    {
        local.clear();
        edge.clear();
        for (final Outbox outbox : loops)
        {
            if (null != outbox)
            {
                outbox.clear();
            }
        }
        hasMissedDirectory = false;
    }

    /** Whether packets or commands of the engine are queued. */
    boolean isSending()
    {
        return egress.isWaiting() || !local.isEmpty();
    }

    /** The edge of this incarnation knows no room yet. */
    void missDirectory()
    {
        hasMissedDirectory = true;
    }

    /** Whether the edge was sent everything that it has to know. */
    boolean isDirectorySent()
    {
        return !hasMissedDirectory && edge.isEmpty();
    }

    /** Whether directory entries were dropped and all must be sent again; only once the edge takes messages again. */
    boolean takeMissedDirectory()
    {
        final boolean hasMissed = hasMissedDirectory && edge.isEmpty();
        hasMissedDirectory &= !hasMissed;
        return hasMissed;
    }

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        egress.message(link, roomId, outputClass, audience, selector, buffer, offset, length);
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        egress.control(link, buffer, offset, length);
    }

    /** A seat's message has run. Its trunk is notified when the output leaves. */
    void accepted(final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        egress.accepted(link, roomId, seatIndex, generation, sequence);
    }

    @Override
    public void toRoom(final long roomId, final DirectBuffer buffer, final int offset, final int length)
    {
        // A room that sends anything else to room 0 gets the host's refusal: there is no such room.
        if (PROGRAM == roomId && RoomCommands.isAnswer(buffer, offset))
        {
            questions.onAnswer(buffer, offset);
            return;
        }
        if (null != loopState && DirectoryEntryDecoder.TEMPLATE_ID != header.wrap(buffer, offset).templateId())
        {
            return;
        }
        final RefusalCode code = send(TrunkMessages.loopOf(roomId), buffer, offset, length);
        if (RefusalCode.NONE != code)
        {
            undelivered(code, buffer, offset);
        }
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != loopState && OpenRoomDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId())
        {
            return;
        }
        if (!edge.send(ControlSignal.COMMAND, buffer, offset, length))
        {
            undelivered(RefusalCode.QUEUE_FULL, buffer, offset);
        }
    }

    @Override
    public void toService(
        final int serviceId, final long orderKey, final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != loopState)
        {
            return;
        }
        final Outbox[] workers = workersByServiceIdMap.get(serviceId);
        if (null == workers)
        {
            undelivered(RefusalCode.UNKNOWN_SERVICE, buffer, offset);
            return;
        }
        // Each request reserves the slot of its reply in the inbox, so that the reply always fits.
        final Outbox worker = workers[worker(orderKey, workers.length)];
        if (0 != replySlots && worker.send(ControlSignal.REQUEST, buffer, offset, length))
        {
            replySlots--;
        }
        else
        {
            undelivered(RefusalCode.QUEUE_FULL, buffer, offset);
        }
    }

    @Override
    public void flush()
    {
        if (egress.isWaiting())
        {
            egress.send(isLoaded);
        }
    }

    int takeDatagrams()
    {
        return egress.takeDatagrams();
    }

    /** Send held packets. Returns to how many links. */
    int release()
    {
        final int waiting = egress.waiting();
        if (0 != waiting)
        {
            egress.send(false);
        }
        return waiting - egress.waiting();
    }

    /** Queue a CloseRoom command. Returns false when the queue is full. */
    boolean close(final long roomId)
    {
        return RefusalCode.NONE == send(loop, scratch, 0, commands.closeRoom(scratch, 0, roomId));
    }

    /** Queue a Reload command. Returns false when the queue is full. */
    boolean reload(final long roomId, final int typeId, final int fromVersion, final int toVersion)
    {
        return RefusalCode.NONE ==
            send(loop, scratch, 0, commands.reload(scratch, 0, roomId, typeId, fromVersion, toVersion));
    }

    /** Requests to services that have no reply yet. */
    int openRequests()
    {
        return requestLimit - replySlots;
    }

    int leftovers()
    {
        int left = egress.waiting() + (local.isEmpty() ? 0 : 1);
        left += null != loopState && (0 != loopState.returns() || loopState.hasUnsent()) ? 1 : 0;
        for (final Outbox outbox : outboxes)
        {
            left += outbox.isEmpty() ? 0 : 1;
        }
        return left;
    }

    @Override
    public void onSlow(final int link)
    {
        signalEdge(ControlSignal.SLOW, link);
    }

    @Override
    public void onStatesLost(final int link)
    {
        countUnlessNone(send(loop, scratch, 0, commands.linkStateLost(scratch, 0, link)));
    }

    /** The edge gave a room its place and id, but the host did not open it. */
    void onOpenRefused(final long roomId)
    {
        toEdge(scratch, 0, commands.directoryEntry(
            scratch, 0, NO_SUBSCRIBER, DirectoryChange.CLOSED, roomId, 0, 0, 0, 0, NOTHING, 0, 0));
    }

    private void signalEdge(final ControlSignal controlSignal, final int link)
    {
        scratch.putInt(0, loop);
        scratch.putInt(Integer.BYTES, link);
        countUnlessNone(sent(links.send(controlSignal, scratch, 0, SIGNAL_LENGTH)));
    }

    private RefusalCode send(final int toLoop, final DirectBuffer buffer, final int offset, final int length)
    {
        if (toLoop == loop)
        {
            final int at = local.claim(LOCAL_HEADER_LENGTH + length);
            if (ByteFifo.NO_ROOM != at)
            {
                local.buffer().putInt(at, length);
                local.buffer().putBytes(at + LOCAL_HEADER_LENGTH, buffer, offset, length);
            }
            return sent(ByteFifo.NO_ROOM != at);
        }
        return toLoop >= loops.length ?
            RefusalCode.UNKNOWN_ROOM : sent(loops[toLoop].send(ControlSignal.COMMAND, buffer, offset, length));
    }

    /** A command could not be sent. Requests are refused to their room; replies and directory entries have none. */
    private void undelivered(final RefusalCode code, final DirectBuffer buffer, final int offset)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case SignalDecoder.TEMPLATE_ID ->
            {
                signal.wrapAndApplyHeader(buffer, offset, header);
                refuse(code, signal.fromRoomId(), signal.correlationId());
            }
            case ReserveDecoder.TEMPLATE_ID ->
            {
                reserve.wrapAndApplyHeader(buffer, offset, header);
                refuse(code, reserve.fromRoomId(), reserve.correlationId());
            }
            case AskDecoder.TEMPLATE_ID ->
            {
                ask.wrapAndApplyHeader(buffer, offset, header);
                refuse(code, ask.fromRoomId(), ask.correlationId());
            }
            case OpenRoomDecoder.TEMPLATE_ID ->
            {
                openRoom.wrapAndApplyHeader(buffer, offset, header);
                refuse(code, openRoom.openerRoomId(), openRoom.correlationId());
            }
            case RequestDecoder.TEMPLATE_ID ->
            {
                request.wrapAndApplyHeader(buffer, offset, header);
                refuse(code, request.roomId(), request.correlationId());
            }
            case DirectoryEntryDecoder.TEMPLATE_ID -> hasMissedDirectory = true;
            case ReplyDecoder.TEMPLATE_ID, RefusalDecoder.TEMPLATE_ID, SubscribeDecoder.TEMPLATE_ID ->
                counters.answerLost();
            default -> throw new IllegalStateException("no output of a room: template " + header.templateId());
        }
    }

    private void refuse(final RefusalCode code, final long roomId, final long correlationId)
    {
        counters.requestRefused();
        countUnlessNone(
            send(loop, scratch, 0, commands.refusal(scratch, 0, roomId, correlationId, code.value())));
    }

    /** Count a message that was dropped and has no sender to be refused to. */
    private void countUnlessNone(final RefusalCode code)
    {
        if (RefusalCode.NONE != code)
        {
            counters.answerLost();
        }
    }

    /** Requests of one order key always go to the same worker, which handles them in order. */
    private static int worker(final long orderKey, final int workers)
    {
        return (int)(((orderKey * ORDER_KEY_MIX) >>> 33) % workers);
    }

    private static RefusalCode sent(final boolean isSent)
    {
        return isSent ? RefusalCode.NONE : RefusalCode.QUEUE_FULL;
    }
}
