package io.escapement.engine;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.internal.durable.EachLoop;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalSettings;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.engine.internal.durable.RecoveryReport;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogHistory;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.concurrent.SystemNanoClock;

/**
 * How durable a turn is before its answers leave, and so what rooms survive. Launching an engine freezes these options:
 * setters then throw {@link IllegalStateException}.
 *
 * <p>A journal is a directory with the turns of each loop and snapshots of its rooms. Only one engine at a time may use
 * it. After a kill or a power loss the next engine continues from the end of the journal.
 */
public final class Durability
{
    /** When a turn runs, which determines the meaning of its answers. */
    public enum Level
    {
        /** At once. Rooms do not survive the process. */
        MEMORY,
        /** When its commands are in the journal's tail, in shared memory. Survives the end of the process. */
        RECORDED,
        /** When its commands are on the disk. Survives the end of the machine. */
        SYNCED
    }

    /** Default of {@link #segmentLength(int)}. */
    public static final int SEGMENT_LENGTH_DEFAULT = 64 * 1_024 * 1_024;
    /** Default of {@link #tailLength(int)}: over one second of a loop's maximum load. */
    public static final int TAIL_LENGTH_DEFAULT = 8 * 1_024 * 1_024;
    /** Default of {@link #syncIntervalNs(long)}. */
    public static final long SYNC_INTERVAL_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(50);
    /** Default of {@link #turnsUnderWay(int)}. */
    public static final int TURNS_UNDER_WAY_DEFAULT = 64;
    /** Default of {@link #bytesUnderWay(int)}. */
    public static final int BYTES_UNDER_WAY_DEFAULT = 1_024 * 1_024;
    /** Default of {@link #replayBudgetNs(long)}. */
    public static final long REPLAY_BUDGET_NS_DEFAULT = TimeUnit.SECONDS.toNanos(2);
    /** Default of {@link #snapshotIntervalNs(long)}. */
    public static final long SNAPSHOT_INTERVAL_NS_DEFAULT = TimeUnit.MINUTES.toNanos(5);

    /** A quarter of the longest turn, the share of commands of rooms to rooms, must hold any command. */
    private static final int MIN_TAIL_LENGTH = 128 * 1_024;
    private static final int MAX_TAIL_LENGTH = 512 * 1_024 * 1_024;
    /** Recovery reads a segment into one buffer. */
    private static final int MAX_SEGMENT_LENGTH = 1_024 * 1_024 * 1_024;
    private static final int PAGE_LENGTH = 4_096;
    private static final int MAX_TURNS_UNDER_WAY = 65_536;
    /** In which players of a large game log some terabytes. */
    private static final long MAX_KEEP_NS = TimeUnit.DAYS.toNanos(7);
    /** Longer than any engine runs, and short enough to be added to a time. */
    private static final long NEVER_NS = Long.MAX_VALUE / 4;

    private final Path directory;
    private final ReplicatedLog replicatedLog;
    private final boolean isRecording;
    private Level level;
    private int segmentLength = SEGMENT_LENGTH_DEFAULT;
    private int tailLength = TAIL_LENGTH_DEFAULT;
    private Path tailDirectory;
    private Path amendments;
    private boolean hasTail = true;
    private long syncIntervalNs = SYNC_INTERVAL_NS_DEFAULT;
    private int turnsUnderWay = TURNS_UNDER_WAY_DEFAULT;
    private int bytesUnderWay = BYTES_UNDER_WAY_DEFAULT;
    private long replayBudgetNs = REPLAY_BUDGET_NS_DEFAULT;
    private long snapshotIntervalNs = SNAPSHOT_INTERVAL_NS_DEFAULT;
    private long keepNs;
    private boolean isOtherHeaderAllowed;
    private boolean isConcluded;

    private Durability(
        final Path directory, final ReplicatedLog replicatedLog, final Level level, final boolean isRecording)
    {
        this.isRecording = isRecording;
        this.replicatedLog = replicatedLog;
        this.directory = directory;
        this.level = level;
    }

    /** Rooms live in memory and close with the process. The engine writes no log. */
    public static Durability memory()
    {
        return new Durability(null, null, Level.MEMORY, false);
    }

