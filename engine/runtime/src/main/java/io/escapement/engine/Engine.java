package io.escapement.engine;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.edge.EdgeAgent;
import io.escapement.engine.edge.EdgeContext;
import io.escapement.engine.edge.EdgeCounters;
import io.escapement.engine.edge.RoomPlacement;
import io.escapement.engine.loop.CommandQueue;
import io.escapement.engine.loop.DeadlineIdleStrategy;
import io.escapement.engine.loop.EngineTime;
import io.escapement.engine.loop.LoopAgent;
import io.escapement.engine.loop.LoopCounters;
import io.escapement.engine.loop.LoopRecorder;
import io.escapement.engine.loop.LoopWiring;
import io.escapement.engine.loop.Wakeup;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Runs rooms on threads and reaches them over Aeron. Launch it, open rooms, close it.
 *
 * <pre>{@code
 *   try (Engine engine = Engine.launch(new EngineContext().roomType(chat).ingress("0.0.0.0:40100") ...))
 *   {
 *       final long lobby = engine.openRoom(chat.id());
 *       new ShutdownSignalBarrier().await();
 *   }
 * }</pre>
 */
public final class Engine implements AutoCloseable
{
    /** Its signal does nothing. */
    private static final WaitStrategy NOBODY_PARKS = new BusySpinWaitStrategy();
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final long PARK_WITHOUT_WAKEUP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EngineContext context;
    private final ArrayList<AutoCloseable> opened = new ArrayList<>();
    private final RoomPlacement placement;
    private final CommandQueue[] inboxes;
    private final CommandQueue[] rings;
    private final CommandQueue edgeInbox;
    private final LoopAgent[] loops;
    private final LoopRecorder[] recorders;
    private final EngineTime time;
    private final SecureRandom random = new SecureRandom();
    private AgentInvoker invoker;
    private boolean isClosed;

    private Engine(final EngineContext context)
    {
        this.context = context.conclude();
        time = new EngineTime(context.clock());
        rings = new CommandQueue[context.loops()];
        inboxes = new CommandQueue[context.loops()];
        loops = new LoopAgent[context.loops()];
        recorders = new LoopRecorder[context.loops()];
        final boolean isPerLoop = context.hasThreadPerLoop();
        final boolean isParking = Idle.PARK == context.idle();
        final Wakeup edgeWakeup = new Wakeup();
        final Wakeup[] wakeups = new Wakeup[loops.length];
        for (int i = 0; i < loops.length; i++)
        {
            // In one thread with the edge, whoever wakes the loop wakes the edge, and the ring need not.
            wakeups[i] = isPerLoop ? new Wakeup() : edgeWakeup;
            rings[i] = CommandQueue.ofOneProducer(context.ringSlots(), LoopWiring.RING_SLOT_LENGTH,
                isParking && isPerLoop ? wakeups[i] : NOBODY_PARKS);
            inboxes[i] = CommandQueue.ofManyProducers(context.inboxSlots(), LoopWiring.INBOX_SLOT_LENGTH,
                isParking ? wakeups[i] : NOBODY_PARKS);
        }
        edgeInbox = CommandQueue.ofManyProducers(
            context.inboxSlots(), LoopWiring.INBOX_SLOT_LENGTH, isParking ? edgeWakeup : NOBODY_PARKS);
        placement = new RoomPlacement(inboxes, context.placement(), random);
        try
        {
            start(edgeWakeup, wakeups);
        }
        catch (final Throwable ex)
        {
            closeOpened();
            throw ex;
        }
    }

    /**
     * Start an engine.
     *
     * @param context what it is made of; concluded here.
     * @return the engine, running, unless its threading mode is {@link ThreadingMode#INVOKER}.
     */
    public static Engine launch(final EngineContext context)
    {
        return new Engine(context);
    }

    /**
     * Open a room on a loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @return its id.
     */
    public long openRoom(final int typeId)
    {
        return openRoom(typeId, NOTHING, 0, 0);
    }

