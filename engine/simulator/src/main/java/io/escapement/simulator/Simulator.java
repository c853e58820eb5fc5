package io.escapement.simulator;

import io.escapement.driver.DriverDirectory;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.AsyncService;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.IoUtil;

/**
 * Runs rooms in whole systems, simulated in one thread and in simulated time: engines with their edges, loops, journals
 * and disks, single or as a group of three, players, and the network between them. A seed decides everything: the
 * messages of players, lost datagrams, killed nodes, the leader, and the losses of disks.
 *
 * <pre>{@code
 * new Simulator(BookRoom.type())
 *     .open(BookRoom.TYPE, 2)
 *     .script((playerId, roomId, random, buffer) -> orders.encode(buffer, random))
 *     .checkAfterEachTurn(BookRoom.class, BookRoom::checkBooks)
 *     .run(100);
 * }</pre>
 *
 * <p>After each schedule these must hold. Each accepted message has run once, in its seat's order. All nodes, a restart
 * and a replay of the log have the same state. There are no leaks. A failing seed is retried with fewer clients, less
 * time and fewer faults, and reported with the smallest failing schedule.
 */
public final class Simulator
{
    static final byte[] SECRET = "a secret of the simulation".getBytes(StandardCharsets.US_ASCII);
    private static final String SEED = "simulator.seed";
    private static final int SHRINKS = 64;
    private static final int CLIENTS = 3;
    private static final int LONGEST_MS = 2_000;
    private static final int WARM_UP_MS = 100;

    private final List<RoomType> types = new ArrayList<>();
    private final List<Consumer<EngineContext>> services = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();
    private final List<Consumer<RoomLogic>> checks = new ArrayList<>();
    private PlayerScript script = (playerId, roomId, random, buffer) -> 0;

    record Opening(int typeId, byte[] args)
    {
    }

    /**
     * Simulate rooms of these types.
     *
     * @param types all that they open and need.
     */
    public Simulator(final RoomType... types)
    {
        this.types.addAll(List.of(types));
    }

    /**
     * Open rooms at the start, which all players join.
     *
     * @param typeId of the rooms.
     * @param count  of them.
     */
    public Simulator open(final int typeId, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            openings.add(new Opening(typeId, new byte[0]));
        }
        return this;
    }

    /**
     * Open a room at the start, which all players join.
     *
     * @param typeId of the room.
     * @param args   of its logic.
     */
    public Simulator open(final int typeId, final byte[] args)
    {
        openings.add(new Opening(typeId, args.clone()));
        return this;
    }

    /**
     * Add a service that rooms ask.
     *
     * @param serviceId of it.
     * @param name      of it.
     * @param service   makes a service for each start of a node. It runs in the simulation's thread.
     */
    public Simulator service(final int serviceId, final String name, final Supplier<AsyncService> service)
    {
        services.add((context) -> context.service(serviceId, name, 1, service));
        return this;
    }

    /**
     * The messages of the players. Without a script they watch.
     *
     * @param value makes their messages.
     */
    public Simulator script(final PlayerScript value)
    {
        script = value;
        return this;
    }

    /**
     * Check an invariant of each room on each node, after each duty cycle: one turn, or several after a pause.
     *
     * @param logic     class of the rooms.
     * @param invariant throws if it is broken. It makes no changes.
     * @param <L>       type of the rooms' logic.
     */
    public <L extends RoomLogic> Simulator checkAfterEachTurn(final Class<L> logic, final Consumer<L> invariant)
    {
        checks.add((room) ->
        {
            if (logic.isInstance(room))
            {
                invariant.accept(logic.cast(room));
            }
        });
        return this;
    }

    /**
     * Run the schedules of seeds 1 to a number, or only of the seed in the JVM's property {@code simulator.seed}.
     *
     * @param seeds number of schedules.
     * @throws AssertionError for the first failing seed, with the smallest schedule that was found.
     */
    public void run(final int seeds)
    {
        final Long only = Long.getLong(SEED);
        final long first = null == only ? 1 : only;
        try (Entropy entropy = new Entropy(); Schedules schedules = new Schedules(entropy))
        {
            for (long seed = first; seed < first + (null == only ? seeds : 1); seed++)
            {
                schedules.run(seed, () -> new AuthorGame(this), CLIENTS, LONGEST_MS);
            }
        }
    }

    List<RoomType> types()
    {
        return types;
    }

    List<Consumer<EngineContext>> services()
    {
        return services;
    }

    List<Opening> openings()
    {
        return openings;
    }

    List<Consumer<RoomLogic>> checks()
    {
        return checks;
    }

    PlayerScript script()
    {
        return script;
    }

    /** Runs schedules one after another, in one directory. */
    static final class Schedules implements AutoCloseable
    {
        private final Entropy entropy;
        private final Path directory;
        private final Path keys;
        private boolean isWarm;

        /**
         * Make one.
         *
         * @param entropy of all threads.
         */
        Schedules(final Entropy entropy)
        {
            this.entropy = entropy;
            try
            {
                directory = Files.createDirectory(Path.of(DriverDirectory.temporary()));
                keys = Files.writeString(directory.resolve("keys"), "a key of the simulated nodes, of some length\n");
                Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        /** Run a seed. Fail with the smallest shape that fails. */
        Result run(final long seed, final Supplier<SimulatedGame> games, final int clients, final int longestMs)
        {
            warmUp(games);
            Shape shape = Shape.of(seed, games.get().modes(), clients, longestMs);
            final Result first = run(seed, shape, games);
            if (first.violations.isEmpty())
            {
                return first;
            }
            Result smallest = first;
            int tries = 0;
            boolean isSmaller = true;
            while (isSmaller && tries < SHRINKS)
            {
                isSmaller = false;
                for (final Shape next : shape.smaller())
                {
                    tries++;
                    final Result result = run(seed, next, games);
                    if (!result.violations.isEmpty())
                    {
                        smallest = result;
                        shape = next;
                        isSmaller = true;
                        break;
                    }
                }
            }
            throw new AssertionError("seed " + seed + " fails: " + smallest.violations.get(0) + "\n  with " + shape +
                "\n  at first: " + first.violations.get(0) + "\n  again: -D" + SEED + "=" + seed);
        }

        /** The first schedule of a JVM initialises classes, which takes random numbers of its seed. */
        private void warmUp(final Supplier<SimulatedGame> games)
        {
            if (!isWarm)
            {
                isWarm = true;
                for (final Mode mode : games.get().modes())
                {
                    run(0, new Shape(mode, 1, WARM_UP_MS, EnumSet.noneOf(Fault.class), false), games);
                }
            }
        }

        /** Run a seed in a shape. */
        Result run(final long seed, final Shape shape, final Supplier<SimulatedGame> games)
        {
            final Result[] result = new Result[1];
            entropy.run(seed, () ->
            {
                result[0] = runNow(seed, shape, games.get());
                return 0;
            });
            return result[0];
        }

        private Result runNow(final long seed, final Shape shape, final SimulatedGame game)
        {
            try (Simulation simulation =
                new Simulation(seed, shape, game, directory.resolve("seed-" + seed), keys))
            {
                try
                {
                    simulation.run();
                }
                catch (final Throwable ex)
                {
                    simulation.violations().add("it threw " + Node.trace(ex));
                }
                return new Result(
                    List.copyOf(simulation.violations()), simulation.hash(), simulation.figures());
            }
        }

        @Override
        public void close()
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    /**
     * Of a schedule.
     *
     * @param violations what must not be.
     * @param hash       of all that happened.
     * @param figures    that something happened.
     */
    record Result(List<String> violations, long hash, long[] figures)
    {
    }
}