    /**
     * Turns are written to a journal before they run, at first with {@link Level#RECORDED}.
     *
     * @param directory of the journal, created if necessary.
     */
    public static Durability journal(final Path directory)
    {
        ConfigException.check(null != directory, "durability.journal", null, "name a directory");
        return new Durability(directory, null, Level.RECORDED, false);
    }

    /**
     * Turns are in a log that several nodes keep before they run. An option of the log decides whether that is the
     * memory of a majority of nodes or their disks.
     *
     * <p>One engine of the group leads and has trunks. The others run the same turns, and refuse trunks and new rooms.
     * See {@link Engine#isLeader()}. {@code escapement-cluster} has such a log.
     *
     * @param log of this node.
     */
    public static Durability replicated(final ReplicatedLog log)
    {
        ConfigException.check(null != log, "durability.replicated", null, "use ClusterLog of escapement-cluster");
        return new Durability(null, log, Level.RECORDED, false);
    }

    /**
     * When a turn runs. SYNCED costs each turn a write to the disk, 0.2 ms or more, which turns share when they are
     * many.
     *
     * @param value RECORDED or SYNCED.
     */
    public Durability acknowledge(final Level value)
    {
        checkNotFrozen();
        checkJournal("acknowledge", value);
        ConfigException.check(Level.RECORDED == value || Level.SYNCED == value,
            "durability.acknowledge", value, "use RECORDED or SYNCED, or Durability.memory()");
        level = value;
        return this;
    }

    /**
     * Length of the journal's files. The journal's thread writes one file of zeros ahead. It therefore notices a full
     * disk a segment early. Longer files mean fewer files, and more old data that stays on the disk after a snapshot.
     *
     * @param bytes a multiple of 4,096, at least twice the tail's length.
     */
    public Durability segmentLength(final int bytes)
    {
        checkNotFrozen();
        checkJournal("segmentLength", bytes);
        ConfigException.check(bytes > 0 && bytes <= MAX_SEGMENT_LENGTH && 0 == bytes % PAGE_LENGTH,
            "durability.segmentLength", bytes, "use a multiple of " + PAGE_LENGTH + " up to " + MAX_SEGMENT_LENGTH);
        segmentLength = bytes;
        return this;
    }

    /**
     * Length of the tail of each loop, the memory that holds turns on their way to the disk. A longer one bridges
     * longer stalls of the disk. An eighth of it is the longest turn that can be proposed.
     *
     * @param bytes a power of two from 128 KiB to 512 MiB.
     */
    public Durability tailLength(final int bytes)
    {
        checkNotFrozen();
        checkJournal("tailLength", bytes);
        ConfigException.check(bytes >= MIN_TAIL_LENGTH && bytes <= MAX_TAIL_LENGTH && BitUtil.isPowerOfTwo(bytes),
            "durability.tailLength", bytes,
            "use a power of two from " + MIN_TAIL_LENGTH + " to " + MAX_TAIL_LENGTH);
        tailLength = bytes;
        return this;
    }

    /**
     * Where the tails are. Default: {@code /dev/shm/escapement-<uid>}. Systems without it have no tails. The memory of
     * a container does not outlive the container. There, name a directory that outlives the container, or use
     * {@link #withoutTail()}.
     *
     * @param value directory, in shared memory for speed.
     */
    public Durability tailDirectory(final Path value)
    {
        checkNotFrozen();
        checkJournal("tailDirectory", value);
        ConfigException.check(null != value, "durability.tailDirectory", null, "name one, or use withoutTail()");
        tailDirectory = value;
        hasTail = true;
        return this;
    }

    /**
     * Each loop writes its turns to the journal's file itself. Costs a loop 2 to 5 us per turn instead of 0.2, and the
     * loop waits while the file system does.
     */
    public Durability withoutTail()
    {
        checkNotFrozen();
        checkJournal("withoutTail", true);
        tailDirectory = null;
        hasTail = false;
        return this;
    }

    /**
     * Interval of syncs with RECORDED: a power loss takes at most as much.
     *
     * @param ns nanoseconds.
     */
    public Durability syncIntervalNs(final long ns)
    {
        checkNotFrozen();
        checkJournal("syncIntervalNs", ns);
        ConfigException.check(ns > 0, "durability.syncIntervalNs", ns, "use a positive interval");
        syncIntervalNs = ns;
        return this;
    }

