package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.host.Outputs;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the output of a loop's host goes: messages to the links, requests and answers to other loops, to services and
 * to the edge. What comes back to a room of the same loop waits here for the next turn.
 */
final class LoopOutputs implements Outputs, LoopEgress.LinkWatcher
{
    static final int LOCAL_HEADER_LENGTH = Integer.BYTES;

    private static final long NO_SUBSCRIBER = 0;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final int loop;
    private final LoopSettings settings;
    private final LoopCounters counters;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final LoopEgress egress;
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LoopWiring.INBOX_SLOT_LENGTH]);
    private final Outbox edge;
    private final Outbox[] loops;
    private final Int2ObjectHashMap<Outbox[]> workersByServiceIdMap = new Int2ObjectHashMap<>();
    private final Outbox[] outboxes;
    private ByteFifo local;
    private ByteFifo localTaken;
    private int asyncCredits;
    private boolean isLoaded;
    private boolean hasMissedDirectory;

    LoopOutputs(final LoopWiring wiring, final LoopSettings settings, final LoopCounters counters)
    {
        this.settings = settings;
        this.counters = counters;
        loop = wiring.loop();
        egress = new LoopEgress(settings, counters, this);
        asyncCredits = settings.asyncCredits();
        local = new ByteFifo(settings.outboxLength());
        localTaken = new ByteFifo(settings.outboxLength());
        final ArrayList<Outbox> made = new ArrayList<>();
        edge = outbox(wiring.edge(), made);
        loops = new Outbox[wiring.inboxes().length];
        for (int i = 0; i < loops.length; i++)
        {
            loops[i] = i == loop ? null : outbox(wiring.inboxes()[i], made);
        }
        for (final Map.Entry<Integer, CommandQueue[]> service : wiring.workersByServiceIdMap().entrySet())
        {
            final Outbox[] workers = new Outbox[service.getValue().length];
            for (int i = 0; i < workers.length; i++)
            {
                workers[i] = outbox(service.getValue()[i], made);
            }
            workersByServiceIdMap.put(service.getKey().intValue(), workers);
        }
        outboxes = made.toArray(new Outbox[0]);
    }

    private Outbox outbox(final CommandQueue queue, final ArrayList<Outbox> made)
    {
        final Outbox outbox = new Outbox(queue, settings.outboxLength());
        made.add(outbox);
        return outbox;
    }

    void attach(final int link, final ExclusivePublication publication)
    {
        egress.attach(link, publication);
        notice(ControlSignal.ATTACHED, link);
    }

    void detach(final int link)
    {
        if (egress.detach(link))
        {
            notice(ControlSignal.DETACHED, link);
        }
    }

    void turnTime(final long nowNs, final boolean isLoopLoaded)
    {
        isLoaded = isLoopLoaded;
        egress.turnTime(nowNs);
    }

    /**
     * Move what waits for other threads, as far as they take it.
     *
     * @return how many messages were moved.
     */
    int drain()
    {
        int moved = 0;
        for (final Outbox outbox : outboxes)
        {
            moved += outbox.drain();
        }
        return moved;
    }

    /** Whether a turn is wanted, to send what waits or to run what came back. */
    boolean isWaiting()
    {
        return egress.isWaiting() || !local.isEmpty();
    }

    /** What rooms of this loop have for each other, {length, command} each. Valid until the next call. */
    ByteFifo takeLocal()
    {
        final ByteFifo taken = local;
        localTaken.clear();
        local = localTaken;
        localTaken = taken;
        return taken;
    }

    /** The reply to a request of this loop has been taken from the inbox. */
    void replied()
    {
        asyncCredits++;
    }

    /** Whether the directory should be told everything again, now that it listens. */
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
    public void joined(
        final int link,
        final long requestId,
        final long roomId,
        final int seatIndex,
        final int generation,
        final long playerId,
        final long sequence)
    {
        egress.joined(link, requestId, roomId, seatIndex, generation, playerId, sequence);
    }

    @Override
    public void resumed(
        final int link, final long roomId, final int seatIndex, final int generation, final long sequence)
    {
        egress.resumed(link, roomId, seatIndex, generation, sequence);
    }

    @Override
    public void away(
        final int link, final long roomId, final int seatIndex, final int generation, final AwayReason reason)
    {
        egress.away(link, roomId, seatIndex, generation, reason);
    }

    @Override
    public void left(
        final int link, final long roomId, final int seatIndex, final int generation, final LeaveReason reason)
    {
        egress.left(link, roomId, seatIndex, generation, reason);
    }

    @Override
    public void refused(
        final int link, final int templateId, final long roomId, final long reference, final int code)
    {
        egress.refused(link, templateId, roomId, reference, code);
    }

    @Override
    public void roomOpened(final long roomId, final int typeId, final int seatLimit)
    {
        tellDirectory(DirectoryChange.OPENED, roomId, typeId, 0, seatLimit, 0, NOTHING, 0, 0);
    }

    @Override
    public void roomClosed(final long roomId, final CloseReason reason)
    {
        tellDirectory(DirectoryChange.CLOSED, roomId, 0, 0, 0, 0, NOTHING, 0, 0);
    }

    @Override
    public void occupancy(final long roomId, final int seatsTaken)
    {
        tellDirectory(DirectoryChange.OCCUPANCY, roomId, 0, seatsTaken, 0, 0, NOTHING, 0, 0);
    }

    @Override
    public void label(final long roomId, final int key, final DirectBuffer buffer, final int offset, final int length)
    {
        tellDirectory(DirectoryChange.LABEL, roomId, 0, 0, 0, key, buffer, offset, length);
    }

    @Override
    public void subscribe(final long roomId)
    {
        scratch.putLong(0, roomId);
        countUnlessNone(sent(edge.send(ControlSignal.SUBSCRIBE, scratch, Long.BYTES)));
    }

    @Override
    public void signal(
        final long fromRoomId,
        final long correlationId,
        final long toRoomId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int encoded =
            commands.signal(scratch, 0, toRoomId, fromRoomId, correlationId, buffer, offset, length);
        refuseUnlessNone(send(TrunkMessages.loopOf(toRoomId), encoded), fromRoomId, correlationId);
    }

    @Override
    public void async(
        final long roomId,
        final long correlationId,
        final int serviceId,
        final long orderKey,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final Outbox[] workers = workersByServiceIdMap.get(serviceId);
        if (null == workers)
        {
            refuseUnlessNone(RefusalCode.UNKNOWN_SERVICE, roomId, correlationId);
            return;
        }
        // A request takes the place of its reply in the inbox along, so that the reply finds one.
        if (0 == asyncCredits)
        {
            refuseUnlessNone(RefusalCode.QUEUE_FULL, roomId, correlationId);
            return;
        }
        final Outbox worker = workers[ServiceRequest.worker(orderKey, workers.length)];
        final int encoded =
            ServiceRequest.encode(scratch, roomId, correlationId, orderKey, buffer, offset, length);
        if (worker.send(serviceId, scratch, encoded))
        {
            asyncCredits--;
        }
        else
        {
            refuseUnlessNone(RefusalCode.QUEUE_FULL, roomId, correlationId);
        }
    }

    @Override
    public void openRoom(
        final long roomId,
        final long correlationId,
        final int typeId,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        // The edge knows where there is room, and gives the id and the seed.
        final int encoded =
            commands.openRoom(scratch, 0, 0, typeId, 0, roomId, correlationId, buffer, offset, length);
        refuseUnlessNone(sent(edge.send(CommandQueue.COMMAND, scratch, encoded)), roomId, correlationId);
    }

    @Override
    public void reserve(
        final long roomId, final long correlationId, final long inRoomId, final long playerId, final long ttlNs)
    {
        final int encoded = commands.reserve(scratch, 0, inRoomId, playerId, ttlNs, roomId, correlationId);
        refuseUnlessNone(send(TrunkMessages.loopOf(inRoomId), encoded), roomId, correlationId);
    }

    @Override
    public void reply(final long toRoomId, final long correlationId, final int status, final long roomId)
    {
        final UnsafeBuffer buffer = scratch;
        final int payload = buffer.capacity() - Long.BYTES;
        buffer.putLong(payload, roomId, ByteOrder.LITTLE_ENDIAN);
        final int encoded =
            commands.reply(buffer, 0, toRoomId, correlationId, status, buffer, payload, Long.BYTES);
        countUnlessNone(send(TrunkMessages.loopOf(toRoomId), encoded));
    }

    @Override
    public void signalRefused(final long toRoomId, final long correlationId, final int code)
    {
        final int encoded = commands.refusal(scratch, 0, toRoomId, correlationId, code);
        countUnlessNone(send(TrunkMessages.loopOf(toRoomId), encoded));
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

    /** Send what was held back, and say to how many links. */
    int release()
    {
        final int waiting = egress.waiting();
        if (0 != waiting)
        {
            egress.send(false);
        }
        return waiting - egress.waiting();
    }

    /** Whether there was room for it to be told to close. */
    boolean close(final long roomId)
    {
        return RefusalCode.NONE == send(loop, commands.closeRoom(scratch, 0, roomId));
    }

    /** Requests to services that have not been answered. */
    int openRequests()
    {
        return settings.asyncCredits() - asyncCredits;
    }

    int leftovers()
    {
        int left = egress.waiting() + (local.isEmpty() ? 0 : 1);
        for (final Outbox outbox : outboxes)
        {
            left += outbox.isEmpty() ? 0 : 1;
        }
        return left;
    }

    @Override
    public void onSlow(final int link)
    {
        notice(ControlSignal.SLOW, link);
    }

    @Override
    public void onStatesLost(final int link)
    {
        countUnlessNone(send(loop, commands.linkStateLost(scratch, 0, link)));
    }

    /** A room that got its place and id did not open. */
    void notOpened(final long roomId)
    {
        tellDirectory(DirectoryChange.CLOSED, roomId, 0, 0, 0, 0, NOTHING, 0, 0);
    }

    private void tellDirectory(
        final DirectoryChange change,
        final long roomId,
        final int typeId,
        final int seatsTaken,
        final int seatLimit,
        final int labelKey,
        final DirectBuffer value,
        final int valueOffset,
        final int valueLength)
    {
        final int encoded = commands.directoryEntry(scratch, 0, NO_SUBSCRIBER, change, roomId, typeId,
            seatsTaken, seatLimit, labelKey, value, valueOffset, valueLength);
        hasMissedDirectory |= !edge.send(CommandQueue.COMMAND, scratch, encoded);
    }

    private void notice(final int kind, final int link)
    {
        scratch.putInt(0, loop);
        scratch.putInt(Integer.BYTES, link);
        countUnlessNone(sent(edge.send(kind, scratch, 2 * Integer.BYTES)));
    }

    /** Pass on the command in the scratch buffer. */
    private RefusalCode send(final int toLoop, final int length)
    {
        if (toLoop == loop)
        {
            final int offset = local.claim(LOCAL_HEADER_LENGTH + length);
            if (ByteFifo.NO_ROOM != offset)
            {
                local.buffer().putInt(offset, length);
                local.buffer().putBytes(offset + LOCAL_HEADER_LENGTH, scratch, 0, length);
            }
            return sent(ByteFifo.NO_ROOM != offset);
        }
        return toLoop >= loops.length ?
            RefusalCode.UNKNOWN_ROOM : sent(loops[toLoop].send(CommandQueue.COMMAND, scratch, length));
    }

    private void refuseUnlessNone(final RefusalCode code, final long roomId, final long correlationId)
    {
        if (RefusalCode.NONE != code)
        {
            counters.requestRefused();
            countUnlessNone(send(loop, commands.refusal(scratch, 0, roomId, correlationId, code.value())));
        }
    }

    /** For what has nobody to be told: an answer that found no room anywhere. */
    private void countUnlessNone(final RefusalCode code)
    {
        if (RefusalCode.NONE != code)
        {
            counters.answerLost();
        }
    }

    private static RefusalCode sent(final boolean isSent)
    {
        return isSent ? RefusalCode.NONE : RefusalCode.QUEUE_FULL;
    }
}
