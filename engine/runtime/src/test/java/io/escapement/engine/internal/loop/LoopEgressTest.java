package io.escapement.engine.internal.loop;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** States to a link that takes them late, in steps of a millisecond; each holds the number of its step. */
class LoopEgressTest
{
    private static final int LINK = 3;
    /** Fills a packet, so that all packets are equal. */
    private static final int STATE_LENGTH = 1_376 - RoomMessage.MIN_HEADER_LENGTH;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int PATIENCE = 16;
    private static final int COUNTERS_LENGTH = 64 * 1_024;

    private final List<Integer> lost = new ArrayList<>();
    private final List<Long> received = new ArrayList<>();
    private final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE_LENGTH]);
    private final RoomMessage message = new RoomMessage();
    private final FragmentHandler handler = (buffer, offset, length, flags) ->
    {
        assertTrue(message.wrap(buffer, offset, offset + length) > 0);
        received.add(buffer.getLong(message.payloadOffset()));
    };
    private MediaDriver driver;
    private Aeron aeron;
    private Subscription subscription;
    private LoopEgress egress;
    private AtomicCounter dropped;
    private long step;
    private int sent;

    @BeforeEach
    void connect()
    {
        driver = MediaDriver.launchEmbedded(new MediaDriver.Context().threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker()));
        subscription = aeron.addSubscription(CommonContext.IPC_CHANNEL, 1);
        final ExclusivePublication publication =
            aeron.addExclusivePublication(CommonContext.IPC_CHANNEL + "?term-length=64k", 1);
        while (!publication.isConnected() || 0 == subscription.imageCount())
        {
            invoke();
        }
        final CountersManager manager = new CountersManager(
            new UnsafeBuffer(new byte[4 * COUNTERS_LENGTH]), new UnsafeBuffer(new byte[COUNTERS_LENGTH]));
        egress = new LoopEgress(
            new LoopContext().trunks(new TrunkServerContext().limit(LINK + 1).queueLength(256 * 1_024)
                    .queueMemory(512 * 1_024).statePatienceNs(PATIENCE * STEP_NS).slowNs(TimeUnit.SECONDS.toNanos(2)))
                .counters(new LoopCounters(0, (typeId, label) -> counter(manager, typeId, label), Map.of())),
            new LoopEgress.LinkListener()
            {
                @Override
                public void onSlow(final int link)
                {
                    throw new AssertionError("slow: " + link);
                }

                @Override
                public void onStatesLost(final int link)
                {
                    lost.add(link);
                }
            });
        egress.attach(
            new LinkAttachment(LINK, LinkPublication.of(publication, 0),
            new LinkQueues()));
    }

    @AfterEach
    void disconnect()
    {
        CloseHelper.closeAll(aeron, driver);
    }

    @Test
    void shouldDropNothingThatLeavesInTimeThoughMoreAlwaysWaits()
    {
        fill();
        send(PATIENCE / 2);
        for (int i = 0; i < 10 * PATIENCE; i++)
        {
            step++;
            send(1);
            take(1);
            assertTrue(egress.isWaiting());
        }
        takeAll();
        assertEquals(0, dropped.get());
        assertEquals(sent, received.size());
        assertEquals(List.of(), lost);
    }

    @Test
    void shouldDropWhatIsOldAndKeepWhatIsNew()
    {
        fill();
        final long filled = step;
        for (int i = 0; i < 3 * PATIENCE; i++)
        {
            step++;
            send(1);
        }
        assertEquals(List.of(), lost, "not before the link takes again");
        takeAll();
        assertEquals(sent, received.size() + dropped.get());
        assertEquals(List.of(LINK), lost);
        final List<Long> late = received.stream().filter((sentIn) -> sentIn > filled).toList();
        final List<Long> newest = LongStream.rangeClosed(step - late.size() + 1, step).boxed().toList();
        assertEquals(newest, late, "in order, and no hole after the first");
        assertTrue(late.size() > PATIENCE, "what has not waited for so long is kept: " + late);
        assertTrue(late.size() <= 2 * PATIENCE + 1, "what has waited for twice as long is not: " + late);
    }

    private AtomicCounter counter(final CountersManager manager, final int typeId, final String label)
    {
        final AtomicCounter counter = manager.newCounter(label, typeId);
        dropped = label.endsWith("states dropped") ? counter : dropped;
        return counter;
    }

    private void invoke()
    {
        aeron.conductorAgentInvoker().invoke();
        driver.sharedAgentInvoker().invoke();
    }

    /** As much as the link takes ahead, and one more. */
    private void fill()
    {
        while (!egress.isWaiting())
        {
            send(1);
        }
    }

    private void send(final int count)
    {
        egress.turnTime(step * STEP_NS);
        state.putLong(0, step);
        for (int i = 0; i < count; i++)
        {
            egress.message(LINK, 7, Outputs.STATE, Outputs.ALL, 0, state, 0, STATE_LENGTH);
            sent++;
        }
        egress.send(false);
    }

    private int take(final int limit)
    {
        final int taken = subscription.poll(handler, limit);
        invoke();
        return taken;
    }

    private void takeAll()
    {
        int idle = 0;
        while (idle < 3)
        {
            idle = 0 == take(Integer.MAX_VALUE) ? idle + 1 : 0;
            egress.send(false);
        }
        assertFalse(egress.isWaiting());
    }
}