    /**
     * Most turns of a loop that are proposed and do not run yet. Commands wait in the loop's queues above it.
     *
     * @param turns from 1 to 65,536.
     */
    public Durability turnsUnderWay(final int turns)
    {
        checkNotFrozen();
        checkJournal("turnsUnderWay", turns);
        ConfigException.check(turns > 0 && turns <= MAX_TURNS_UNDER_WAY,
            "durability.turnsUnderWay", turns, "use 1 to " + MAX_TURNS_UNDER_WAY);
        turnsUnderWay = turns;
        return this;
    }

    /**
     * Most bytes of the turns of a loop that are proposed and do not run yet. One turn is always accepted.
     *
     * @param bytes positive, at most half of the tail's length.
     */
    public Durability bytesUnderWay(final int bytes)
    {
        checkNotFrozen();
        checkJournal("bytesUnderWay", bytes);
        ConfigException.check(bytes > 0, "durability.bytesUnderWay", bytes, "use a positive number");
        bytesUnderWay = bytes;
        return this;
    }

    /**
     * The engine takes a snapshot when replaying the turns since the last snapshot would take longer than this. It
     * bounds the time of a restart. If several nodes keep the log, the leader has all nodes take the snapshot, and
     * rooms pause on all nodes.
     *
     * @param ns nanoseconds.
     */
    public Durability replayBudgetNs(final long ns)
    {
        checkNotFrozen();
        checkDurable("replayBudgetNs", ns);
        ConfigException.check(ns > 0, "durability.replayBudgetNs", ns, "use a positive time");
        replayBudgetNs = ns;
        return this;
    }

    /**
     * A snapshot is taken at the latest this long after the last, so that old files can be deleted.
     *
     * @param ns nanoseconds.
     */
    public Durability snapshotIntervalNs(final long ns)
    {
        checkNotFrozen();
        checkDurable("snapshotIntervalNs", ns);
        ConfigException.check(ns > 0, "durability.snapshotIntervalNs", ns, "use a positive interval");
        snapshotIntervalNs = ns;
        return this;
    }

    /**
     * Keep the turns of this time, and snapshots to start from, for {@link #history}. It is host time, which pauses
     * while no engine runs. The disk must hold all data that is logged in this time. Default: 0, the turns after two
     * snapshots.
     *
     * @param ns nanoseconds, up to 7 days.
     */
    public Durability keepNs(final long ns)
    {
        checkNotFrozen();
        checkJournal("keepNs", ns);
        ConfigException.check(ns >= 0 && ns <= MAX_KEEP_NS, "durability.keepNs", ns, "use 0 to " + MAX_KEEP_NS);
        keepNs = ns;
        return this;
    }

    /**
     * Rooms to fail in turns of a log that several nodes keep. When the stack of a callback overflows on a node, that
     * node stops, because other nodes may have more stack. The message has the line for this file. If all nodes stop at
     * that turn, put the line into the file of every node: the room fails there on all of them, and the log continues.
     * The file is read when the engine is launched. It must stay until a snapshot follows those turns. Default: none.
     *
     * @param value file of lines {@code loop proposal room callback}. Empty lines and lines starting with # are
     *              comments. It need not exist.
     */
    public Durability amendments(final Path value)
    {
        checkNotFrozen();
        ConfigException.check(null != replicatedLog, "durability.amendments", value,
            "only a log of several nodes has this option, a journal records such failures itself");
        amendments = value;
        return this;
    }

    /**
     * Accept the journal of an engine with other limits, room types or versions of them. Its turns may then run
     * differently, and a turn that runs differently fails the start. Rooms of a snapshot are restored with the version
     * of the snapshot, and must fit in the limits. Default: false, such a journal is refused, and the refusal names
     * each setting that differs.
     *
     * @param value whether to accept it.
     */
    public Durability acceptOtherSettings(final boolean value)
    {
        checkNotFrozen();
        checkJournal("acceptOtherSettings", value);
        isOtherHeaderAllowed = value;
        return this;
    }

    /** When a turn runs, which determines the meaning of its answers. */
    public Level level()
    {
        return null != replicatedLog && replicatedLog.isSynced() ? Level.SYNCED : level;
    }

    /** Directory of the journal, or null without one. */
    public Path directory()
    {
        return directory;
    }

    /** Longest time that replaying the turns since the last snapshot may take, in nanoseconds. */
    public long replayBudgetNs()
    {
        return replayBudgetNs;
    }

