package io.escapement.engine.internal.edge;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class RoomOpenerTest
{
    private static final long OPENER = 1;
    private static final int TYPE = 3;
    private static final int SLOTS = 4;

    private final CommandQueue inbox =
        CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final CommandQueue otherInbox =
        CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final CommandQueue[] inboxes = {inbox, otherInbox};
    /** Calls of the strategy while it is held, oldest first. */
    private final List<Runnable> calls = new ArrayList<>();
    private final CachedNanoClock clock = new CachedNanoClock();
    private final RoomOpener opener = new RoomOpener(inboxes,
        new RoomPlacement(inboxes, (typeId, rooms) -> typeId - TYPE, new SecureRandom()), this::execute,
        new EngineClock(clock));
    private boolean isHeld;

    @Test
    void shouldPlaceARoomAndKeepTheRequest()
    {
        request(7);
        assertEquals(List.of("open 1 7"), take());
    }

    @Test
    void shouldRefuseWhileTheEngineDrains()
    {
        opener.stop();
        request(7);
        assertEquals(List.of("refusal 1 7 " + RefusalCode.DRAINING), take());
    }

    @Test
    void shouldAnswerEveryRequestWhenTheInboxesAreFull()
    {
        for (int i = 0; i < SLOTS + 3; i++)
        {
            request(i);
        }
        assertEquals(List.of("open 1 0", "open 1 1", "open 1 2", "open 1 3"), take());
        assertEquals(3, opener.housekeep());
        assertEquals(List.of("refusal 1 4 QUEUE_FULL", "refusal 1 5 QUEUE_FULL", "refusal 1 6 QUEUE_FULL"), take());
        assertEquals(0, opener.housekeep());
    }

    @Test
    void shouldForwardRequestsInTheirOrderWhenTheStrategyReturns()
    {
        isHeld = true;
        request(7);
        request(8);
        assertEquals(0, opener.poll());
        assertEquals(List.of(), take());
        calls.forEach(Runnable::run);
        assertEquals(2, opener.poll());
        assertEquals(List.of("open 1 7", "open 1 8"), take());
    }

    @Test
    void shouldPlaceRoomsOnTheLeastLoadedLoopWhenTheStrategyDoesNotReturn()
    {
        request(6);
        isHeld = true;
        request(7);
        clock.advance(1);
        request(8, TYPE + 1);
        clock.advance(RoomOpener.PLACEMENT_NS);
        assertEquals(1, opener.poll(), "the second has a nanosecond left");
        assertEquals(List.of("open 1 6"), take());
        assertEquals(List.of("open 1 7"), take(otherInbox));
        calls.forEach(Runnable::run);
        opener.poll();
        assertEquals(List.of(), take(), "the answer to the first comes too late");
        assertEquals(List.of("open 1 8"), take(otherInbox));
    }

    @Test
    void shouldRefuseRequestsThatWaitWhenTheEngineDrains()
    {
        isHeld = true;
        request(7);
        opener.stop();
        assertEquals(List.of("refusal 1 7 " + RefusalCode.DRAINING), take());
        calls.forEach(Runnable::run);
        opener.poll();
        assertEquals(List.of(), take());
    }

    @Test
    void shouldLimitTheRequestsThatWait()
    {
        isHeld = true;
        for (int i = 0; i < RoomOpener.WAITING_LIMIT; i++)
        {
            request(i);
        }
        assertEquals(List.of(), take());
        request(7);
        assertEquals(List.of("refusal 1 7 QUEUE_FULL"), take());
        assertEquals(RoomOpener.WAITING_LIMIT, calls.size());
    }

    private void execute(final Runnable call)
    {
        if (isHeld)
        {
            calls.add(call);
        }
        else
        {
            call.run();
        }
    }

    private void request(final long correlationId)
    {
        request(correlationId, TYPE);
    }

    private void request(final long correlationId, final int typeId)
    {
        new RoomEncoder().openRoom(command, 0, 0, 0, OPENER, correlationId, typeId, command, 0, 0);
        opener.open(command, 0);
    }

    private List<String> take()
    {
        return take(inbox);
    }

    private static List<String> take(final CommandQueue inbox)
    {
        final List<String> taken = new ArrayList<>();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        inbox.poll((slot, sequence, isEndOfBatch) ->
        {
            assertEquals(ControlSignal.COMMAND, slot.signal());
            if (OpenRoomDecoder.TEMPLATE_ID == header.wrap(inbox.block(), slot.offset).templateId())
            {
                final OpenRoomDecoder open =
                    new OpenRoomDecoder().wrapAndApplyHeader(inbox.block(), slot.offset, header);
                taken.add("open " + open.openerRoomId() + " " + open.correlationId());
            }
            else
            {
                final RefusalDecoder refusal =
                    new RefusalDecoder().wrapAndApplyHeader(inbox.block(), slot.offset, header);
                taken.add("refusal " + refusal.roomId() + " " + refusal.correlationId() + " " +
                    refusal.code());
            }
            return true;
        });
        return taken;
    }
}
