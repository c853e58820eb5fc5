package io.escapement.perf.crowd;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.escapement.codecs.Codes;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.LoadRig;
import io.escapement.perf.rig.Measurements;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The process of the players: one thread with all connections. Moves are planned at equal intervals, the
 * players one after the other in a shuffled order, and sent by that plan whatever the server answers.
 */
public final class CrowdBots
{
    private static final long SEED = 20_261_121;
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int JOIN_RATE = 20_000;
    private static final int JOIN_BURST = 512;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** After a silence of this length no further answer is expected. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    /** How long states of the last measured frames may be in flight. Then the states queued here are received. */
    private static final long TAIL_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MAX_TAIL_NS = TimeUnit.SECONDS.toNanos(2);
    /** Moves in a row before the next duty cycle. */
    private static final int BURST = 512;
    private static final long PARK_NS = 50_000;

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final CrowdPlan plan;
    private final Control control;
    private final boolean isOverload;
    private final boolean isBusy;
    private final UnsafeBuffer move = new UnsafeBuffer(new byte[CrowdMessages.MOVE_LENGTH]);
    private final LoadRig rig;
    private final LoadRig joinRig;
    private final Bot[] bots;
    private final ArrayDeque<Bot> unseated = new ArrayDeque<>();
    private BotLinks links;
    /** Of the current part. */
    PartStats stats;
    private int nextNumber = 1;
    private int seated;
    private int lastWork;
    private long cycleNs;
    private long busyNs;

    private CrowdBots(final CrowdPlan plan, final Control control)
    {
        this.plan = plan;
        this.control = control;
        isOverload = plan.isOverload();
        isBusy = plan.areBotsBusy();
        bots = new Bot[plan.players()];
        rig = new LoadRig(this::dutyCycle, this::flush, BURST, TimeUnit.MICROSECONDS.toNanos(plan.gatherUs));
        joinRig = new LoadRig(this::dutyCycle, this::flush, JOIN_BURST, 0);
    }

    /** Run the process. Netty keeps the buffers of a thread for reuse if it knows the thread. */
    public static void run(final CrowdPlan plan, final Control control)
    {
        FastThreadLocalThread.runWithFastThreadLocal(new CrowdBots(plan, control)::run);
    }

    Bot onJoined(final int order, final int index, final Object seat)
    {
        bots[order].onJoined(index, seat);
        seated++;
        return bots[order];
    }

    Bot bot(final int order)
    {
        return bots[order];
    }

    void onJoinRefused(final int order, final int code)
    {
        if (TrunkCode.RATE_LIMITED.value() != code)
        {
            throw new IllegalStateException("a player was refused: " + Codes.nameOf(code));
        }
        unseated.add(bots[order]);
    }

    private void run()
    {
        try (BotLinks opened = links())
        {
            links = opened;
            cycleNs = System.nanoTime();
            // Allocated here: a pause at the start of a part would be measured.
            final Iterator<PartStats> measured = plan.parts().stream().map(this::newStats).toList().iterator();
            stats = newStats(plan.warmUpPart(0));
            connect();
            join();
            control.send(Control.READY);
            runParts(measured);
        }
    }

    private BotLinks links()
    {
        if (plan.hasGateway())
        {
            return new WebLinks(plan, this);
        }
        return null == plan.peer ? new EngineLinks(plan, this) : new TcpLinks(plan, this);
    }

    /** Parts of the warm-up, as many as the tool asks for, and the measured ones. */
    private void runParts(final Iterator<PartStats> measured)
    {
        int warmUps = 0;
        for (String line = awaitLine(); !Control.END_OF_INPUT.equals(line); line = awaitLine())
        {
            if (Control.PART.equals(line))
            {
                runPart(newStats(plan.warmUpPart(warmUps++)));
            }
            else if (Control.GO.equals(line))
            {
                runPart(measured.next());
            }
            else
            {
                control.warm(line);
            }
        }
    }

    private void runPart(final PartStats part)
    {
        part.follow(stats);
        stats = part;
        nextNumber = part.number(nextNumber, bots.length);
        final long startNs = System.nanoTime();
        final long cpuNs = system.getProcessCpuTime();
        final long bytes = threads.getCurrentThreadAllocatedBytes();
        control.meter().start(part.durationMs());
        busyNs = 0;
        for (int i = 0; i < part.phases.length; i++)
        {
            load(i);
        }
        final long endNs = System.nanoTime();
        stats.stop(bots, endNs);
        final Measurements used = control.meter().stop(busyNs)
            .put(CrowdFigures.BOTS_BYTES, threads.getCurrentThreadAllocatedBytes() - bytes)
            .put(CrowdFigures.BOTS_CPU_NS, system.getProcessCpuTime() - cpuNs)
            .put(CrowdFigures.BOTS_BUSY_NS, busyNs)
            .put(CrowdFigures.BOTS_NS, endNs - startNs);
        drain();
        control.send(CrowdFigures.LOADED);
        if (!Control.REPORT.equals(awaitLine()))
        {
            return;
        }
        receiveTail();
        control.send(stats.measurements(endNs).addAll(used), plan.results);
        // Collect here, so that no collection of this part's garbage falls into the next part.
        System.gc();
    }