    /** Longest time between snapshots, in nanoseconds. */
    public long snapshotIntervalNs()
    {
        return snapshotIntervalNs;
    }

    /**
     * Makes the threads of an engine. A callback may run compiled on the leader and interpreted on a node that catches
     * up. Interpreted frames are several times as long, and must not overflow there. A journal needs only the stack of
     * the JVM: a recovery has a longer stack.
     */
    ThreadFactory threadFactory()
    {
        return null == replicatedLog ? Thread::new :
            (runnable) -> new Thread(null, runnable, "escapement", EachLoop.STACK_LENGTH);
    }

    /** Lines of the file of amendments, for each loop. */
    Amendments readAmendments(final int loops)
    {
        return Amendments.read(amendments, loops);
    }

    boolean isOtherAccepted()
    {
        return isOtherHeaderAllowed;
    }

    /**
     * A journal that is opened for replay only: it deletes no files and never syncs, and an engine does not start with
     * its rooms.
     */
    static Durability recording(final Path directory)
    {
        return new Durability(directory, null, Level.RECORDED, true);
    }

    /** Whether the journal is a recording. */
    boolean isRecording()
    {
        return isRecording;
    }

    /** Whether turns are written to a journal. */
    boolean isJournal()
    {
        return null != directory;
    }

    /** Whether turns are logged before they run. */
    boolean isDurable()
    {
        return Level.MEMORY != level;
    }

    /** The log that several nodes keep, or null. */
    ReplicatedLog replicatedLog()
    {
        return replicatedLog;
    }

    /**
     * Find out which rooms a start would recover from the journal, without changes. No engine may use the journal.
     *
     * @return a text for each loop, for people.
     * @throws RuntimeException that says why a start would refuse the journal.
     */
    public List<String> examine()
    {
        checkJournal("examine", directory);
        return Journal.examine(directory, SystemNanoClock.INSTANCE).stream().map(RecoveryReport::toString).toList();
    }

    /**
     * Run the turns of the journal as a start would, and compare their output with the output of the original engine,
     * without changes. No engine may use the journal.
     *
     * @param context with the room types.
     * @return a text for each loop, for people.
     * @throws EngineException when a turn differs, or the room types do.
     */
    public List<String> replay(final EngineContext context)
    {
        checkJournal("replay", directory);
        final List<String> texts = new ArrayList<>();
        Journal.examine(directory, SystemNanoClock.INSTANCE, (loops) ->
        {
            final String[] found = new String[loops.size()];
            EachLoop.run(found.length, (i) -> found[i] = replay(loops.get(i), context));
            texts.addAll(List.of(found));
        });
        return texts;
    }

    static String replay(final RecoveredLoop loop, final EngineContext context)
    {
        final String name = "loop " + loop.report().loop();
        final Replay replay;
        try
        {
            replay = new Replay(loop, context.newHostContext().outputs(NoOutputs.NONE)).run();
        }
        catch (final ProposalException | IllegalArgumentException ex)
        {
            throw new EngineException(name + ": " + ex.getMessage(), ex);
        }
        if (!replay.isSame())
        {
            throw new EngineException(name + ": " + replay.difference());
        }
        return name + ": the same: " + replay.turns() + " turns, " + replay.compared() + " hashes compared, " +
            replay.host().openRooms() + " rooms open, state hash " + Long.toHexString(replay.host().stateHash());
    }

    /**
     * Read the logs of a journal, a recording or a node's directory, as a start would read them, without changes. No
     * engine may use it. The last turns of a node's log may not have been committed.
     *
     * @param reader of the logs, by loop. They are closed after the call.
     */
    public void read(final Consumer<Map<Integer, LogSource>> reader)
    {
        // In a thread with the stack that a loop has.
        final Consumer<Map<Integer, LogSource>> inThread = (logs) -> EachLoop.run(1, (i) -> reader.accept(logs));
        if (null != replicatedLog)
        {
            replicatedLog.read(readAmendments(LoopLimits.MAX_LOOPS)::messages, inThread);
            return;
        }
        checkJournal("read", directory);
        Journal.examine(directory, SystemNanoClock.INSTANCE, (loops) ->
        {
            final Map<Integer, LogSource> logs = new TreeMap<>();
            loops.forEach((loop) -> logs.put(loop.report().loop(), loop));
            inThread.accept(logs);
        });
    }

