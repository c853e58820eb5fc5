package io.escapement.server;

import io.escapement.config.ConfigException;
import io.escapement.engine.Durability;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of a server's journal, and of the meaning of its answers. */
final class JournalOptions
{
    /** In place of a directory. */
    static final String NONE = "none";

    private static final String DEFAULT_DIRECTORY = "./escapement-data";
    /** As of an engine. */
    private static final Duration KEEP_LIMIT = Duration.ofDays(7);

    @Option(names = "--journal", paramLabel = "DIR|none", description = "Keep the rooms in a journal in this " +
        "directory. Rooms then survive a killed process, and a stop keeps them for the next start. With none, rooms " +
        "are in memory only (default: " + DEFAULT_DIRECTORY + ", or none with --record).")
    private String directory;

    @Option(names = "--acknowledge", description = "What an answer to a message promises. RECORDED: its turn is in " +
        "memory that survives the process, with --cluster on a majority of the servers. SYNCED: its turn is on disk, " +
        "with --cluster on a majority of the servers (default: RECORDED).")
    private Durability.Level level;

    @Option(names = "--tail", paramLabel = "DIR|none", description = "Directory of the newest turns of the journal, " +
        "until they are in its files. In a container, name a directory on a volume, or none, because shared memory " +
        "is lost with the container. With none, each turn waits for a write (default: /dev/shm).")
    private String tail;

    @Option(names = "--keep", paramLabel = "TIME", description = "Keep the turns of this time, for example 1h or " +
        "30m. escapement debug can then go back that far (default: the turns after two snapshots).")
    private String keep;

    private long keepNs;

    /**
     * Check the options, and choose the directory.
     *
     * @param isRecording whether the commands are recorded for a replay.
     * @param isMember    whether the server has a log with others.
     */
    void conclude(final boolean isRecording, final boolean isMember)
    {
        if (isMember)
        {
            ConfigException.check(
                null == directory, "--journal", directory, "the servers of --cluster have a log: remove it");
            ConfigException.check(null == tail, "--tail", tail, "the servers of --cluster have none: remove it");
            ConfigException.check(null == keep, "--keep", keep, "only a journal has a history: remove it");
        }
        if (null == directory)
        {
            directory = isRecording || isMember ? NONE : DEFAULT_DIRECTORY;
        }
        keepNs = null == keep ? 0 : TimeOption.parse("--keep", keep, KEEP_LIMIT).toNanos();
        if (isSet())
        {
            ConfigException.check(!isRecording, "--journal", directory, "is a recording: remove --record");
            directory = Path.of(directory).toAbsolutePath().normalize().toString();
        }
        else
        {
            ConfigException.check(null == tail, "--tail", tail, "rooms are in memory: set --journal too");
            ConfigException.check(null == keep, "--keep", keep, "only a journal has a history: set --journal too");
            ConfigException.check(
                null == level || isMember, "--acknowledge", level, "rooms are in memory: set --journal too");
        }
    }

    /** Whether there is a journal. */
    boolean isSet()
    {
        return !NONE.equals(directory);
    }

    /** Whether a directory is named, before the options are concluded. */
    boolean isNamed()
    {
        return null != directory && isSet();
    }

    String directory()
    {
        return directory;
    }

    /** When a turn counts as acknowledged, or null for the default. */
    Durability.Level level()
    {
        return level;
    }

    /** The journal. */
    Durability durability()
    {
        final Durability journal = Durability.journal(Path.of(directory)).keepNs(keepNs);
        if (null != level)
        {
            journal.acknowledge(level);
        }
        if (NONE.equals(tail))
        {
            journal.withoutTail();
        }
        else if (null != tail)
        {
            journal.tailDirectory(Path.of(tail));
        }
        return journal;
    }
}
