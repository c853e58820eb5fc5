package io.escapement.perf.crowd;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Engine;
import io.escapement.engine.RoomHandle;
import io.escapement.perf.rig.EngineNodes;
import io.escapement.perf.rig.LoopIntervals;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/** The engine's counts in one part of a run. */
final class EngineWindow extends ServerWindow
{
    private static final String EDGE = "escapement edge: ";
    private static final String JVM = "escapement jvm: ";
    private static final String REFUSED = "refused ";
    private static final int LADDER_LIMIT = 64;

    private static final long RETRY_NS = 100_000;

    private final Engine engine;
    private final DriverMeter driver;
    private final List<Thread> threads;
    private final List<RoomHandle> rooms;
    private final LoopMeter meter;
    private final AtomicInteger errors;
    private final int loops;
    /** Changes of the frame ladder. */
    private final Measurements ladder = new Measurements();
    private Measurements ofLoops;
    private int ladderChanges;
    private long ladderLevel;

    EngineWindow(
        final EngineNodes nodes,
        final LoopIntervals intervals,
        final TurnRecorders recorders,
        final DriverMeter driver,
        final List<RoomHandle> rooms,
        final AtomicInteger errors,
        final CrowdPlan plan,
        final int durationMs)
    {
        super(plan, recorders, IntStream.range(0, plan.loops())
            .<Supplier<Histogram>>mapToObj((i) -> () -> intervals.take(i, LoopIntervals.FRAME_LATENESS)).toList(),
            durationMs);
        engine = nodes.engine();
        this.driver = driver;
        threads = nodes.threads();
        this.rooms = rooms;
        meter = new LoopMeter(intervals, plan.loops());
        this.errors = errors;
        loops = plan.loops();
    }

    /** Lateness and the frame ladder. */
    @Override
    void sample(final long nowNs)
    {
        super.sample(nowNs);
        final long level = IntStream.range(0, loops)
            .mapToLong((i) -> engine.counter(loop(i) + "steps down the frame ladder")).max().orElse(0);
        if (level != ladderLevel && ladderChanges < LADDER_LIMIT)
        {
            final String name = CrowdFigures.LADDER + "." + ladderChanges++ + ".";
            ladder.put(name + "atMs", TimeUnit.NANOSECONDS.toMillis(nowNs - startNs())).put(name + "level", level);
            ladderLevel = level;
        }
    }

    @Override
    Measurements measurements()
    {
        return super.measurements().put(CrowdFigures.LADDER, ladderChanges).addAll(ladder).addAll(ofLoops);
    }

    /** By signals, which are in the log of turns: what rooms do depends on nothing else. */
    @Override
    void measuring(final boolean isMeasuring)
    {
        final DirectBuffer signal = CrowdMessages.measuring(isMeasuring);
        for (final RoomHandle room : rooms)
        {
            while (!room.signal(signal, 0, signal.capacity()))
            {
                LockSupport.parkNanos(RETRY_NS);
            }
        }
        if (isMeasuring)
        {
            meter.start();
        }
        else
        {
            ofLoops = meter.stop();
        }
    }

    @Override
    long errors()
    {
        return errors.get() + (engine.isAlive() ? 0 : 1);
    }

    /** Not every code has a counter, and not every JVM reports safepoints. */
    @Override
    boolean isOptional(final String name)
    {
        return name.startsWith(CrowdFigures.SHED) || name.startsWith(CrowdFigures.ROOM_REFUSED) ||
            name.startsWith(CrowdFigures.SAFEPOINTS);
    }

    @Override
    void count(final Map<String, Long> counts)
    {
        counts.put(CrowdFigures.ENGINE_BYTES, driver.engineBytes.get() + allocated(true));
        counts.put(CrowdFigures.MONITOR_BYTES, allocated(false));
        counts.put(CrowdFigures.DRIVER_BYTES, driver.bytes.get());
        counts.put(CrowdFigures.DRIVER_NS, driver.ns.get());
        counts.put(CrowdFigures.ACCEPTED, engine.counter(EDGE + "entries accepted"));
        counts.put(CrowdFigures.REFUSED, engine.counter(EDGE + "entries refused"));
        counts.put(CrowdFigures.SENT_BACK, engine.counter(EDGE + "batches sent back because a ring was full"));
        counts.put(CrowdFigures.REFUSALS_UNSENT, engine.counter(EDGE + "refusals dropped"));
        counts.put(CrowdFigures.MISSED, ofLoops("room-frames that never ran"));
        counts.put(CrowdFigures.STATES_DROPPED, ofLoops("states dropped"));
        counts.put(CrowdFigures.EVENTS_LOST, ofLoops("events lost with their trunk"));
        counts.put(CrowdFigures.ROOMS_REFUSED, ofLoops("commands refused"));
        counts.put(CrowdFigures.STALLS, ofLoops("stalls"));
        counts.put(CrowdFigures.LOOPS_BUSY_NS, ofLoops("nanoseconds at work"));
        counts.put(CrowdFigures.SAFEPOINTS, orZero(JVM + "safepoints"));
        counts.put(CrowdFigures.SAFEPOINT_NS, orZero(JVM + "nanoseconds in safepoints"));
        for (final TrunkCode code : TrunkCode.values())
        {
            counts.put(CrowdFigures.SHED + code, orZero(EDGE + REFUSED + code));
        }
        for (final RefusalCode code : RefusalCode.values())
        {
            counts.put(CrowdFigures.SHED + code, orZero(EDGE + REFUSED + code));
            counts.put(CrowdFigures.ROOM_REFUSED + code, ofLoops(REFUSED + code, this::orZero));
        }
    }

    /** Bytes allocated by the loops' threads, or by the engine's others; the driver's thread has its own meter. */
    private long allocated(final boolean isOfLoops)
    {
        long bytes = 0;
        for (final Thread thread : threads)
        {
            if (driver.carrier != thread && isOfLoops == thread.getName().startsWith("escapement-loop-"))
            {
                bytes += Math.max(0, threadBean.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return bytes;
    }

    private long ofLoops(final String label)
    {
        return ofLoops(label, engine::counter);
    }

    private long ofLoops(final String label, final ToLongFunction<String> counter)
    {
        return IntStream.range(0, loops).mapToLong((i) -> counter.applyAsLong(loop(i) + label)).sum();
    }

    private long orZero(final String label)
    {
        try
        {
            return engine.counter(label);
        }
        catch (final IllegalArgumentException ex)
        {
            return 0;
        }
    }

    private static String loop(final int number)
    {
        return "escapement loop " + number + ": ";
    }
}
