package io.escapement.engine.internal.service;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.spi.AsyncService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A worker without a thread: requests in a queue in memory, and duty cycles run by hand. */
class ServiceWorkerTest
{
    private static final int SLOTS = 4;
    private static final long ROOM = 9;

    private final CommandQueue queue = newQueue();
    private final CommandQueue inbox = newQueue();
    private final List<Throwable> errors = new ArrayList<>();
    private final EngineCounters counters = new EngineCounters();
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[Long.BYTES]);

    @Test
    void shouldAnswerEachRequestOnceAndInOrder()
    {
        final ServiceWorker worker = worker(this::doubled);
        request(1, 10);
        request(2, 20);
        assertEquals(2, worker.doWork());
        assertEquals(List.of("1: 0 20", "2: 0 40"), replies());
        assertEquals(0, worker.doWork());
        assertEquals(List.of(), replies());
    }

    @Test
    void shouldReplyWithTheStatusOfTheService()
    {
        final ServiceWorker worker = worker((request) -> ~3);
        request(1, 10);
        worker.doWork();
        assertEquals(List.of("1: 3"), replies());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldReplyThatTheServiceThrewAndHandleTheNextRequest()
    {
        final Exception thrown = new Exception("expected");
        final ServiceWorker worker = worker((request) ->
        {
            if (1 == request.orderKey())
            {
                // A partial reply must not reach the room.
                request.reply().putLong(0, -1);
                throw thrown;
            }
            return doubled(request);
        });
        request(1, 10);
        request(2, 20);
        assertEquals(2, worker.doWork());
        assertEquals(List.of("1: " + RefusalCode.SERVICE_FAILED.value(), "2: 0 40"), replies());
        assertEquals(2, counters.value("escapement service 1 tests: requests"));
        assertEquals(1, counters.value("escapement service 1 tests: requests that failed"));
        assertTrue(counters.value("escapement service 1 tests: nanoseconds at work") > 0);
        assertEquals(1, errors.size());
        assertSame(thrown, errors.get(0));
    }

    @Test
    void shouldKeepTheRequestWhenItIsInterruptedAtAFullInbox()
    {
        final ServiceWorker worker = worker(this::doubled);
        while (inbox.hasRoom(1))
        {
            assertTrue(inbox.offer(ControlSignal.EXECUTE, null, command, 0, 0));
        }
        request(1, 10);
        Thread.currentThread().interrupt();
        try
        {
            assertEquals(0, worker.doWork());
        }
        finally
        {
            assertTrue(Thread.interrupted());
        }
        assertEquals(SLOTS, inbox.size());
    }

    @Test
    void shouldCloseItsServiceAndReportAFailureToClose()
    {
        final class Closing implements AsyncService, AutoCloseable
        {
            private int closed;

            @Override
            public int onRequest(final Request request)
            {
                return 0;
            }

            @Override
            public void close() throws IOException
            {
                closed++;
                throw new IOException("expected");
            }
        }

        final Closing service = new Closing();
        worker(service).onClose();
        assertEquals(1, service.closed);
        assertEquals(1, errors.size());
    }

    private int doubled(final AsyncService.Request request)
    {
        assertEquals(Long.BYTES, request.length());
        request.reply().putLong(0, 2 * request.buffer().getLong(request.offset()));
        return Long.BYTES;
    }

    private ServiceWorker worker(final AsyncService service)
    {
        final ServiceDefinition definition = new ServiceDefinition(1, "tests", 1, () -> service);
        final ServiceCounters handled = new ServiceCounters(definition, counters);
        final ServiceWorker worker =
            new ServiceWorker(definition, 0, queue, new CommandQueue[]{inbox}, handled, errors::add);
        worker.onStart();
        return worker;
    }

    private void request(final long number, final long content)
    {
        payload.putLong(0, content);
        final int length = commands.request(command, 0, ROOM, number, number, 1, payload, 0, Long.BYTES);
        assertTrue(queue.offer(ControlSignal.COMMAND, null, command, 0, length));
    }

    /** The correlation id, the status and the content of each reply. */
    private List<String> replies()
    {
        final List<String> replies = new ArrayList<>();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final ReplyDecoder reply = new ReplyDecoder();
        inbox.poll((slot, sequence, isEndOfBatch) ->
        {
            assertEquals(ControlSignal.REPLY, slot.signal());
            reply.wrapAndApplyHeader(inbox.block(), slot.offset, header);
            assertEquals(ROOM, reply.roomId());
            final int length = reply.payloadLength();
            final int offset = reply.limit() + ReplyDecoder.payloadHeaderLength();
            replies.add(reply.correlationId() + ": " + reply.status() +
                (0 == length ? "" : " " + inbox.block().getLong(offset)));
            return true;
        });
        return replies;
    }

    private static CommandQueue newQueue()
    {
        return CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    }
}
