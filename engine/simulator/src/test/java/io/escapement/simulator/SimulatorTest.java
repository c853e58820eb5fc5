package io.escapement.simulator;

import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs whole systems from seeds: see {@link Simulation}. Properties of the JVM: {@code simulator.seed} runs one seed,
 * {@code simulator.first} and {@code simulator.seeds} others, of each game.
 */
class SimulatorTest
{
    private static final int CHAOS_SEEDS = 8;
    private static final int LEDGER_SEEDS = 9;
    private static final int GATEWAY_SEEDS = 9;
    private static final int SEEDS_IN_FULL = 1_000_000;
    private static final int THREADS = 2;
    private static final int FAILURES = 10;
    private static final int CLIENTS = 3;
    private static final int CHAOS_MS = 4_500;
    private static final int LEDGER_MS = 2_000;
    private static final int FIGURES = 6;

    private static Entropy entropy;

    private final AtomicLong next = new AtomicLong();
    private final AtomicLongArray figures = new AtomicLongArray(FIGURES);
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void take()
    {
        entropy = new Entropy();
    }

    @AfterAll
    static void giveBack()
    {
        entropy.close();
    }

    @Test
    void shouldKeepItsPromisesInEveryChaos() throws InterruptedException
    {
        run(ChaosGame::new, CHAOS_SEEDS, CHAOS_MS, 0);
    }

    @Test
    void shouldLoseAndRepeatNothingInEverySchedule() throws InterruptedException
    {
        run((seed) -> new LedgerGame(), LEDGER_SEEDS, LEDGER_MS, 1);
    }

    @Test
    void shouldKeepItsPromisesToEachBrowser() throws InterruptedException
    {
        run((seed) -> new GatewayGame(), GATEWAY_SEEDS, LEDGER_MS, 1);
    }

    /** At the same time, with the same addresses. */
    @Test
    void shouldDoTheSameFromTheSameSeedInEachThread()
    {
        for (long seed = 1; seed <= 3; seed++)
        {
            final long own = seed;
            final CompletableFuture<Long> other = CompletableFuture.supplyAsync(() -> hash(own));
            assertEquals(hash(seed), other.join(), "seed " + seed);
        }
    }

    /** A node that leads has the wall clock of the simulation too. */
    @Test
    void shouldDoTheSameFromTheSameSeedOfAGroup()
    {
        for (long seed = 487; seed <= 488; seed++)
        {
            assertEquals(hash(seed, SimulatorTest::group), hash(seed, SimulatorTest::group), "seed " + seed);
        }
    }

    private static SimulatedGame group()
    {
        return new LedgerGame(EnumSet.of(Mode.GROUP), LedgerGame.Kind.PLAIN);
    }

    private static long hash(final long seed)
    {
        return hash(seed, () -> game(seed));
    }

    private static long hash(final long seed, final Supplier<SimulatedGame> games)
    {
        try (Simulator.Schedules schedules = new Simulator.Schedules(entropy))
        {
            return schedules.run(seed, games, CLIENTS, LEDGER_MS).hash();
        }
    }

    private static SimulatedGame game(final long seed)
    {
        return switch ((int)seed % 3)
        {
            case 0 -> new ChaosGame(seed);
            case 1 -> new LedgerGame();
            default -> new GatewayGame();
        };
    }

    private void run(
        final LongFunction<SimulatedGame> games, final int seeds, final int longestMs, final int leastKills)
        throws InterruptedException
    {
        final Long only = Long.getLong("simulator.seed");
        final long first = null == only ? Long.getLong("simulator.first", 1) : only;
        final int count = null == only ?
            Integer.getInteger("simulator.seeds", Tests.isFull() ? SEEDS_IN_FULL : seeds) : 1;
        next.set(first);
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
        {
            final Thread thread = new Thread(() -> run(games, first + count, longestMs));
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertTrue(failures.isEmpty(), () -> failures.size() + " seeds failed:\n" + String.join("\n", failures));
        assertTrue(count < seeds || figures.get(0) > 100L * count && figures.get(1) > 100L * count &&
            figures.get(2) >= (long)leastKills * count, () -> count + " seeds; " + figures);
    }

    private void run(final LongFunction<SimulatedGame> games, final long end, final int longestMs)
    {
        try (Simulator.Schedules schedules = new Simulator.Schedules(entropy))
        {
            for (long seed = next.getAndIncrement(); seed < end && failures.size() < FAILURES;
                seed = next.getAndIncrement())
            {
                runSeed(schedules, seed, games, longestMs);
            }
        }
    }

    private void runSeed(
        final Simulator.Schedules schedules,
        final long seed,
        final LongFunction<SimulatedGame> games,
        final int longestMs)
    {
        try
        {
            final long[] counted = schedules.run(seed, () -> games.apply(seed), CLIENTS, longestMs).figures();
            for (int i = 0; i < FIGURES; i++)
            {
                figures.addAndGet(i, counted[i]);
            }
        }
        catch (final AssertionError ex)
        {
            failures.add(ex.getMessage());
        }
    }
}
