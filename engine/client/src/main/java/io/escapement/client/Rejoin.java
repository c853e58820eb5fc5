package io.escapement.client;

import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * The joins of a trunk that reconnects. Each is kept while its seat is held, and resent when the trunk is up and the
 * engine has not returned the seat. A join without an answer is also resent.
 */
final class Rejoin
{
    /** Sends a join on the current connection. */
    interface Sender
    {
        SendStatus join(KeptJoin request);
    }

    /** The engine returns the seats of a resumed trunk as soon as their loops are attached. */
    static final long RESUME_NS = TimeUnit.SECONDS.toNanos(1);
    /** If a join exceeds the trunk's rate, it waits, and so do all joins after it. */
    static final long RATE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ClientSeats seats;
    private final Sender sender;
    /** Joins without an answer, by request id. */
    private final Long2ObjectHashMap<KeptJoin> openByRequestMap = new Long2ObjectHashMap<>();
    private final LongHashSet repeatedRequests = new LongHashSet();
    private final ArrayDeque<KeptJoin> queue = new ArrayDeque<>();
    private boolean isCollected = true;
    private long dueNs;

    Rejoin(final ClientSeats seats, final Sender sender)
    {
        this.seats = seats;
        this.sender = sender;
    }

    /** Whether there are joins to send, now or later. */
    boolean isPending()
    {
        return !isCollected || !queue.isEmpty();
    }

    void onJoin(final KeptJoin request)
    {
        openByRequestMap.put(request.requestId(), request);
        repeatedRequests.remove(request.requestId());
    }

    /** The join need not be resent. */
    void onCancel(final long requestId)
    {
        final KeptJoin request = openByRequestMap.remove(requestId);
        if (null != request)
        {
            queue.remove(request);
        }
    }

    void onJoined(final long requestId, final ClientSeat seat)
    {
        final KeptJoin request = openByRequestMap.get(requestId);
        if (null != request && request.roomId() == seat.roomId() && request.playerId() == seat.playerId())
        {
            openByRequestMap.remove(requestId);
            seat.keptJoin(request);
        }
    }

    /** A join was refused. Returns whether it will be resent. Then its refusal is not final. */
    boolean onRefused(final long requestId, final int code, final long nowNs)
    {
        final KeptJoin request = openByRequestMap.remove(requestId);
        if (null == request || TrunkCode.RATE_LIMITED.value() != code || !repeatedRequests.contains(requestId))
        {
            return false;
        }
        openByRequestMap.put(requestId, request);
        queue.add(request);
        dueNs = nowNs + RATE_NS;
        return true;
    }

    void onUp(final boolean isResumed, final long nowNs)
    {
        queue.clear();
        isCollected = false;
        dueNs = isResumed ? nowNs + RESUME_NS : nowNs;
    }

    /** Send the next join. Joins are sent singly, because thousands at once would exceed any rate. */
    void advance(final long nowNs)
    {
        if (nowNs - dueNs < 0)
        {
            return;
        }
        if (!isCollected)
        {
            collect();
        }
        final KeptJoin next = queue.peek();
        final SendStatus status = null == next ? SendStatus.NOT_READY : sender.join(next);
        if (SendStatus.SENT == status)
        {
            repeatedRequests.add(next.requestId());
            queue.remove();
        }
        else if (SendStatus.NO_ROOM == status)
        {
            queue.remove();
        }
    }

    private void collect()
    {
        isCollected = true;
        for (final ClientSeat seat : seats.all())
        {
            final KeptJoin request = seat.keptJoin();
            if (!seat.isPresent() && null != request)
            {
                openByRequestMap.put(request.requestId(), request);
            }
        }
        final List<KeptJoin> inOrder = new ArrayList<>(openByRequestMap.values());
        inOrder.sort(Comparator.comparingLong(KeptJoin::number));
        queue.addAll(inOrder);
    }
}