    /**
     * Open a room on a loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @param args   buffer with the arguments for the room's logic.
     * @param offset where they begin.
     * @param length of the arguments.
     * @return its id.
     */
    public long openRoom(final int typeId, final DirectBuffer args, final int offset, final int length)
    {
        final long roomId = placement.place(typeId);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LoopWiring.INBOX_SLOT_LENGTH]);
        final int encoded = new RoomCommandEncoder()
            .openRoom(buffer, 0, roomId, typeId, placement.seed(), 0, 0, args, offset, length);
        if (!inboxes[TrunkMessages.loopOf(roomId)].offer(CommandQueue.COMMAND, null, buffer, 0, encoded))
        {
            placement.gone(roomId);
            throw new IllegalStateException("the inbox of loop " + TrunkMessages.loopOf(roomId) + " is full");
        }
        return roomId;
    }

    /**
     * Turn the crank once, in {@link ThreadingMode#INVOKER}.
     *
     * @return how much was done.
     */
    public int invoke()
    {
        if (null == invoker)
        {
            throw new IllegalStateException("threadingMode is " + context.threadingMode() + ": its threads run it");
        }
        return invoker.invoke();
    }

    /**
     * How late a loop was.
     *
     * @param loop from 0.
     * @return its recorder.
     */
    public LoopRecorder recorder(final int loop)
    {
        return recorders[loop];
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            closeOpened();
        }
    }

    private void start(final Wakeup edgeWakeup, final Wakeup[] wakeups)
    {
        final MediaDriver driver = context.hasOwnDriver() ? open(MediaDriver.launch(context.driverContext())) : null;
        final AgentInvoker driverInvoker = null == driver ? null : driver.sharedAgentInvoker();
        final Aeron aeron = open(Aeron.connect(context.aeronContext(driver)));
        final LoopCounters.Factory counters = (typeId, label) -> aeron.addCounter(typeId, label);
        for (int i = 0; i < loops.length; i++)
        {
            recorders[i] = new LoopRecorder();
            loops[i] = new LoopAgent(
                new LoopWiring(i, rings[i], inboxes, edgeInbox, Map.of()),
                context.loopSettings(),
                new LoopCounters(i, counters),
                recorders[i],
                context.hostContext(),
                time,
                context.errorHandler());
        }
        final EdgeAgent edge = new EdgeAgent(
            new EdgeContext(context.edgeSettings(), new EdgeCounters(counters), context.channels(),
                context.authenticator(), context.logInService(), random, time, rings, inboxes, edgeInbox),
            aeron);
        if (context.hasThreadPerLoop())
        {
            for (int i = 0; i < loops.length; i++)
            {
                final LoopAgent loop = loops[i];
                final CommandQueue ring = rings[i];
                final CommandQueue inbox = inboxes[i];
                run(loop, idle(new DeadlineIdleStrategy(
                    time, loop::deadlineNs, wakeups[i], () -> ring.isEmpty() && inbox.isEmpty(), PARK_NS)));
            }
            run(new CombinedAgent("escapement-edge", driverInvoker, edge, new Agent[0]), idle(
                new DeadlineIdleStrategy(
                    time, () -> Long.MAX_VALUE, edgeWakeup, edgeInbox::isEmpty, PARK_WITHOUT_WAKEUP_NS)));
            return;
        }
        final CombinedAgent solo = new CombinedAgent("escapement-solo", driverInvoker, edge, loops);
        if (ThreadingMode.INVOKER == context.threadingMode())
        {
            invoker = new AgentInvoker(context.errorHandler(), null, solo);
            invoker.start();
            opened.add(invoker);
        }
        else
        {
            run(solo, idle(new DeadlineIdleStrategy(
                time, this::soonestDeadlineNs, edgeWakeup, edgeInbox::isEmpty, PARK_WITHOUT_WAKEUP_NS)));
        }
    }

    private long soonestDeadlineNs()
    {
        long soonest = Long.MAX_VALUE;
        for (final LoopAgent loop : loops)
        {
            soonest = Math.min(soonest, loop.deadlineNs());
        }
        return soonest;
    }

    private void run(final Agent agent, final IdleStrategy idle)
    {
        final AgentRunner runner = open(new AgentRunner(idle, context.errorHandler(), null, agent));
        AgentRunner.startOnThread(runner, context.threadFactory());
    }

    private IdleStrategy idle(final DeadlineIdleStrategy park)
    {
        return switch (context.idle())
        {
            case BUSY -> BusySpinIdleStrategy.INSTANCE;
            case YIELD -> YieldingIdleStrategy.INSTANCE;
            case BACKOFF -> new BackoffIdleStrategy();
            case PARK -> park;
        };
    }

    private <T extends AutoCloseable> T open(final T resource)
    {
        opened.add(resource);
        return resource;
    }

    private void closeOpened()
    {
        for (int i = opened.size() - 1; i >= 0; i--)
        {
            CloseHelper.close(context.errorHandler(), opened.get(i));
        }
        opened.clear();
    }
}
