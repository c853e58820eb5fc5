package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Places the rooms that other rooms request: has the placement strategy choose the loop, in its own thread if the
 * application supplied it, and forwards the request in the edge's thread. Requests are forwarded in their order. Each
 * is answered, even if the strategy does not return: then its room goes to the least loaded loop.
 */
final class RoomOpener
{
    /** A call that takes longer is reported. */
    private static final long CALL_NS = TimeUnit.SECONDS.toNanos(1);
    /** How long a strategy may take. */
    static final long PLACEMENT_NS = TimeUnit.SECONDS.toNanos(5);
    /** Requests that may wait for the strategy. */
    static final int WAITING_LIMIT = 1_024;

    private record Refusal(long openerRoomId, long correlationId, RefusalCode code)
    {
    }

    private final CommandQueue[] inboxes;
    private final RoomPlacement placement;
    private final Executor executor;
    private final EngineClock clock;
    private final RoomEncoder commands = new RoomEncoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OpenRoomDecoder request = new OpenRoomDecoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    /** Requests that wait for a loop, oldest first. */
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    /**
     * Requests with a chosen loop, in the order of {@link #waiting}. Requests that are no longer in it have been
     * answered before.
     */
    private final ManyToOneConcurrentLinkedQueue<Request> placed = new ManyToOneConcurrentLinkedQueue<>();
    /** Refusals that did not fit their room's inbox, oldest first: a requesting room waits for its answer. */
    private final ArrayDeque<Refusal> refusals = new ArrayDeque<>();
    private final UserCall placementCall;
    private boolean isStopping;

    RoomOpener(
        final CommandQueue[] inboxes, final RoomPlacement placement, final Executor executor, final EngineClock clock)
    {
        this.inboxes = inboxes;
        this.placement = placement;
        this.executor = executor;
        this.clock = clock;
        placementCall = new UserCall("placement", CALL_NS, clock);
    }

    /** Refuse every further request, and the waiting requests. */
    void stop()
    {
        isStopping = true;
        for (Request next = waiting.poll(); null != next; next = waiting.poll())
        {
            refuse(next.openerRoomId, next.correlationId, RefusalCode.DRAINING);
        }
    }

    /** Forget the waiting requests: the loops no longer lead, and their rooms ask the next leader. */
    void forget()
    {
        waiting.clear();
        refusals.clear();
    }

    /** The call of the placement strategy. */
    UserCall placementCall()
    {
        return placementCall;
    }

    /** Forward an OpenRoom without an id to the loop of its room, once that is chosen, or refuse it to the opener. */
    void open(final DirectBuffer buffer, final int offset)
    {
        request.wrapAndApplyHeader(buffer, offset, header);
        if (isStopping || waiting.size() >= WAITING_LIMIT)
        {
            refuse(request.openerRoomId(), request.correlationId(),
                isStopping ? RefusalCode.DRAINING : RefusalCode.QUEUE_FULL);
            return;
        }
        final Request next = new Request(request, clock.nowNs());
        waiting.add(next);
        executor.execute(next);
        // A strategy without a thread has returned.
        poll();
    }

    /** Forward the requests with a chosen loop. If the strategy does not return, place its rooms. */
    int poll()
    {
        int work = 0;
        for (Request next = placed.poll(); null != next; next = placed.poll())
        {
            if (next == waiting.peek())
            {
                forward(waiting.remove(), next.loop);
            }
            work++;
        }
        while (!waiting.isEmpty() && clock.nowNs() - waiting.peek().sinceNs > PLACEMENT_NS)
        {
            final Request late = waiting.remove();
            forward(late, placement.leastLoaded(late.typeId));
            work++;
        }
        return work;
    }

    /** Send the refusals that did not fit an inbox. */
    int housekeep()
    {
        int work = poll();
        for (int i = refusals.size(); i > 0; i--)
        {
            final Refusal refusal = refusals.remove();
            if (tryRefuse(refusal))
            {
                work++;
            }
            else
            {
                refusals.add(refusal);
            }
        }
        return work;
    }

    private void forward(final Request next, final int loop)
    {
        final long roomId = placement.placeOn(loop);
        final int length = commands.openRoom(command, 0, roomId, placement.seed(), next.openerRoomId,
            next.correlationId, next.typeId, next.args, 0, next.args.capacity());
        if (!inboxes[loop].offer(ControlSignal.COMMAND, null, command, 0, length))
        {
            placement.release(roomId);
            refuse(next.openerRoomId, next.correlationId, RefusalCode.QUEUE_FULL);
        }
    }

    private void refuse(final long openerRoomId, final long correlationId, final RefusalCode code)
    {
        final Refusal refusal = new Refusal(openerRoomId, correlationId, code);
        if (!tryRefuse(refusal))
        {
            refusals.add(refusal);
        }
    }

    private boolean tryRefuse(final Refusal refusal)
    {
        final int length = commands.refusal(
            command, 0, refusal.openerRoomId(), refusal.correlationId(), refusal.code().value());
        return inboxes[TrunkMessages.loopOf(refusal.openerRoomId())]
            .offer(ControlSignal.COMMAND, null, command, 0, length);
    }

    /** A room that waits for its loop. The strategy's thread writes the loop, the edge reads it from the queue. */
    private final class Request implements Runnable
    {
        private final long openerRoomId;
        private final long correlationId;
        private final int typeId;
        private final UnsafeBuffer args;
        private final long sinceNs;
        private int loop;

        Request(final OpenRoomDecoder decoder, final long sinceNs)
        {
            this.sinceNs = sinceNs;
            openerRoomId = decoder.openerRoomId();
            correlationId = decoder.correlationId();
            typeId = decoder.typeId();
            final byte[] bytes = new byte[decoder.argsLength()];
            decoder.getArgs(bytes, 0, bytes.length);
            args = new UnsafeBuffer(bytes);
        }

        @Override
        public void run()
        {
            placementCall.begin();
            // It does not throw: a guard is around the application's strategy.
            loop = placement.loopFor(typeId);
            placementCall.end();
            placed.offer(this);
        }
    }
}
