package io.escapement.perf.players;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.client.SendStatus;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.driver.HostFacts;
import io.escapement.perf.process.CompilerTime;
import io.escapement.perf.process.Orders;
import io.escapement.perf.process.Parent;
import io.escapement.perf.process.PerfDriver;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The process with the players: one thread, a driver of its own and all trunks. Moves are planned at equal intervals,
 * the players one after the other in an order of chance, and are sent by that plan whatever has come back.
 */
public final class PlayersBots
{
    private static final long SEED = 20_261_121;
    private static final long UP_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int JOIN_RATE = 20_000;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** When nothing has come for so long, nothing comes any more. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    /** States of the last counted frames are on their way for this long at most, and may then still wait here. */
    private static final long TAIL_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LONGEST_TAIL_NS = TimeUnit.SECONDS.toNanos(2);
    /** Moves in a row before something is received again. */
    private static final int BURST = 512;
    private static final long PARK_NS = 50_000;
    private static final int WINDOW = 128 * 1024;
    private static final int WINDOW_UNIT = 1024;
    /** Half of the socket is for the windows of all. */
    private static final int SHARE_OF_SOCKET = 2;

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final PlayersOptions options;
    private final Orders orders = new Orders();
    private final UnsafeBuffer move = new UnsafeBuffer(new byte[Wire.MOVE_LENGTH]);
    private final Bot[] bots;
    private final BotTrunk[] trunks;
    private final ArrayDeque<Bot> notSeated = new ArrayDeque<>();
    private AgentInvoker driver;
    private AgentInvoker conductor;
    private Score score;
    private int nextNumber = 1;
    private int seated;
    private long turnNs;
    private long busyNs;

    private PlayersBots(final PlayersOptions options)
    {
        this.options = options;
        bots = new Bot[options.crowd().players()];
        trunks = new BotTrunk[options.crowd().trunks()];
    }

    /**
     * Run it.
     *
     * @param arguments of {@link PlayersOptions}.
     */
    public static void main(final String[] arguments)
    {
        try
        {
            new PlayersBots(PlayersOptions.of(arguments)).run();
        }
        catch (final IllegalStateException ex)
        {
            Parent.tell(PlayersRun.FAULT + ex.getMessage());
        }
    }

    Bot bot(final int order)
    {
        return bots[order];
    }

    Score score()
    {
        return score;
    }

    void onJoined()
    {
        seated++;
    }

    void onJoinRefused(final int order, final int code)
    {
        if (TrunkCode.RATE_LIMITED.value() != code)
        {
            throw new IllegalStateException("a player was refused, code " + code);
        }
        notSeated.add(bots[order]);
    }

    private void run()
    {
        try (MediaDriver media = PerfDriver.launch(PlayersServer.driverContext(options.host().mtu()), false);
            Aeron aeron = PerfDriver.connect(media.aeronDirectoryName(), media.sharedAgentInvoker()))
        {
            driver = media.sharedAgentInvoker();
            conductor = aeron.conductorAgentInvoker();
            turnNs = System.nanoTime();
            try
            {
                // Their memory is made here: a pause at the beginning of a part would be counted.
                final List<Score> parts = options.allParts().stream().map(this::plan).toList();
                score = parts.get(0);
                connect(aeron);
                join();
                Parent.tell("READY");
                serve(parts);
            }
            finally
            {
                CloseHelper.quietCloseAll(trunks);
            }
        }
    }

    private void serve(final List<Score> parts)
    {
        for (final Score part : parts)
        {
            if (!PlayersRun.GO.equals(awaitOrder()))
            {
                return;
            }
            begin(part);
            final long startNs = System.nanoTime();
            final long cpuNs = system.getProcessCpuTime();
            final long compiledMs = CompilerTime.ms();
            final long bytes = threads.getCurrentThreadAllocatedBytes();
            busyNs = 0;
            for (int i = 0; i < part.phases.length; i++)
            {
                load(i);
            }
            final long endNs = System.nanoTime();
            score.stop(bots, endNs);
            final long usedBytes = threads.getCurrentThreadAllocatedBytes() - bytes;
            final long usedNs = system.getProcessCpuTime() - cpuNs;
            final long usedCompiledMs = CompilerTime.ms() - compiledMs;
            final long workedNs = busyNs;
            drain();
            Parent.tell(PlayersRun.LOADED);
            if (!PlayersRun.TELL.equals(awaitOrder()))
            {
                return;
            }
            takeTheRest();
            score.findings(endNs)
                .put(PlayersRun.BOTS_NS, endNs - startNs)
                .put(PlayersRun.BOTS_CPU_NS, usedNs)
                .put(PlayersRun.BOTS_COMPILED_MS, usedCompiledMs)
                .put(PlayersRun.BOTS_BUSY_NS, workedNs)
                .put(PlayersRun.BOTS_BYTES, usedBytes)
                .tell(Parent::tell);
            // As in the server: not while the next part counts.
            System.gc();
        }
        awaitOrder();
    }

    private Score plan(final List<Phase> phases)
    {
        final PhaseScore[] scores = new PhaseScore[phases.size()];
        for (int i = 0; i < scores.length; i++)
        {
            scores[i] = new PhaseScore(phases.get(i), nextNumber);
            nextNumber += (int)(phases.get(i).moves() / bots.length) + 1;
        }
        return new Score(scores, bots.length, options.crowd().seats(), phases.size() > 1);
    }

    /** What comes from here on is of this part. */
    private void begin(final Score next)
    {
        next.follow(score);
        score = next;
    }

