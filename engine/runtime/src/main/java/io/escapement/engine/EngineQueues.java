package io.escapement.engine;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.ApplicationQuestions;
import io.escapement.engine.internal.monitor.RateLimits;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.Wakeup;
import io.escapement.engine.internal.service.ServiceDefinition;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shared by the threads of an engine: queues, the wake-ups of their readers, and the limits of an operator. */
final class EngineQueues
{
    /** The strategy of queues with readers that never park: its signal is a no-op. */
    private static final WaitStrategy NO_WAKEUP = new BusySpinWaitStrategy();

    final CommandQueue[] rings;
    final CommandQueue[] inboxes;
    /** Of the application, by loop. */
    final ApplicationQuestions[] questions;
    final CommandQueue edgeInbox;
    /** An operator's thread sets them, the monitor reads them. */
    final RateLimits rateLimits = new RateLimits();
    final Map<Integer, CommandQueue[]> workersByServiceIdMap = new LinkedHashMap<>();
    final Wakeup[] loopWakeups;
    final Wakeup edgeWakeup = new Wakeup();
    final Map<Integer, Wakeup[]> wakeupsByServiceIdMap = new LinkedHashMap<>();

    EngineQueues(final EngineContext context)
    {
        final int loops = context.loops();
        final boolean isPerLoop = context.hasThreadPerLoop();
        final boolean isParking = Idle.PARK == context.idle();
        rings = new CommandQueue[loops];
        inboxes = new CommandQueue[loops];
        questions = new ApplicationQuestions[loops];
        loopWakeups = new Wakeup[loops];
        for (int i = 0; i < loops; i++)
        {
            // In one thread with the edge, the two share a wake-up, and the edge publishes to the ring itself.
            loopWakeups[i] = isPerLoop ? new Wakeup() : edgeWakeup;
            questions[i] = new ApplicationQuestions();
            rings[i] = CommandQueue.singleProducer(context.ringSlots(), CommandQueue.RING_SLOT_LENGTH,
                isParking && isPerLoop ? loopWakeups[i] : NO_WAKEUP);
            inboxes[i] = CommandQueue.multiProducer(context.inboxSlots(), CommandQueue.INBOX_SLOT_LENGTH,
                isParking ? loopWakeups[i] : NO_WAKEUP);
        }
        edgeInbox = CommandQueue.multiProducer(
            context.inboxSlots(), CommandQueue.INBOX_SLOT_LENGTH, isParking ? edgeWakeup : NO_WAKEUP);
        for (final ServiceDefinition service : context.services())
        {
            final CommandQueue[] queues = new CommandQueue[service.workers()];
            final Wakeup[] wakeups = new Wakeup[service.workers()];
            for (int i = 0; i < queues.length; i++)
            {
                // Workers always park: there are many of them, and requests take long compared to a wake-up.
                wakeups[i] = new Wakeup();
                queues[i] = CommandQueue.multiProducer(
                    context.inboxSlots(), CommandQueue.INBOX_SLOT_LENGTH, wakeups[i]);
            }
            workersByServiceIdMap.put(service.id(), queues);
            wakeupsByServiceIdMap.put(service.id(), wakeups);
        }
    }

    /** No room answers the application any more. */
    void endQuestions()
    {
        for (final ApplicationQuestions ofLoop : questions)
        {
            ofLoop.close(TrunkCode.ENGINE_STOPPING.value());
        }
    }
}
