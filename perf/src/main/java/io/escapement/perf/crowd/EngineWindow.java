package io.escapement.perf.crowd;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Engine;
import io.escapement.engine.RoomHandle;
import io.escapement.perf.rig.EngineGame;
import io.escapement.perf.rig.Measurements;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    private static final String REFUSED = "refused ";
    private static final int LADDER_LIMIT = 64;

    private static final long RETRY_NS = 100_000;

    private final CrowdGame game;
    private final Engine engine;
    private final DriverMeter driver;
    private final int loops;
    /** Changes of the frame ladder. */
    private final Measurements ladder = new Measurements();
    private Measurements ofLoops;
    private int ladderChanges;
    private long ladderLevel;

    EngineWindow(final CrowdGame game, final Engine engine, final int durationMs)
    {
        super(game.plan, game.statesSent, IntStream.range(0, engine.loops())
            .<Supplier<Histogram>>mapToObj((loop) -> () -> game.meter.lateness(loop)).toList(), durationMs);
        this.game = game;
        this.engine = engine;
        driver = game.driver;
        loops = engine.loops();
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

    /** By signals, which are in the log of turns: the rooms depend only on that log. */
    @Override
    void measuring(final boolean isMeasuring)
    {
        final DirectBuffer signal = CrowdMessages.measuring(isMeasuring);
        for (final RoomHandle room : game.rooms)
        {
            while (!room.signal(signal, 0, signal.capacity()))
            {
                LockSupport.parkNanos(RETRY_NS);
            }
        }
        if (isMeasuring)
        {
            game.meter.start();
        }
        else
        {
            ofLoops = game.meter.stop();
        }
    }

    @Override
    long errors()
    {
        return game.errors() + (engine.isAlive() ? 0 : 1);
    }

    @Override
    void count(final Map<String, Long> counts)
    {
        // The driver's meter separates the two in the thread that invokes it.
        counts.put(CrowdFigures.ENGINE_BYTES, driver.engineBytes.get() +
            game.allocated((thread) -> driver.carrier != thread && EngineGame.isCarrier(thread)));
        counts.put(CrowdFigures.MONITOR_BYTES, game.allocated((thread) -> !EngineGame.isCarrier(thread)));
        counts.put(CrowdFigures.DRIVER_BYTES, driver.bytes.get());
        counts.put(CrowdFigures.DRIVER_NS, driver.ns.get());
        counts.put(CrowdFigures.ACCEPTED, engine.counter(EDGE + "entries accepted"));
        counts.put(CrowdFigures.REFUSED, engine.counter(EDGE + "entries refused"));
        counts.put(CrowdFigures.SENT_BACK, engine.counter(EDGE + "batches sent back because a ring was full"));
        counts.put(CrowdFigures.REFUSALS_UNSENT, engine.counter(EDGE + "refusals dropped"));
        counts.put(CrowdFigures.MISSED, ofLoops("room-frames that never ran"));
        counts.put(CrowdFigures.STATES_DROPPED, ofLoops("states dropped"));
        counts.put(CrowdFigures.ROOMS_REFUSED, ofLoops("commands refused"));
        counts.put(CrowdFigures.STALLS, ofLoops("stalls"));
        counts.put(CrowdFigures.LOOPS_BUSY_NS, ofLoops("nanoseconds at work"));
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
