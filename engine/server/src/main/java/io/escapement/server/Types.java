package io.escapement.server;

import io.escapement.codecs.Codes;
import io.escapement.config.ConfigException;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineOperator;
import io.escapement.rooms.RoomType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The game and the versions of its rooms, from the class path and from jars. A version that was loaded stays
 * for as long as the process lives, because rooms and logs may have any of them.
 */
final class Types
{
    /** Each holds its classes in memory for good. */
    static final int JAR_LIMIT = 64;
    /** Each build holds its classes for good, and they are few. */
    static final int BUILD_LIMIT = 1_000;

    private static final String OPTION = "--types";
    private static final long RELOAD_SECONDS = 30;
    /** Of rooms with a provider that is no game. */
    private static final Game NO_GAME = new Game()
    {
        @Override
        public String name()
        {
            return "rooms";
        }

        @Override
        public List<RoomType> roomTypes()
        {
            return List.of();
        }
    };

    private final List<Path> paths;
    private final Map<Path, FileTime> timeByJarMap = new HashMap<>();
    /** By type, in the order in which they were found. The versions of a type are ordered by number. */
    private final Map<Integer, TreeMap<Integer, RoomType>> versionsByTypeIdMap = new LinkedHashMap<>();
    private Game game = NO_GAME;
    private int builds;
    /** The game of the class path stays, and a jar may have newer versions of its rooms. */
    private final boolean isGameOfClassPath;

    /**
     * Load all types.
     *
     * @param paths of jars, and of directories with jars.
     * @throws ConfigException if a path is wrong, a jar cannot be loaded, or there are two games.
     */
    Types(final List<Path> paths)
    {
        this.paths = paths;
        final List<RoomType.Provider> providers = new ArrayList<>();
        try
        {
            ServiceLoader.load(RoomType.Provider.class, Types.class.getClassLoader()).forEach(providers::add);
        }
        catch (final ServiceConfigurationError ex)
        {
            throw new IllegalStateException("the class path: its room types cannot be loaded: " + ex.getMessage(), ex);
        }
        add("the class path", providers, true);
        isGameOfClassPath = NO_GAME != game;
        newJars().forEach((jar) -> load(jar, true));
    }

    /** The game that has a part in the server, with defaults if no provider is a game. */
    Game game()
    {
        return game;
    }

    /** All versions, to be registered before an engine is launched or a log is run. */
    synchronized List<RoomType> types()
    {
        return versionsByTypeIdMap.values().stream().flatMap((versions) -> versions.values().stream()).toList();
    }

    /**
     * Load the jars that are new, and have the newest versions take over the rooms if this server leads. Waits for it.
     *
     * @param engine that runs.
     * @return the accepted and the refused changes, in one line.
     */
    synchronized String reload(final Engine engine)
    {
        final EngineOperator operator = engine.operator();
        final List<String> loaded = new ArrayList<>();
        final List<String> refused = new ArrayList<>();
        try
        {
            for (final Path jar : newJars())
            {
                try
                {
                    load(jar, false).forEach(operator::register);
                    loaded.add(jar.getFileName().toString());
                }
                catch (final RuntimeException ex)
                {
                    refused.add(ex.getMessage());
                }
            }
        }
        catch (final RuntimeException ex)
        {
            refused.add(ex.getMessage());
        }
        final String done = engine.isLeader() ? takeOver(operator, refused) : "the server that leads reloads the rooms";
        return (loaded.isEmpty() ? "no new jar" : String.join(", ", loaded)) + ": " + done + text(refused);
    }

    /**
     * Have a build of the game take over the rooms, by the version after the newest, whatever its sources name. Waits
     * for it.
     *
     * @param jar    with the whole game.
     * @param engine that runs, with its rooms in memory.
     * @return the result, in one line.
     */
    synchronized String rebuild(final Path jar, final Engine engine)
    {
        if (builds >= BUILD_LIMIT)
        {
            throw new IllegalStateException("a server takes at most " + BUILD_LIMIT + " builds: restart it");
        }
        final List<RoomType> found = EngineOperator.load(jar).stream().filter((type) -> !type.isEphemeral()).toList();
        for (final RoomType type : found)
        {
            checkKnown(jar.toString(), type, false);
        }
        final List<String> refused = new ArrayList<>();
        for (final RoomType type : found)
        {
            final TreeMap<Integer, RoomType> versions = versionsByTypeIdMap.get(type.id());
            type.version(versions.lastKey() + 1);
            engine.operator().register(type);
            versions.put(type.version(), type);
        }
        builds++;
        return "build " + builds + ": " + takeOver(engine.operator(), refused) + text(refused);
    }

    private static String text(final List<String> refused)
    {
        return refused.isEmpty() ? "" : "; refused: " + String.join("; ", refused);
    }