    private PartStats newStats(final List<LoadPhase> phases)
    {
        return new PartStats(phases.stream().map(PhaseStats::new).toArray(PhaseStats[]::new), bots.length, plan.seats,
            !plan.isDurable());
    }

    private void connect()
    {
        links.connect();
        if (!rig.await(links::isUp, CONNECT_NS))
        {
            throw new IllegalStateException("the connections were not up within " + CONNECT_NS + " ns");
        }
        final int[] places = shuffled(bots.length);
        for (int i = 0; i < bots.length; i++)
        {
            final int room = places[i] / plan.seats;
            bots[i] = new Bot(i, plan.roomId(room), links.trunk(plan.trunkOf(room, places[i] % plan.seats)));
            unseated.add(bots[i]);
        }
    }

    /** Consecutive moves are from different rooms and trunks, in the same order in every run. */
    private static int[] shuffled(final int count)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final int[] places = new int[count];
        for (int i = 0; i < count; i++)
        {
            final int at = random.nextInt(i + 1);
            places[i] = places[at];
            places[at] = i;
        }
        return places;
    }

    private void join()
    {
        // Half of the engine's rate limit of all trunks, if there is one.
        final double rate = 0 == plan.trunkRate ?
            JOIN_RATE : Math.min(JOIN_RATE, plan.trunkRate * plan.trunks / 2.0);
        final long startNs = System.nanoTime();
        while (seated < bots.length)
        {
            if (unseated.isEmpty())
            {
                dutyCycle();
            }
            else
            {
                joinRig.run(System.nanoTime(), 1e9 / rate, unseated.size(), JOIN_NS, (number, plannedNs) ->
                    unseated.peek().trunk.join(unseated.peek()) && null != unseated.remove());
            }
            if (System.nanoTime() - startNs > JOIN_NS)
            {
                throw new IllegalStateException(
                    "only " + seated + " of " + bots.length + " players were seated within " + JOIN_NS + " ns");
            }
        }
    }

    private void load(final int number)
    {
        final PhaseStats phase = stats.phases[number];
        final long startNs = System.nanoTime();
        stats.start(number, startNs);
        phase.stop(rig.run(startNs, phase.intervalNs(), phase.phase.moves(), Long.MAX_VALUE,
            (next, plannedNs) -> send(phase, next, plannedNs)));
    }

    private boolean send(final PhaseStats phase, final long next, final long plannedNs)
    {
        final Bot bot = bots[(int)(next % bots.length)];
        final int number = phase.firstNumber + (int)(next / bots.length);
        final long checksum = CrowdMessages.move(move, plannedNs, number, bot.order);
        if (bot.trunk.send(bot, move, CrowdMessages.MOVE_LENGTH))
        {
            stats.onSent(phase, checksum);
            return true;
        }
        if (isOverload)
        {
            phase.onNotOffered();
        }
        return isOverload;
    }

    private void flush()
    {
        links.flush();
    }

    private void drain()
    {
        final long startNs = System.nanoTime();
        long responses = stats.responses();
        long responseNs = startNs;
        while (!stats.isAllAnswered() && cycleNs - startNs < DRAIN_NS && cycleNs - responseNs < SILENCE_NS)
        {
            dutyCycle();
            if (responses != stats.responses())
            {
                responses = stats.responses();
                responseNs = cycleNs;
            }
        }
    }

    private String awaitLine()
    {
        String line = control.poll();
        while (null == line)
        {
            dutyCycle();
            line = control.poll();
        }
        return line;
    }

    private void receiveTail()
    {
        final long startNs = System.nanoTime();
        dutyCycle();
        while (cycleNs - startNs < TAIL_NS || 0 != lastWork && cycleNs - startNs < MAX_TAIL_NS)
        {
            dutyCycle();
        }
    }

    private long dutyCycle()
    {
        final int work = links.poll();
        final long nowNs = System.nanoTime();
        if (0 != work)
        {
            busyNs += nowNs - cycleNs;
        }
        lastWork = work;
        cycleNs = nowNs;
        if (0 == work && (!isBusy || !control.warmUp().isOver()))
        {
            LockSupport.parkNanos(PARK_NS);
        }
        return nowNs;
    }
}