    /**
     * Read the kept history of a journal, a recording or a node's directory, from any of its snapshots on, without
     * changes. No engine may use it. Only files that are read are verified. The log of a node has one start.
     *
     * @param reader of the histories, by loop. They are closed after the call. The first start is the first turn if it
     *               has been kept, and otherwise the oldest complete snapshot.
     */
    public void history(final Consumer<Map<Integer, LogHistory>> reader)
    {
        if (null != replicatedLog)
        {
            read((logs) ->
            {
                final Map<Integer, LogHistory> histories = new TreeMap<>();
                logs.forEach((loop, log) -> histories.put(loop, LogHistory.of(log)));
                reader.accept(histories);
            });
            return;
        }
        checkJournal("history", directory);
        // In a thread with the stack that a loop has.
        Journal.history(directory, (histories) -> EachLoop.run(1, (i) -> reader.accept(histories)));
    }

    /** Refuse directories that cannot be used, and wrong options of a log of several nodes. */
    void checkHost(final int loops)
    {
        if (isJournal())
        {
            PrivateFiles.checkDirectory(isRecording ? "recordTo" : "durability.journal", directory);
            ConfigException.check(null == tailDirectory || Files.isWritable(tailDirectory),
                "durability.tailDirectory", tailDirectory, "this user cannot write there: name another directory");
        }
        else if (null != replicatedLog)
        {
            readAmendments(loops);
            replicatedLog.check();
        }
    }

    /** Check the options that depend on one another and on the engine's, and freeze them. */
    void conclude(final List<RoomType> roomTypes)
    {
        for (final RoomType type : roomTypes)
        {
            ConfigException.check(!isRecording || !type.isEphemeral(), "recordTo", directory,
                type + " is ephemeral and can be neither recorded nor replayed: declare it without");
            ConfigException.check(!isDurable() || !type.isEphemeral(), "durability", "a log of turns",
                type + " is ephemeral and would not outlive the engine: declare it without");
        }
        if (isConcluded)
        {
            return;
        }
        if (isJournal())
        {
            ConfigException.check(segmentLength >= 2 * (long)tailLength, "durability.segmentLength", segmentLength,
                "use at least twice tailLength, " + 2 * (long)tailLength);
            ConfigException.check(bytesUnderWay <= tailLength / 2, "durability.bytesUnderWay", bytesUnderWay,
                "use at most half of tailLength, " + tailLength / 2);
            ConfigException.check(null == tailDirectory || Files.isDirectory(tailDirectory),
                "durability.tailDirectory", tailDirectory, "create it, or name another directory");
            if (hasTail && null == tailDirectory)
            {
                tailDirectory = PrivateFiles.hasSharedMemory() ? PrivateFiles.memory() : null;
            }
        }
        isConcluded = true;
    }

    /** The options of a journal that an engine starts. A recording never goes to the directory of an earlier one. */
    JournalSettings journalSettings()
    {
        return new JournalSettings(isRecording ? Journal.unused(directory) : directory, Level.SYNCED == level,
            segmentLength, tailLength, tailDirectory, isRecording ? NEVER_NS : syncIntervalNs, turnsUnderWay,
            bytesUnderWay, isOtherHeaderAllowed, keepNs);
    }

    /** Bytes that the tails, or a log of several nodes, take of the file system with the driver's directory. */
    long memoryLength(final int loops, final Path memory)
    {
        if (null != replicatedLog)
        {
            return replicatedLog.memoryLength(memory);
        }
        try
        {
            return null != tailDirectory && Files.getFileStore(tailDirectory).equals(Files.getFileStore(memory)) ?
                loops * (long)JournalSettings.tailMemoryLength(tailLength) : 0;
        }
        catch (final IOException ex)
        {
            // A file system that does not say how much is left either.
            return 0;
        }
    }

    private void checkJournal(final String option, final Object value)
    {
        ConfigException.check(null != directory, "durability." + option, value,
            "only a journal has this option, use Durability.journal(directory)");
    }

    private void checkDurable(final String option, final Object value)
    {
        ConfigException.check(null != directory || null != replicatedLog, "durability." + option, value,
            "memory() has no snapshots, use Durability.journal(directory) or replicated(log)");
    }

    private void checkNotFrozen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the options are frozen: an engine was launched with them");
        }
    }
}
