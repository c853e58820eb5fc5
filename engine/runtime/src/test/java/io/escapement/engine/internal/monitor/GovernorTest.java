package io.escapement.engine.internal.monitor;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.SetRateDecoder;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.loop.LoopMeasurements;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.monitor.MonitorContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** How a governor answers to load, sample by sample. */
class GovernorTest
{
    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(64 * 1_024, 64)),
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(16 * 1_024, 64)));
    private final CommandQueue inbox = CommandQueue.multiProducer(16, 64, new BusySpinWaitStrategy());
    private final AtomicCounter level = counters.newCounter("level");
    private final Map<String, AtomicCounter> counterByLabelMap = new HashMap<>();
    private final List<String> caps = new ArrayList<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SetRateDecoder setRate = new SetRateDecoder();
    private final RateLimits limits = new RateLimits();
    private final Governor governor = governor();
    private long nowNs;

    @Test
    void shouldGoDownTheLadderAndUpAgain()
    {
        samples(3, 0.5);
        samples(1, 0.95);
        assertEquals(List.of(), caps, "one busy sample is not enough");
        samples(1, 0.95);
        assertEquals(List.of("type 1: 30", "type 2: 10"), caps);
        samples(2, 0.95);
        samples(20, 0.95);
        assertEquals(3, governor.level());
        assertEquals(3, level.get());
        assertEquals(List.of("type 1: 30", "type 2: 10", "type 1: 15", "type 2: 10", "type 1: 8", "type 2: 10"), caps);
        caps.clear();
        samples(7, 0.1);
        assertEquals(List.of(), caps);
        samples(17, 0.1);
        assertEquals(0, governor.level());
        assertEquals("type 2: 0", caps.get(caps.size() - 1), "no cap is left");
    }

    @Test
    void shouldStayWhereAStepUpWouldNotFit()
    {
        samples(2, 0.95);
        samples(1_000, 0.5);
        assertEquals(1, governor.level());
    }

    /** Half a core at 30 Hz, of which half is for messages: 60 Hz take three quarters. */
    @Test
    void shouldReturnWhenTheWorkMeasuredFits()
    {
        samples(2, 0.95);
        assertEquals(1, governor.level());
        for (int i = 0; i < 7; i++)
        {
            governor.onLoad(0.5, 0.25);
        }
        assertEquals(1, governor.level());
        governor.onLoad(0.5, 0.25);
        assertEquals(0, governor.level(), "after two seconds");
        samples(2, 0.95);
        for (int i = 0; i < 1_000; i++)
        {
            governor.onLoad(0.6, 0.25);
        }
        assertEquals(1, governor.level(), "85 % would be busy");
    }

    /** As polled: the counters of a loop that works for half of each sample, a quarter in frames. */
    @Test
    void shouldMeasureFramesByTheLoopsCounters()
    {
        samples(2, 0.95);
        for (int i = 1; i <= 8; i++)
        {
            nowNs += 250_000_000L;
            counterByLabelMap.get("escapement loop 0: nanoseconds at work").getAndAdd(125_000_000L);
            counterByLabelMap.get("escapement loop 0: nanoseconds in frames").getAndAdd(62_500_000L);
            governor.poll(nowNs);
        }
        assertEquals(0, governor.level());
    }

    @Test
    void shouldWaitLongerAfterAStepUpThatWasWrong()
    {
        samples(2, 0.95);
        int steps = 0;
        for (int i = 0; i < 1_000; i++)
        {
            final int before = governor.level();
            // A load that fits with half the frames, and does not with all.
            samples(1, 0 == governor.level() ? 0.95 : 0.35);
            steps += before != governor.level() ? 1 : 0;
        }
        assertTrue(steps < 20, "steps in 250 s: " + steps);
    }

    @Test
    void shouldTellLaterWhatTheInboxDoesNotTake()
    {
        final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
        while (inbox.offer(ControlSignal.PADDING, null, nothing, 0, 0))
        {
            // Until it is full.
            new YieldingIdleStrategy().idle();
        }
        governor.onLoad(0.95, 0.95);
        governor.onLoad(0.95, 0.95);
        assertEquals(0, governor.poll(nowNs));
        take();
        assertEquals(2, governor.poll(nowNs));
        take();
        assertEquals(List.of("type 1: 30", "type 2: 10"), caps);
    }

    @Test
    void shouldStayBelowTheLimitOfAnOperator()
    {
        limits.set(1, 25);
        limits.set(2, 40);
        limits.changed();
        assertEquals(2, governor.poll(nowNs));
        take();
        assertEquals(List.of("type 1: 25", "type 2: 40"), caps);
        caps.clear();
        governor.onLoad(0.95, 0.95);
        governor.onLoad(0.95, 0.95);
        governor.poll(nowNs);
        take();
        assertEquals(List.of("type 1: 25", "type 2: 10"), caps);
        caps.clear();
        limits.set(1, 0);
        limits.changed();
        governor.poll(nowNs);
        take();
        assertEquals(List.of("type 1: 30", "type 2: 10"), caps);
    }

    private Governor governor()
    {
        final LoopCounters loopCounters = new LoopCounters(0, this::newCounter, Map.of());
        final MonitoredLoop loop =
            new MonitoredLoop(0, null, loopCounters, new LoopMeasurements(), inbox, () -> null, limits);
        return new Governor(loop, List.of(
            new Governor.Ladder(1, new MonitorContext().ladderOf(1)),
            new Governor.Ladder(2, new int[]{20, 10})), level, 0);
    }

    private AtomicCounter newCounter(final int typeId, final String label)
    {
        return counterByLabelMap.computeIfAbsent(label, (name) -> counters.newCounter(name, typeId));
    }

    private void samples(final int count, final double load)
    {
        for (int i = 0; i < count; i++)
        {
            governor.onLoad(load, load);
            governor.poll(nowNs);
            take();
        }
    }

    private void take()
    {
        inbox.poll((slot, sequence, isEndOfBatch) ->
        {
            if (slot.isCommand())
            {
                setRate.wrapAndApplyHeader(inbox.block(), slot.offset, header);
                caps.add("type " + setRate.typeId() + ": " + setRate.rateHz());
            }
            return true;
        });
    }
}
