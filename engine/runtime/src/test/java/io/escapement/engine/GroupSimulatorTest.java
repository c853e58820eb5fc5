package io.escapement.engine;

import io.escapement.engine.simulator.Entropy;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs groups of nodes from seeds: see {@link GroupSimulation}. Properties of the JVM: {@code simulator.seed} runs one
 * seed, {@code simulator.first} and {@code simulator.seeds} others. Budget: 6 s, on a slow host with fewer seeds.
 */
class GroupSimulatorTest
{
    private static final int SEEDS = 2;
    private static final int SEEDS_IN_FULL = 200_000;
    private static final Logger LOGGER = Logger.getLogger("io.escapement");

    private static Entropy entropy;
    private static Path directory;
    private static Path keys;
    private static Level level;

    @BeforeAll
    static void prepare() throws IOException
    {
        entropy = new Entropy();
        directory = Files.createDirectory(Tests.newDirectory());
        keys = Files.writeString(directory.resolve("keys"), "a key that all nodes share, of some length\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
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
    void shouldLoseAndRepeatNothingInAnySchedule()
    {
        final Long only = Long.getLong("simulator.seed");
        final long first = null == only ? Long.getLong("simulator.first", 1) : only;
        final int count = null == only ?
            Integer.getInteger("simulator.seeds", Tests.isFull() ? SEEDS_IN_FULL : SEEDS) : 1;
        final long[] figures = new long[6];
        int done = 0;
        while (done < count)
        {
            simulate(first + done++, figures);
        }
        final String text = done + " seeds; steps, messages, kills, changes of the leader, stale proposals, " +
            "snapshots: " + Arrays.toString(figures);
        for (int i = 0; i < figures.length && done > 20; i++)
        {
            assertTrue(figures[i] > done / 2, text);
        }
    }

    @Test
    void shouldDoTheSameFromTheSameSeedInEachThread()
    {
        for (long seed = 1; seed <= (Tests.isFull() ? 20 : 1); seed++)
        {
            final long own = seed;
            final long other = CompletableFuture.supplyAsync(() -> simulate(own, new long[6])).join();
            assertEquals(other, simulate(seed, new long[6]), "seed " + seed);
        }
    }

    private static long simulate(final long seed, final long[] figures)
    {
        return entropy.run(seed, () -> runSchedule(seed, figures));
    }

    private static long runSchedule(final long seed, final long[] figures)
    {
        try (GroupSimulation simulation = new GroupSimulation(seed, directory.resolve("seed-" + seed), keys))
        {
            try
            {
                simulation.run();
            }
            catch (final RuntimeException ex)
            {
                simulation.violations().add("it threw " + SimulatedEngine.trace(ex));
            }
            final long[] counted = simulation.figures();
            for (int i = 0; i < figures.length; i++)
            {
                figures[i] += counted[i];
            }
            assertEquals(List.of(), simulation.violations(), "again: mvn test -pl engine/runtime " +
                "-Dtest=GroupSimulatorTest -Dsimulator.seed=" + seed);
            return simulation.hash();
        }
    }
}
