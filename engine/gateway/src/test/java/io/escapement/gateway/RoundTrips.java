package io.escapement.gateway;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Players' round trips through the room, with a disturbance and without it in turn. */
@RealTime("how long an answer takes")
final class RoundTrips
{
    static final int PLAYERS = 4;
    private static final int ROUNDS = 5;
    private static final int SAMPLES = 300;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * Those who disturb run on the cores of gateway, engine and players, which other hosts' players would not. Each of
     * the three may wait for a core until the scheduler's time slice ends, 1.5 ms on two cores.
     */
    private static final double SLICES_MS = 3 * 1.5;

    private final GatewayProcesses processes;
    private final ChildJvm gateway;
    private final long residentLimit;
    private List<BrowserClient> players;
    private int sent;

    /**
     * Those of players who have their seats through a gateway. Prints a row per comparison: its name, the p99 in ms
     * with the disturbance and without it (median, least and most of the rounds), the medians of every other
     * undisturbed round and of the rest, the limit of the median, and the gateway's resident MiB before, at most and
     * after.
     *
     * @param processes     of the gateway.
     * @param gateway       of the players.
     * @param residentLimit most bytes that it may have in memory.
     */
    RoundTrips(final GatewayProcesses processes, final ChildJvm gateway, final long residentLimit)
    {
        this.processes = processes;
        this.gateway = gateway;
        this.residentLimit = residentLimit;
        seat();
    }

    /** Let players take their seats, and run the code until it is compiled. */
    void seat()
    {
        players = processes.seated(gateway, 0, PLAYERS);
        p99(() -> true);
    }

    List<BrowserClient> players()
    {
        return players;
    }

    /** Send a text, by each player in turn. */
    String send(final String text)
    {
        players.get(sent++ % PLAYERS).message(GatewayProcesses.ROOM, text);
        return text;
    }

    /**
     * The 99th percentile in milliseconds, of the usual number of round trips or more.
     *
     * @param isOver what is measured beside has ended.
     */
    private double p99(final BooleanSupplier isOver)
    {
        long[] times = new long[SAMPLES];
        int count = 0;
        while (count < SAMPLES || !isOver.getAsBoolean())
        {
            times = count == times.length ? Arrays.copyOf(times, 2 * count) : times;
            times[count++] = roundTripNs();
            LockSupport.parkNanos(PAUSE_NS);
        }
        Arrays.sort(times, 0, count);
        return times[count * 99 / 100] / (double)TimeUnit.MILLISECONDS.toNanos(1);
    }

    /**
     * A message is lost with the trunk's connection, which a busy machine may cost: it is sent again, and the time
     * counts as that round trip's.
     */
    private long roundTripNs()
    {
        final BrowserClient player = players.get(sent % PLAYERS);
        player.received.clear();
        final String text = Integer.toString(sent++);
        final long startNs = System.nanoTime();
        long sentNs = startNs;
        player.message(GatewayProcesses.ROOM, text);
        while (!player.has("event " + text))
        {
            assertEquals(-1, player.closeCode, "a player was closed");
            final long nowNs = System.nanoTime();
            assertTrue(nowNs - startNs < TimeUnit.SECONDS.toNanos(100),
                () -> text + " did not come: " + player.all() + gateway.lines());
            if (nowNs - sentNs > AGAIN_NS)
            {
                sentNs = nowNs;
                player.message(GatewayProcesses.ROOM, text);
            }
            LockSupport.parkNanos(POLL_NS);
        }
        return System.nanoTime() - startNs;
    }

    /**
     * Compare the median of the rounds with a disturbance to the worst without it.
     *
     * @param name   of the disturbance.
     * @param begin  starts it.
     * @param isOver what the round is to include has happened.
     * @param end    takes it away; the gateway then holds the players, and no buffer.
     */
    void compare(final String name, final Runnable begin, final BooleanSupplier isOver, final Runnable end)
    {
        final double[] without = new double[ROUNDS + 1];
        final double[] with = new double[ROUNDS];
        final long before = residentBytes();
        long most = before;
        without[0] = p99(() -> true);
        for (int i = 0; i < ROUNDS; i++)
        {
            begin.run();
            with[i] = p99(isOver);
            most = Math.max(most, residentBytes());
            end.run();
            processes.awaitHolding(gateway, PLAYERS, PLAYERS);
            without[i + 1] = p99(() -> true);
        }
        // Every other round beside the rest, as if they were two things.
        final double[] odd = {without[1], without[3], without[5]};
        final double[] even = {without[0], without[2], without[4]};
        final double limit = Arrays.stream(without).max().orElseThrow() + SLICES_MS;
        System.out.printf(Locale.ROOT, "| %s | %s | %s | %.2f, %.2f | %.2f | %d, %d, %d |%n",
            name, text(with), text(without), median(even), median(odd), limit,
            before >> 20, most >> 20, residentBytes() >> 20);
        assertTrue(median(with) <= limit, () -> name + ": p99 " + text(with) + " ms, without " + text(without));
        assertTrue(most < residentLimit, name + ": " + most + " B in memory");
    }

    /** Median, least and most. */
    private static String text(final double[] values)
    {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median(values),
            Arrays.stream(values).min().orElseThrow(), Arrays.stream(values).max().orElseThrow());
    }

    private static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Memory of the gateway's process: heap, buffers, stacks and code. */
    private long residentBytes()
    {
        try
        {
            return Files.readAllLines(Path.of("/proc", Long.toString(gateway.handle().pid()), "status")).stream()
                .filter((line) -> line.startsWith("VmRSS:"))
                .mapToLong((line) -> 1_024 * Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
