package io.escapement.arena.program;

import io.escapement.arena.ArenaTypes;
import io.escapement.codecs.Codes;
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
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The versions of the game's rooms: those of the program, and newer ones of the jars in a directory. A version that was
 * loaded stays for as long as the process lives, because rooms and logs may have any of them.
 */
final class Rules
{
    /** Each holds its classes in memory for good. */
    static final int JAR_LIMIT = 64;

    private static final long RELOAD_SECONDS = 30;

    private final Path directory;
    private final Map<Path, FileTime> timeByJarMap = new HashMap<>();
    /** By type, in the order in which they were found; the versions of a type by number. */
    private final Map<Integer, TreeMap<Integer, RoomType>> versionsByTypeIdMap = new LinkedHashMap<>();

    /**
     * Begin with the versions of the program.
     *
     * @param directory of jars, or null if there are none.
     */
    Rules(final Path directory)
    {
        if (null != directory && !Files.isDirectory(directory))
        {
            throw new IllegalStateException("--rules: " + directory + ": no such directory");
        }
        this.directory = directory;
        for (final RoomType type : new ArenaTypes().roomTypes())
        {
            final TreeMap<Integer, RoomType> versions = new TreeMap<>();
            versions.put(type.version(), type);
            versionsByTypeIdMap.put(type.id(), versions);
        }
    }

    /** All versions, to be registered before an engine is launched or a log is run. */
    synchronized List<RoomType> types()
    {
        if (null != directory)
        {
            newJars().forEach(this::load);
        }
        return versionsByTypeIdMap.values().stream().flatMap((versions) -> versions.values().stream()).toList();
    }

    /**
     * Load the jars that are new, and have the newest versions take over the rooms if this server leads. Waits for it.
     *
     * @param engine that runs.
     * @return what was done and refused, in one line.
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
                    load(jar).forEach(operator::register);
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
        return (loaded.isEmpty() ? "no new jar" : String.join(", ", loaded)) + ": " + done +
            (refused.isEmpty() ? "" : "; refused: " + String.join("; ", refused));
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

    /** By name, so that every start finds them in the same order. */
    private List<Path> newJars()
    {
        try (Stream<Path> files = Files.list(directory))
        {
            final List<Path> jars = new ArrayList<>();
            for (final Path jar : files.filter((file) -> file.toString().endsWith(".jar")).sorted().toList())
            {
                if (!Files.getLastModifiedTime(jar).equals(timeByJarMap.get(jar)))
                {
                    jars.add(jar);
                }
            }
            return jars;
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException("--rules: " + directory + ": it cannot be read: " + ex, ex);
        }
    }

    /** Load a jar whole or not at all. Returns the versions that were not known. */
    private List<RoomType> load(final Path jar)
    {
        if (timeByJarMap.size() >= JAR_LIMIT && !timeByJarMap.containsKey(jar))
        {
            throw new IllegalStateException(jar + ": a server loads at most " + JAR_LIMIT + " jars: start it again");
        }
        final FileTime time;
        final List<RoomType> loaded;
        try
        {
            time = Files.getLastModifiedTime(jar);
            loaded = EngineOperator.load(jar);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(jar + ": " + ex, ex);
        }
        final List<RoomType> found = new ArrayList<>();
        for (final RoomType type : loaded)
        {
            final TreeMap<Integer, RoomType> versions = versionsByTypeIdMap.get(type.id());
            if (null == versions || !versions.firstEntry().getValue().name().equals(type.name()))
            {
                throw new IllegalStateException(jar + ": " + type + " is no room of this game");
            }
            if (!versions.containsKey(type.version()))
            {
                found.add(type);
            }
        }
        found.forEach((type) -> versionsByTypeIdMap.get(type.id()).put(type.version(), type));
        timeByJarMap.put(jar, time);
        return found;
    }
}
