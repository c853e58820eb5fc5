package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.host.HostContext;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;

/** The collaborators and limits of a {@link LoopAgent}. Limits have the defaults of an engine. */
public final class LoopContext
{
    /** Commands that one turn takes from a queue. */
    static final int BATCH_LIMIT = 256;
    /** A loaded loop holds less than a packet back for this long. */
    static final long HOLD_NS = TimeUnit.MICROSECONDS.toNanos(250);

    private int loop;
    private CommandQueue ring;
    private CommandQueue[] inboxes = {};
    private CommandQueue edgeInbox;
    private Map<Integer, CommandQueue[]> workersByServiceIdMap = Map.of();
    private TrunkServerContext trunks = new TrunkServerContext();
    private int outboxLength = 256 * 1_024;
    private ApplicationQuestions questions = new ApplicationQuestions();
    private LoopCounters counters;
    private LoopMeasurements measurements = new LoopMeasurements();
    private HostContext host;
    private EngineClock clock;
    private ErrorHandler errorHandler;

    /**
     * The number of the loop, which is the high bits of its rooms' ids and its index in {@link #inboxes}.
     *
     * @param value number of the loop.
     */
    public LoopContext loop(final int value)
    {
        loop = value;
        return this;
    }

    /**
     * The queue of commands from trunks. The edge writes it.
     *
     * @param value the ring.
     */
    public LoopContext ring(final CommandQueue value)
    {
        ring = value;
        return this;
    }

    /**
     * The inboxes of all loops, this one's among them. Any thread writes them.
     *
     * @param value by number of the loop.
     */
    public LoopContext inboxes(final CommandQueue... value)
    {
        inboxes = value;
        return this;
    }

    /**
     * The inbox of the edge.
     *
     * @param value the queue.
     */
    public LoopContext edgeInbox(final CommandQueue value)
    {
        edgeInbox = value;
        return this;
    }

    /**
     * The queues of the workers of each service.
     *
     * @param value by service id.
     */
    public LoopContext workersByServiceIdMap(final Map<Integer, CommandQueue[]> value)
    {
        workersByServiceIdMap = value;
        return this;
    }

    /**
     * How many links may be attached at one time, and how links are treated that do not take their messages.
     *
     * @param value the options of trunks.
     */
    public LoopContext trunks(final TrunkServerContext value)
    {
        trunks = value;
        return this;
    }

    /**
     * Length of each queue of messages that another thread's queue had no room for.
     *
     * @param bytes of each.
     */
    public LoopContext outboxLength(final int bytes)
    {
        outboxLength = bytes;
        return this;
    }

    /**
     * The questions of the application to rooms of the loop.
     *
     * @param value shared with the handles of the rooms.
     */
    public LoopContext questions(final ApplicationQuestions value)
    {
        questions = value;
        return this;
    }

    /**
     * The counters of the loop.
     *
     * @param value written by the loop.
     */
    public LoopContext counters(final LoopCounters value)
    {
        counters = value;
        return this;
    }

    /**
     * The histograms of the loop.
     *
     * @param value written by the loop.
     */
    public LoopContext measurements(final LoopMeasurements value)
    {
        measurements = value;
        return this;
    }

    /**
     * The options of the loop's room host. The loop sets its outputs and listener.
     *
     * @param value the options.
     */
    public LoopContext host(final HostContext value)
    {
        host = value;
        return this;
    }

    /**
     * The clock of the engine.
     *
     * @param value the clock.
     */
    public LoopContext clock(final EngineClock value)
    {
        clock = value;
        return this;
    }

    /**
     * Receives exceptions of rooms, and the exception that stops the loop.
     *
     * @param value the handler.
     */
    public LoopContext errorHandler(final ErrorHandler value)
    {
        errorHandler = value;
        return this;
    }

    /** The histograms of the loop. */
    public LoopMeasurements measurements()
    {
        return measurements;
    }

    int loop()
    {
        return loop;
    }

    CommandQueue ring()
    {
        return ring;
    }

    CommandQueue inbox()
    {
        return inboxes[loop];
    }

    CommandQueue[] inboxes()
    {
        return inboxes;
    }

    CommandQueue edgeInbox()
    {
        return edgeInbox;
    }

    Map<Integer, CommandQueue[]> workersByServiceIdMap()
    {
        return workersByServiceIdMap;
    }

    int outboxLength()
    {
        return outboxLength;
    }

    TrunkServerContext trunks()
    {
        return trunks;
    }

    /** Half of the inbox is reserved for replies, so that a service's reply always finds a free slot. */
    int requestLimit()
    {
        return inbox().capacity() / 2;
    }

    ApplicationQuestions questions()
    {
        return questions;
    }

    LoopCounters counters()
    {
        return counters;
    }

    HostContext host()
    {
        return host;
    }

    EngineClock clock()
    {
        return clock;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
    }
}
