package io.escapement.engine.internal.loop;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.monitor.LinkReport;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.output.RoomLinks;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The outputs of a loop's room host. Messages go to the egress of their link. Commands to rooms of other loops, and
 * requests to services and for new rooms, wait in the host's {@link LoopState}. They are sent from there as far as the
 * other threads have room. Messages that no room waits for go to the edge through a {@link LoopOutbox}. Commands of the
 * engine itself are queued here for the next turn.
 */
final class LoopOutputs implements Outputs, LoopEgress.LinkListener
{
    static final int LOCAL_HEADER_LENGTH = Integer.BYTES;

    /** Loop and link. */
    private static final int SIGNAL_LENGTH = 2 * Integer.BYTES;
    /** ATTACHED, SLOW and DETACHED: the edge attaches a link again only after DETACHED. */
    private static final int SIGNALS_PER_LINK = 3;
    private static final long NO_SUBSCRIBER = 0;
    private static final int ANNOUNCED_PER_TURN = 64;
    private static final long ORDER_KEY_MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final int loop;
    private final int requestLimit;
    private final LoopCounters counters;
    private final ApplicationQuestions questions;
    private final RoomEncoder commands = new RoomEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RequestDecoder request = new RequestDecoder();
    private final DirectoryEntryDecoder entry = new DirectoryEntryDecoder();
    private final LoopEgress egress;
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final LoopOutbox edge;
    /** Apart from the other messages to the edge, which rooms may fill the outbox with. */
    private final LoopOutbox links;
    private final CommandQueue edgeInbox;
    private final CommandQueue[] inboxes;
    private final Int2ObjectHashMap<CommandQueue[]> workersByServiceIdMap = new Int2ObjectHashMap<>();
    private final LoopState.Receiver[] loopReceivers;
    private final LoopState.Receiver requestReceiver = this::sendRequest;
    private LoopState loopState;
    private ByteFifo local;
    private ByteFifo localTaken;
    private int replySlots;
    private boolean isLoaded;
    private boolean hasMissedDirectory;
    private boolean hasMissedSubscriptions;
    /** Whether the directory is being resent. */
    private boolean isAnnouncing;
    /** Closed rooms that the edge has not been notified about. It listed each of them, which limits their number. */
    private final LongArrayList missedCloses = new LongArrayList();
    private boolean isHeld;
    private BooleanSupplier arePacketsHeld = () -> false;

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
        links = new LoopOutbox(
            context.edgeInbox(), context.trunks().limit() * SIGNALS_PER_LINK * LoopOutbox.length(SIGNAL_LENGTH));
        edge = new LoopOutbox(context.edgeInbox(), capacity);
        edgeInbox = context.edgeInbox();
        inboxes = context.inboxes();
        context.workersByServiceIdMap().forEach((serviceId, workers) ->
            workersByServiceIdMap.put(serviceId.intValue(), workers));
        loopReceivers = new LoopState.Receiver[inboxes.length];
        for (int i = 0; i < inboxes.length; i++)
        {
            final CommandQueue inbox = inboxes[i];
            loopReceivers[i] =
                (buffer, offset, length) -> inbox.offer(ControlSignal.COMMAND, null, buffer, offset, length);
        }
    }

    /** Send from the state of a host. */
    void loopState(final LoopState value)
    {
        loopState = value;
    }

    /** Source of the current or last turn's number. */
    void turn(final LongSupplier value)
    {
        egress.turn(value);
    }

    /**
     * A trunk receives a feed, or no feed, from the next turn on. Between turns. If false, retry after the next turn.
     */
    boolean tryChangeFeed(final LinkFeed.Change change)
    {
        return egress.tryChangeFeed(change);
    }

    /** Time at which {@link #showAlive} has work. */
    long aliveDueNs()
    {
        return egress.aliveDueNs();
    }

    /** Show the receivers of idle feeds that the feeds are alive. */
    int showAlive(final long nowNs)
    {
        return arePacketsHeld.getAsBoolean() ? 0 : egress.showAlive(nowNs);
    }

    /** Packets may need to wait, because another run may not reproduce them. */
    void packetsHeld(final BooleanSupplier value)
    {
        arePacketsHeld = value;
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
        final int moved = links.drain() + edge.drain();
        return isHeld || !loopState.hasUnsent() ? moved : moved + sendKept();
    }

    private int sendKept()
    {
        int sent = loopState.sendRequests(requestReceiver);
        for (int i = 0; i < inboxes.length; i++)
        {
            sent += loopState.sendMessages(i, loopReceivers[i]) + loopState.sendTaken(i, loopReceivers[i]);
        }
        return sent;
    }

    /** A request reserves the slot of its reply in the inbox, so that the reply always fits. */
    private boolean sendRequest(final DirectBuffer buffer, final int offset, final int length)
    {
        return switch (header.wrap(buffer, offset).templateId())
        {
            case OpenRoomDecoder.TEMPLATE_ID ->
                edgeInbox.offer(ControlSignal.COMMAND, null, buffer, offset, length);
            case RequestDecoder.TEMPLATE_ID -> sendToService(buffer, offset, length);
            default -> throw new IllegalStateException("no open request: template " + header.templateId());
        };
    }

    private boolean sendToService(final DirectBuffer buffer, final int offset, final int length)
    {
        request.wrapAndApplyHeader(buffer, offset, header);
        final CommandQueue[] workers = workersByServiceIdMap.get(request.serviceId());
        if (null == workers)
        {
            final boolean isRefused = queue(commands.refusal(
                scratch, 0, request.roomId(), request.correlationId(), RefusalCode.UNKNOWN_SERVICE.value()));
            if (isRefused)
            {
                counters.requestRefused();
            }
            return isRefused;
        }
        final boolean isSent = 0 != replySlots && workers[worker(request.orderKey(), workers.length)]
            .offer(ControlSignal.REQUEST, null, buffer, offset, length);
        replySlots -= isSent ? 1 : 0;
        return isSent;
    }

    /** Commands of the engine, {length, command} each. Valid until the next call. */
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

    /**
     * Hold back the rooms' output to other loops and services, until a failure is in the log. Then the packets that
     * waited for the log are also sent.
     */
    void hold(final boolean value)
    {
        isHeld = value;
        if (!value && egress.isWaiting())
        {
            egress.send(isLoaded);
        }
    }

    /** Drop messages to the edge: the loop no longer leads. */
    void forget()
    {
        local.clear();
        edge.clear();
        hasMissedSubscriptions = false;
        hasMissedDirectory = false;
        isAnnouncing = false;
        missedCloses.clear();
    }

    /** Whether a turn is needed: packets, commands of the engine or the directory wait. */
    boolean isWaiting()
    {
        return egress.isWaiting() || !local.isEmpty() || isAnnounceDue();
    }

    /** The edge of this incarnation knows no room yet, and no subscription. */
    void missDirectory()
    {
        hasMissedDirectory = true;
        hasMissedSubscriptions = true;
    }

    /** Whether the directory, or the rest of it, must be resent, and the edge takes messages. */
    private boolean isAnnounceDue()
    {
        return (isAnnouncing || hasMissedDirectory || hasMissedSubscriptions) && edge.isEmpty();
    }

    /**
     * Resend the directory if a part of it was dropped, as far as the edge takes messages. Entries that do not fit now
     * follow in a later turn. An announcement is therefore complete for any number of rooms.
     */
    void announce(final RoomHost host)
    {
        if (!isAnnounceDue())
        {
            return;
        }
        if (!isAnnouncing)
        {
            isAnnouncing = true;
            host.beginAnnounce(hasMissedSubscriptions);
            hasMissedDirectory = false;
            hasMissedSubscriptions = false;
        }
        for (int i = 0; i < ANNOUNCED_PER_TURN && isAnnouncing && edge.isEmpty(); i++)
        {
            if (missedCloses.isEmpty())
            {
                isAnnouncing = host.announceNext();
            }
            else
            {
                notifyClosed(missedCloses.removeAt(missedCloses.size() - 1));
            }
        }
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
    public void toLinks(
        final RoomLinks roomLinks,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        egress.toLinks(roomLinks, roomId, outputClass, audience, selector, buffer, offset, length);
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
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        if (edge.send(ControlSignal.COMMAND, buffer, offset, length))
        {
            return;
        }
        final boolean isEntry = DirectoryEntryDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId();
        final boolean isOfDirectory = isEntry &&
            NO_SUBSCRIBER == entry.wrapAndApplyHeader(buffer, offset, header).roomId();
        hasMissedDirectory |= isOfDirectory;
        hasMissedSubscriptions |= !isOfDirectory;
        if (isOfDirectory && DirectoryChange.CLOSED == entry.change())
        {
            missedCloses.addLong(entry.subjectRoomId());
        }
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
        questions.onAnswer(buffer, offset);
    }

    @Override
    public void flush()
    {
        if (egress.isWaiting() && !arePacketsHeld.getAsBoolean())
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
        return queue(commands.closeRoom(scratch, 0, roomId));
    }

    /** Queue a Reload command. Returns false when the queue is full. */
    boolean reload(final long roomId, final int typeId, final int fromVersion, final int toVersion)
    {
        return queue(commands.reload(scratch, 0, roomId, typeId, fromVersion, toVersion));
    }

    /** Requests of rooms without an answer, including unsent requests and requests that were sent twice. */
    int openRequests()
    {
        return Math.max(requestLimit - replySlots, loopState.openRequests());
    }

    int leftovers()
    {
        return egress.waiting() + (local.isEmpty() ? 0 : 1) + (links.isEmpty() ? 0 : 1) + (edge.isEmpty() ? 0 : 1) +
            (0 != loopState.returns() || loopState.hasUnsent() ? 1 : 0);
    }

    @Override
    public void onSlow(final int link)
    {
        signalEdge(ControlSignal.SLOW, link);
    }

    @Override
    public void onStatesLost(final int link)
    {
        countUnlessSent(queue(commands.linkStateLost(scratch, 0, link)));
    }

    /** The edge gave a room its place and id, but the host did not open it. */
    void onOpenRefused(final long roomId)
    {
        notifyClosed(roomId);
    }

    private void notifyClosed(final long roomId)
    {
        toEdge(scratch, 0, commands.directoryEntry(
            scratch, 0, NO_SUBSCRIBER, roomId, 0, 0, 0, 0, DirectoryChange.CLOSED, NOTHING, 0, 0));
    }

    private void signalEdge(final ControlSignal controlSignal, final int link)
    {
        scratch.putInt(0, loop);
        scratch.putInt(Integer.BYTES, link);
        countUnlessSent(links.send(controlSignal, scratch, 0, SIGNAL_LENGTH));
    }

    /** Queue a command of the engine, which is in the scratch buffer. Returns false when the queue is full. */
    private boolean queue(final int length)
    {
        final int at = local.claim(LOCAL_HEADER_LENGTH + length);
        if (ByteFifo.NO_ROOM == at)
        {
            return false;
        }
        local.buffer().putInt(at, length);
        local.buffer().putBytes(at + LOCAL_HEADER_LENGTH, scratch, 0, length);
        return true;
    }

    /** Count a message that was dropped and has no sender to be refused to. */
    private void countUnlessSent(final boolean isSent)
    {
        if (!isSent)
        {
            counters.answerLost();
        }
    }

    /** Requests of one order key always go to the same worker, which handles them in order. */
    private static int worker(final long orderKey, final int workers)
    {
        return (int)(((orderKey * ORDER_KEY_MIX) >>> 33) % workers);
    }
}