    /** Returns the rooms that were taken over. */
    private String takeOver(final EngineOperator operator, final List<String> refused)
    {
        int rooms = 0;
        for (final TreeMap<Integer, RoomType> versions : versionsByTypeIdMap.values())
        {
            final RoomType newest = versions.lastEntry().getValue();
            for (final RoomType older : versions.headMap(newest.version()).values())
            {
                try
                {
                    final EngineOperator.Reload reload = operator.reload(older.id(), older.version(), newest.version())
                        .get(RELOAD_SECONDS, TimeUnit.SECONDS);
                    rooms += reload.rooms();
                    if (null != reload.firstRefused())
                    {
                        refused.add(describe(reload, older, newest));
                    }
                }
                catch (final ExecutionException | TimeoutException | IllegalArgumentException ex)
                {
                    final Throwable cause = ex instanceof ExecutionException ? ex.getCause() : ex;
                    refused.add(newest.name() + " version " + newest.version() + ": " +
                        (null == cause.getMessage() ? "no answer in " + RELOAD_SECONDS + " s" : cause.getMessage()));
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("the reload was interrupted", ex);
                }
            }
        }
        return "rooms reloaded: " + rooms;
    }

    private static String describe(final EngineOperator.Reload reload, final RoomType older, final RoomType newest)
    {
        final EngineOperator.Refusal first = reload.firstRefused();
        return (0 == first.roomId() ? "the next rooms" : reload.refused() + " rooms, first room " + first.roomId()) +
            " of " + older.name() + " from version " + older.version() + " to " + newest.version() + ": " +
            Codes.nameOf(first.code()) + (null == first.cause() ? "" : ": " + first.cause().getMessage());
    }

    /** The jars of a directory by name, so that every start finds them in the same order. */
    private List<Path> newJars()
    {
        final List<Path> jars = new ArrayList<>();
        for (final Path path : paths)
        {
            if (!Files.exists(path))
            {
                throw new ConfigException(OPTION, path, "no such file or directory");
            }
            try (Stream<Path> files = Files.isDirectory(path) ? Files.list(path) : Stream.of(path))
            {
                for (final Path jar : files.filter((file) -> file.toString().endsWith(".jar")).sorted().toList())
                {
                    if (!Files.getLastModifiedTime(jar).equals(timeByJarMap.get(jar)))
                    {
                        jars.add(jar);
                    }
                }
            }
            catch (final IOException ex)
            {
                throw new ConfigException(OPTION, path, "it cannot be read: " + ex, ex);
            }
        }
        return jars;
    }

    /** Load a jar whole or not at all. Returns the versions that were not known. */
    private List<RoomType> load(final Path jar, final boolean isStart)
    {
        if (timeByJarMap.size() >= JAR_LIMIT && !timeByJarMap.containsKey(jar))
        {
            throw new ConfigException(OPTION, jar, "a server loads at most " + JAR_LIMIT + " jars: start it again");
        }
        try
        {
            final FileTime time = Files.getLastModifiedTime(jar);
            final List<RoomType> found = add(jar.toString(), EngineOperator.providers(jar), isStart);
            timeByJarMap.put(jar, time);
            return found;
        }
        catch (final IOException ex)
        {
            throw new ConfigException(OPTION, jar, "it cannot be read: " + ex, ex);
        }
    }

    private List<RoomType> add(
        final String source, final List<RoomType.Provider> providers, final boolean isStart)
    {
        Game newest = game;
        final List<RoomType> found = new ArrayList<>();
        for (final RoomType.Provider provider : providers)
        {
            if (provider instanceof Game other)
            {
                if (NO_GAME != newest && !newest.getClass().getName().equals(other.getClass().getName()))
                {
                    throw new ConfigException(OPTION, source, "its game " + other.name() +
                        " is a second one, next to " + newest.name() + ": serve each by its own server");
                }
                newest = isGameOfClassPath ? newest : other;
            }
            for (final RoomType type : provider.roomTypes())
            {
                final TreeMap<Integer, RoomType> versions = checkKnown(source, type, isStart);
                if (null == versions || !versions.containsKey(type.version()))
                {
                    found.add(type);
                }
            }
        }
        found.forEach((type) ->
            versionsByTypeIdMap.computeIfAbsent(type.id(), (id) -> new TreeMap<>()).put(type.version(), type));
        // A running server keeps its game.
        game = isStart ? newest : game;
        return found;
    }

    /** Returns the versions of a type, or null if it has no version yet. */
    private TreeMap<Integer, RoomType> checkKnown(final String source, final RoomType type, final boolean isStart)
    {
        final TreeMap<Integer, RoomType> versions = versionsByTypeIdMap.get(type.id());
        if (null == versions ? !isStart : !versions.firstEntry().getValue().name().equals(type.name()))
        {
            throw new ConfigException(OPTION, source, type +
                (null == versions ? " is no room of this server: start it again" : " has the id of " +
                versions.firstEntry().getValue() + ": change one"));
        }
        return versions;
    }
}
