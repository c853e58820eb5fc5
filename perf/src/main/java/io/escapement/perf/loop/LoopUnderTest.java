package io.escapement.perf.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.loop.LoopMeasurements;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.DeadlineIdleStrategy;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.internal.queue.Wakeup;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.perf.rig.PerfDriver;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** A loop with its queues, wired as in an engine with one thread per loop. */
final class LoopUnderTest implements AutoCloseable
{
    private static final int INBOX_SLOTS = 1_024;
    private static final int LINKS = 4;
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final UnsafeBuffer NO_ARGS = new UnsafeBuffer(new byte[0]);

    final EngineClock time = new EngineClock(SystemNanoClock.INSTANCE);
    final LoopMeasurements measurements = new LoopMeasurements();
    private final EngineCounters counters = new EngineCounters();
    final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    final CommandQueue ring;
    private final CommandQueue inbox;
    private final LoopAgent agent;
    private final AgentRunner runner;
    private volatile Throwable fault;

    LoopUnderTest(final RoomType type, final int rooms, final int phases, final String idle)
    {
        final Wakeup wakeup = new Wakeup();
        final boolean isParking = "park".equals(idle);
        ring = CommandQueue.singleProducer(
            Ring.SLOTS, CommandQueue.RING_SLOT_LENGTH, isParking ? wakeup : new BusySpinWaitStrategy());
        inbox = CommandQueue.multiProducer(
            INBOX_SLOTS, CommandQueue.INBOX_SLOT_LENGTH, isParking ? wakeup : new BusySpinWaitStrategy());
        final CommandQueue edge = CommandQueue.multiProducer(
            INBOX_SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final ErrorHandler errorHandler = (ex) -> fault = ex;
        agent = new LoopAgent(
            new LoopContext().ring(ring).inboxes(inbox).edgeInbox(edge).trunks(new TrunkServerContext().limit(LINKS))
                .counters(new LoopCounters(0, counters, Map.of()))
                .measurements(measurements)
                .host(new HostContext().roomType(type).roomLimit(rooms).seatLimit(rooms * type.seats())
                    .timerLimit(rooms * type.timers()).linkLimit(LINKS).phaseGroups(phases))
                .clock(time)
                .errorHandler(errorHandler));
        final IdleStrategy strategy = isParking ?
            new DeadlineIdleStrategy(
                time, agent::deadlineNs, wakeup, () -> ring.isEmpty() && inbox.isEmpty(), PARK_NS) :
            PerfDriver.idle(idle);
        runner = new AgentRunner(strategy, errorHandler, null, agent);
        AgentRunner.startOnThread(runner);
    }

    /** Open the rooms 1 to a number. */
    void openRooms(final int typeId, final int rooms)
    {
        for (int room = 1; room <= rooms; room++)
        {
            offer(encoder.openRoom(command, 0, room, room, 0, 0, typeId, NO_ARGS, 0, 0));
        }
    }

    /** Seat a player in seat 0 of a room, on a link without a trunk. */
    void join(final long roomId, final int link)
    {
        offer(encoder.linkUp(command, 0, link, link));
        offer(encoder.join(command, 0, roomId, 1, 0, link, NO_ARGS, 0, 0));
    }

    /** Wait for something that the loop does. */
    void await(final BooleanSupplier condition)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            check();
            if (System.nanoTime() - startNs > TIMEOUT_NS)
            {
                throw new IllegalStateException("the loop did not open its rooms within " + TIMEOUT_NS + " ns");
            }
            Thread.onSpinWait();
        }
    }

    /** A counter of the loop. */
    long counter(final String label)
    {
        return counters.value("escapement loop 0: " + label);
    }

    /** Throw if the loop has thrown. */
    void check()
    {
        if (null != fault)
        {
            throw new IllegalStateException("the loop failed: " + fault, fault);
        }
    }

    @Override
    public void close()
    {
        runner.close();
    }

    private void offer(final int length)
    {
        while (!inbox.offer(ControlSignal.COMMAND, null, command, 0, length))
        {
            check();
            Thread.onSpinWait();
        }
    }
}
