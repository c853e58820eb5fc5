package io.escapement.engine;

import io.escapement.engine.simulator.Entropy;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs whole systems from seeds: see {@link Simulation}. The seeds of {@code simulator-seeds.txt} run first, then those
 * from 1 on. Properties of the JVM: {@code simulator.seed} runs one seed, {@code simulator.first} and
 * {@code simulator.seeds} others.
 */
class SimulatorTest
{
    private static final String COMMAND =
        "mvn test -pl engine/runtime -Dtest=SimulatorTest -Dsimulator.seed=%d";
    private static final String KNOWN_SEEDS = "/simulator-seeds.txt";
    private static final int SEEDS = 12;
    private static final int SEEDS_IN_FULL = 1_000_000;
    private static final int THREADS = 2;
    private static final int FAILURES = 10;
    private static final Logger LOGGER = Logger.getLogger("io.escapement");

    private static Entropy entropy;
    private static Path directory;
    private static Level level;

    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong[] figures = {new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong()};
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void prepare()
    {
        entropy = new Entropy();
        directory = Tests.newDirectory();
        // Engines and clients log each fault of each schedule.
        level = LOGGER.getLevel();
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void clean()
    {
        LOGGER.setLevel(level);
        entropy.close();
        IoUtil.delete(directory.toFile(), true);
    }

    @Test
    void shouldKeepItsPromisesInEverySchedule() throws InterruptedException
    {
        final long[] seeds = seeds();
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++)
        {
            final Thread thread = new Thread(() -> run(seeds));
            threads.add(thread);
            thread.start();
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertTrue(failures.isEmpty(), () -> failures.size() + " seeds failed:\n" + String.join("\n", failures));
        assertEquals(seeds.length, done.get(),
            () -> "seeds that ran; steps, datagrams, messages and events: " + List.of(figures));
    }

    @Test
    void shouldDoTheSameFromTheSameSeedInEachThread()
    {
        final String[] ports = ports();
        for (long seed = 1; seed <= 2; seed++)
        {
            final long own = seed;
            final long other = CompletableFuture.supplyAsync(() -> simulate(own, ports)).join();
            assertEquals(other, simulate(seed, ports), "seed " + seed);
        }
    }

    /** An engine checks that nobody else has its ports, so each thread needs two. */
    private static String[] ports()
    {
        return new String[]{"127.0.0.1:" + Tests.freePort(), "127.0.0.1:" + Tests.freePort()};
    }

    private void run(final long[] seeds)
    {
        final String[] ports = ports();
        while (failures.size() < FAILURES)
        {
            final long index = next.getAndIncrement();
            if (index >= seeds.length)
            {
                return;
            }
            try
            {
                simulate(seeds[(int)index], ports);
            }
            catch (final Throwable ex)
            {
                failed(seeds[(int)index], List.of("it threw " + SimulatedEngine.trace(ex)));
            }
            done.incrementAndGet();
        }
    }

    /** Run a seed; returns the hash of what happened. */
    private long simulate(final long seed, final String[] ports)
    {
        return entropy.run(seed, () -> runSchedule(seed, ports));
    }

    private long runSchedule(final long seed, final String[] ports)
    {
        // No other thread has these ports.
        final Path own = directory.resolve("seed-" + seed + "-" + ports[0]);
        try (Simulation simulation = new Simulation(seed, own, ports))
        {
            try
            {
                simulation.run();
            }
            catch (final Throwable ex)
            {
                simulation.violations().add("it threw " + SimulatedEngine.trace(ex));
            }
            final long[] counted = simulation.figures();
            for (int i = 0; i < counted.length; i++)
            {
                figures[i].addAndGet(counted[i]);
            }
            if (!simulation.violations().isEmpty())
            {
                failed(seed, simulation.violations());
            }
            return simulation.hash();
        }
    }

    private void failed(final long seed, final List<String> violations)
    {
        final String text = "seed " + seed + ", " + violations.size() + " violations, the first: " +
            violations.get(0) + "\n  again: " + COMMAND.formatted(seed) + "\n  keep it: add it to src/test/resources" +
            KNOWN_SEEDS;
        failures.add(text);
        System.err.println(text);
        keep(seed);
    }

    /** A run of days may be stopped before it reports. */
    private static synchronized void keep(final long seed)
    {
        try
        {
            final Path file = Path.of("target", "simulator-failures.txt");
            Files.createDirectories(file.getParent());
            Files.writeString(file, seed + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        }
        catch (final IOException ex)
        {
            System.err.println("seed " + seed + " is not kept: " + ex);
        }
    }

    private static long[] seeds()
    {
        final Long only = Long.getLong("simulator.seed");
        if (null != only)
        {
            return new long[]{only};
        }
        final long first = Long.getLong("simulator.first", 1);
        final int count = Integer.getInteger("simulator.seeds", Tests.isFull() ? SEEDS_IN_FULL : SEEDS);
        return LongStream.concat(knownSeeds(), LongStream.range(first, first + count)).toArray();
    }

    private static LongStream knownSeeds()
    {
        try (InputStream in = SimulatorTest.class.getResourceAsStream(KNOWN_SEEDS))
        {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines()
                .map((line) -> line.replaceAll("#.*", "").trim())
                .filter((line) -> !line.isEmpty())
                .mapToLong(Long::parseLong);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
