package io.escapement.engine.internal.service;

import com.lmax.disruptor.EventPoller;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.spi.AsyncService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;

/** A worker of a service: handles the requests in its queue one at a time and replies to each. */
public final class ServiceWorker implements Agent, AsyncService.Request
{
    private static final long RETRY_NS = 100_000;

    private final String roleName;
    private final Supplier<? extends AsyncService> supplier;
    private final CommandQueue queue;
    private final EventPoller.Handler<CommandQueue.Slot> slotHandler = this::onSlot;
    private final CommandQueue[] inboxes;
    private final ServiceCounters counters;
    private final ErrorHandler errorHandler;
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[RoomCommands.MAX_PAYLOAD_LENGTH]);
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final RequestDecoder request = new RequestDecoder();
    private final SlowService slow;
    private AsyncService service;
    private int payloadOffset;
    private int payloadLength;
    private int done;

    /**
     * Make a worker.
     *
     * @param definition   of the service. Its supplier is called in the worker's thread.
     * @param number       of this worker, from 0.
     * @param queue        of this worker.
     * @param inboxes      of the loops.
     * @param counters     of the service.
     * @param errorHandler receives exceptions of the service.
     */
    public ServiceWorker(
        final ServiceDefinition definition,
        final int number,
        final CommandQueue queue,
        final CommandQueue[] inboxes,
        final ServiceCounters counters,
        final ErrorHandler errorHandler)
    {
        roleName = "escapement-" + definition.name() + "-" + number;
        supplier = definition.supplier();
        slow = new SlowService(definition.name());
        this.queue = queue;
        this.inboxes = inboxes;
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    @Override
    public String roleName()
    {
        return roleName;
    }

    @Override
    public void onStart()
    {
        service = supplier.get();
    }

    @Override
    public int doWork()
    {
        done = 0;
        queue.poll(slotHandler);
        return done;
    }

    @Override
    public void onClose()
    {
        if (service instanceof AutoCloseable closeable)
        {
            try
            {
                closeable.close();
            }
            catch (final Exception ex)
            {
                errorHandler.onError(ex);
            }
        }
    }

    @Override
    public long orderKey()
    {
        return request.orderKey();
    }

    @Override
    public DirectBuffer buffer()
    {
        return queue.block();
    }

    @Override
    public int offset()
    {
        return payloadOffset;
    }

    @Override
    public int length()
    {
        return payloadLength;
    }

    @Override
    public MutableDirectBuffer reply()
    {
        return reply;
    }

    private boolean onSlot(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        request.wrapAndApplyHeader(queue.block(), slot.offset, header);
        payloadLength = request.payloadLength();
        payloadOffset = request.limit() + RequestDecoder.payloadHeaderLength();
        final long roomId = request.roomId();
        final long startNs = System.nanoTime();
        slow.onRequest();
        final int result = result();
        final int status = result < 0 ? ~result : 0;
        slow.onReply(roomId, request.correlationId(), status);
        counters.handled(System.nanoTime() - startNs);
        final int encoded = commands.reply(command, 0, roomId, request.correlationId(), status,
            reply, 0, Math.max(0, result));
        // The request reserved a slot. The inbox may still be full for a moment, and this thread may block.
        while (!inboxes[TrunkMessages.loopOf(roomId)].offer(ControlSignal.REPLY, null, command, 0, encoded))
        {
            if (Thread.currentThread().isInterrupted())
            {
                return false;
            }
            LockSupport.parkNanos(RETRY_NS);
        }
        done++;
        return true;
    }

    private int result()
    {
        // If the interrupt is from before the call, the engine is closing.
        final boolean wasInterrupted = Thread.currentThread().isInterrupted();
        try
        {
            final int result = service.onRequest(this);
            if (result <= reply.capacity())
            {
                return result;
            }
            errorHandler.onError(new IllegalStateException(
                roleName + " returned a reply of " + result + " bytes, but " + reply.capacity() + " is the maximum"));
        }
        catch (final Throwable ex)
        {
            // An Error too: the request would be delivered again.
            errorHandler.onError(ex);
        }
        finally
        {
            if (!wasInterrupted)
            {
                // By the service: the thread could not wait for the inbox.
                Thread.interrupted();
            }
        }
        counters.failed();
        return ~RefusalCode.SERVICE_FAILED.value();
    }
}