    private void connect(final Aeron aeron)
    {
        final int window = window(HostFacts.read(Path.of(aeron.context().aeronDirectoryName())).receiveBufferMax());
        for (int i = 0; i < trunks.length; i++)
        {
            trunks[i] = new BotTrunk(aeron, options.host(), window, i, this);
        }
        final long startNs = System.nanoTime();
        boolean isUp = false;
        while (!isUp)
        {
            turn();
            isUp = true;
            for (final BotTrunk trunk : trunks)
            {
                isUp &= trunk.isUp();
            }
            if (System.nanoTime() - startNs > UP_NS)
            {
                throw new IllegalStateException("trunks did not come up within " + UP_NS + " ns");
            }
        }
        final int[] places = shuffled(bots.length);
        final Crowd crowd = options.crowd();
        for (int i = 0; i < bots.length; i++)
        {
            final int room = places[i] / crowd.seats();
            bots[i] = new Bot(
                i, options.host().roomId(room), trunks[crowd.trunkOf(room, places[i] % crowd.seats())]);
            notSeated.add(bots[i]);
        }
    }

    /** All trunks may come in by one socket, whose buffer the host may have made smaller. */
    private int window(final long receiveBufferMax)
    {
        final long socket = HostFacts.UNKNOWN == receiveBufferMax ?
            PlayersServer.SOCKET_BUFFER : Math.min(PlayersServer.SOCKET_BUFFER, receiveBufferMax);
        final int share = (int)(socket / (SHARE_OF_SOCKET * trunks.length));
        return Math.min(WINDOW, share - share % WINDOW_UNIT);
    }

    /** Players that come one after the other, so that consecutive moves come from all over. The same in every run. */
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
        // Below what is let through of all trunks together, when there is a limit.
        final double rate = 0 == options.trunkRate() ?
            JOIN_RATE : Math.min(JOIN_RATE, options.trunkRate() * trunks.length / 2.0);
        final double intervalNs = 1e9 / rate;
        final long startNs = System.nanoTime();
        long joins = 0;
        while (seated < bots.length)
        {
            turn();
            final long nowNs = System.nanoTime();
            while (!notSeated.isEmpty() && nowNs >= startNs + (long)(joins * intervalNs))
            {
                final Bot bot = notSeated.peek();
                if (SendStatus.SENT != bot.trunk.join(bot.order, bot.roomId))
                {
                    break;
                }
                notSeated.remove();
                joins++;
            }
            if (nowNs - startNs > JOIN_NS)
            {
                throw new IllegalStateException(seated + " of " + bots.length + " players had a seat in time");
            }
        }
    }

    private void load(final int phase)
    {
        final PhaseScore played = score.phases[phase];
        final long count = played.phase.moves();
        final long gatherNs = TimeUnit.MICROSECONDS.toNanos(options.host().gatherUs());
        final long startNs = System.nanoTime();
        score.start(phase, startNs);
        long next = 0;
        long gatheredNs = startNs;
        while (next < count)
        {
            turn();
            if (turnNs - gatheredNs >= gatherNs)
            {
                final long from = next;
                next = send(played, next, count);
                // A full burst says that more is due.
                gatheredNs = next - from < BURST ? turnNs : gatheredNs;
            }
        }
        played.tookNs = System.nanoTime() - startNs;
    }

    private long send(final PhaseScore played, final long first, final long count)
    {
        final boolean mayGiveUp = options.isOverload();
        final long end = Math.min(count, first + BURST);
        long next = first;
        while (next < end)
        {
            final long plannedNs = played.plannedNs(next);
            if (plannedNs > turnNs)
            {
                break;
            }
            final Bot bot = bots[(int)(next % bots.length)];
            final int number = played.firstNumber + (int)(next / bots.length);
            final long checksum = Wire.move(move, plannedNs, number, bot.order);
            if (SendStatus.SENT == bot.trunk.send(bot.seat, move, Wire.MOVE_LENGTH))
            {
                score.sent(played, checksum);
            }
            else if (mayGiveUp)
            {
                played.notOffered++;
            }
            else
            {
                break;
            }
            next++;
        }
        if (next != first)
        {
            for (final BotTrunk trunk : trunks)
            {
                trunk.flush();
            }
            driver.invoke();
        }
        return next;
    }

    private void drain()
    {
        final long startNs = System.nanoTime();
        long heard = score.heard();
        long heardNs = startNs;
        while (!score.isAllAnswered() && turnNs - startNs < DRAIN_NS && turnNs - heardNs < SILENCE_NS)
        {
            turn();
            if (heard != score.heard())
            {
                heard = score.heard();
                heardNs = turnNs;
            }
        }
    }

    private String awaitOrder()
    {
        String order = orders.poll();
        while (null == order)
        {
            turn();
            order = orders.poll();
        }
        return order;
    }

    private void takeTheRest()
    {
        final long startNs = System.nanoTime();
        int work = 1;
        while (turnNs - startNs < TAIL_NS || 0 != work && turnNs - startNs < LONGEST_TAIL_NS)
        {
            work = turn();
        }
    }

    private int turn()
    {
        int work = PerfDriver.invoke(driver) + conductor.invoke();
        for (final BotTrunk trunk : trunks)
        {
            work += null == trunk ? 0 : trunk.poll();
        }
        final long nowNs = System.nanoTime();
        if (0 != work)
        {
            busyNs += nowNs - turnNs;
        }
        turnNs = nowNs;
        if (0 == work && !options.host().areBotsBusy())
        {
            LockSupport.parkNanos(PARK_NS);
        }
        return work;
    }
}
