package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * The journal's directory, held by one engine at a time. In the launching thread, in this order: {@link #open},
 * {@link #recover} and {@link #start} for each loop. Then {@link #agent()} runs in its own thread. To stop: stop the
 * loops' threads, then the agent's, then call {@link #close()}.
 */
public final class Journal implements AutoCloseable
{
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long UNKNOWN_BOOT = 0;

    private final JournalSettings options;
    private final JournalDisk disk;
    private final JournalAbout about;
    private final TailStore earlierTails;
    /** Null if the tails do not outlive the process. */
    private final String tailsDirectory;
    private final TailStore tails;
    private final JournalStorage storage;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final Map<Integer, JournalLog> logByLoopMap = new TreeMap<>();
    private final List<JournalWriter> writers = new ArrayList<>();
    private final List<SnapshotStore> snapshots = new ArrayList<>();
    private boolean isAboutWritten;
    private int tailsDeleted;

    private Journal(
        final JournalSettings options,
        final JournalStorage storage,
        final JournalAbout about,
        final NanoClock clock,
        final ErrorHandler errorHandler)
    {
        this.options = options;
        this.storage = storage;
        this.about = about;
        this.clock = clock;
        this.errorHandler = errorHandler;
        disk = storage.disk();
        earlierTails =
            new EarlierTails(storage.tails().apply(about.tails()), storage.tails().apply(about.tailsBefore()));
        tailsDirectory =
            null == options.tailDirectory() ? null : MappedTails.newDirectory(options.tailDirectory()).toString();
        tails = storage.tails().apply(tailsDirectory);
    }

    /**
     * Take the directory.
     *
     * @param options      checked.
     * @param clock        for sync intervals and reports.
     * @param errorHandler for failures, in the threads in which they happen.
     * @throws JournalException when another engine has it, or it cannot be used.
     */
    public static Journal open(final JournalSettings options, final NanoClock clock, final ErrorHandler errorHandler)
    {
        FileChannel lock = null;
        try
        {
            if (null != options.tailDirectory() && UNKNOWN_BOOT == readBootId())
            {
                throw new JournalException("durability.tailDirectory: " + options.tailDirectory() +
                    ": this system has no id of its start, by which old tails are recognized: use withoutTail()");
            }
            PrivateFiles.createDirectories("durability.journal", options.directory());
            if (null != options.tailDirectory())
            {
                MappedTails.deleteAbandoned(options.tailDirectory(), System.currentTimeMillis());
            }
            lock = lock("durability.journal: ", options.directory(), true);
            return open(options, storage(options.directory(), lock), clock, errorHandler);
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(lock);
            throw cannotBeOpened(options, ex);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(lock);
            throw ex;
        }
    }

    /**
     * Take a machine's storage of a journal.
     *
     * @param options      checked.
     * @param storage      of the journal.
     * @param clock        for sync intervals and reports.
     * @param errorHandler for failures, in the threads in which they happen.
     * @throws JournalException when it cannot be used.
     */
    public static Journal open(
        final JournalSettings options,
        final JournalStorage storage,
        final NanoClock clock,
        final ErrorHandler errorHandler)
    {
        try
        {
            final JournalDisk disk = storage.disk();
            final JournalAbout found = JournalAbout.read(disk);
            if (null == found && !JournalNames.loops(disk.list()).isEmpty())
            {
                throw new JournalException(disk.path(JournalNames.ABOUT) +
                    ": missing, although there are files of a journal: restore it with them");
            }
            return new Journal(options, storage, null == found ? JournalAbout.create() : found, clock, errorHandler);
        }
        catch (final IOException ex)
        {
            throw cannotBeOpened(options, ex);
        }
    }

    private static JournalException cannotBeOpened(final JournalSettings options, final IOException ex)
    {
        return new JournalException(
            "the journal " + options.directory() + " cannot be opened: " + ex.getMessage(), ex);
    }

    private static JournalStorage storage(final Path directory, final AutoCloseable lock)
    {
        return new JournalStorage(
            new FileDisk(directory), lock, (tails) -> tailStore(tails, directory), readBootId());
    }

    /**
     * A directory without a journal: the given directory, or a new subdirectory, {@code run-2} or the next free number.
     *
     * @param directory created if necessary.
     */
    public static Path unused(final Path directory)
    {
        Path unused = directory;
        for (int run = 2; Files.exists(unused.resolve(JournalNames.ABOUT)); run++)
        {
            unused = directory.resolve("run-" + run);
        }
        return PrivateFiles.createDirectories("recordTo", unused);
    }

    /**
     * Find out the state that a start would recover, without changes.
     *
     * @param directory of a journal that no engine uses.
     * @param clock     for the reports.
     * @return a report for each loop.
     * @throws JournalException when a start would refuse the journal.
     */
    public static List<RecoveryReport> examine(final Path directory, final NanoClock clock)
    {
        final List<RecoveryReport> reports = new ArrayList<>();
        examine(directory, clock, (loops) -> loops.forEach((recovered) -> reports.add(recovered.report())));
        return reports;
    }

    /**
     * Read a journal as a start would, without changes.
     *
     * @param directory of a journal that no engine uses.
     * @param clock     for the reports.
     * @param reader    of all loops' journals, which are closed after the call.
     * @throws JournalException when a start would refuse the journal.
     */
    public static void examine(
        final Path directory, final NanoClock clock, final Consumer<List<RecoveredLoop>> reader)
    {
        inDirectory(directory, (storage) -> examine(storage, clock, reader));
    }

    /** Reads the journal of a storage. */
    @FunctionalInterface
    private interface StorageReader
    {
        void read(JournalStorage storage) throws IOException;
    }

    private static void inDirectory(final Path directory, final StorageReader reader)
    {
        try
        {
            reader.read(storage(directory, lock("", directory, false)));
        }
        catch (final NoSuchFileException ex)
        {
            throw noJournal(ex.getFile());
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new JournalException("the journal " + directory + " cannot be read: " + ex.getMessage(), ex);
        }
    }

    /**
     * Read a machine's storage of a journal as a start would, without changes.
     *
     * @param storage of a journal that no engine uses. Its lock is released.
     * @param clock   for the reports.
     * @param reader  of all loops' journals, which are closed after the call.
     */
    public static void examine(
        final JournalStorage storage, final NanoClock clock, final Consumer<List<RecoveredLoop>> reader)
        throws IOException
    {
        dryRun(storage, (recoveries) ->
        {
            final RecoveredLoop[] loops = new RecoveredLoop[recoveries.size()];
            try
            {
                EachLoop.run(loops.length, (i) -> loops[i] = examine(recoveries.get(i), clock));
                reader.accept(List.of(loops));
            }
            finally
            {
                CloseHelper.quietCloseAll(loops);
            }
        });
    }

    /**
     * Read the history of a journal, without changes.
     *
     * @param directory of a journal that no engine uses.
     * @param reader    of the histories, by loop.
     * @throws JournalException when it is no journal, or is damaged where it is read.
     */
    public static void history(final Path directory, final Consumer<Map<Integer, LogHistory>> reader)
    {
        inDirectory(directory, (storage) -> history(storage, reader));
    }

    /**
     * Read the history of a machine's storage of a journal, without changes.
     *
     * @param storage of a journal that no engine uses. Its lock is released.
     * @param reader  of the histories, by loop.
     */
    public static void history(final JournalStorage storage, final Consumer<Map<Integer, LogHistory>> reader)
        throws IOException
    {
        dryRun(storage, (recoveries) ->
        {
            final Map<Integer, LogHistory> histories = new TreeMap<>();
            for (final Recovery recovery : recoveries)
            {
                histories.put(recovery.loop(), recovery.past());
            }
            reader.accept(histories);
        });
    }

    /** Takes the recoveries of all loops. The recoveries change no files. */
    @FunctionalInterface
    private interface DryRun
    {
        void run(List<Recovery> recoveries) throws IOException;
    }

    private static void dryRun(final JournalStorage storage, final DryRun dryRun) throws IOException
    {
        final List<AutoCloseable> used = new ArrayList<>(List.of(storage.lock()));
        try
        {
            final JournalDisk disk = storage.disk();
            final JournalAbout about = JournalAbout.read(disk);
            if (null == about)
            {
                throw noJournal(disk.path(JournalNames.ABOUT));
            }
            final TailStore tails = new DryTails(new EarlierTails(
                storage.tails().apply(about.tails()), storage.tails().apply(about.tailsBefore())));
            used.add(tails);
            final List<Recovery> recoveries = new ArrayList<>();
            for (final int loop : JournalNames.loops(disk.list()))
            {
                recoveries.add(new Recovery(new DryDisk(disk), tails, about, storage.bootId(), loop, true));
            }
            dryRun.run(recoveries);
        }
        finally
        {
            Collections.reverse(used);
            used.forEach(CloseHelper::quietClose);
        }
    }

    private static JournalException noJournal(final Object missing)
    {
        return new JournalException(missing + ": not there, so this is no journal");
    }

    private static RecoveredLoop examine(final Recovery recovery, final NanoClock clock)
    {
        try
        {
            return recovery.run(null, clock);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex.getMessage(), ex);
        }
    }

    /**
     * Recover the files of a loop: write out its tail, choose its snapshot, cut off incomplete records.
     *
     * <p>Several loops may be recovered at a time.
     *
     * @param loop     its number.
     * @param expected settings of the host that will run the turns.
     * @throws JournalException when the journal is damaged, or was written with other settings.
     */
    public RecoveredLoop recover(final int loop, final HostConfig expected)
    {
        try
        {
            return new Recovery(disk, earlierTails, about, storage.bootId(), loop, false)
                .run(options.isOtherHeaderAllowed() ? null : expected, clock);
        }
        catch (final IOException ex)
        {
            throw failure(loop, "cannot be recovered", ex);
        }
    }

    /**
     * Begin the next incarnation of a loop's journal, in a new segment, which is on the disk when this returns.
     *
     * @param loop      its number.
     * @param recovered its journal so far.
     * @param log       settings of the host.
     * @throws JournalException when the disk is full, or fails.
     */
    public JournalLog start(final int loop, final RecoveredLoop recovered, final HostConfig log)
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final int incarnation = recovered.incarnation() + 1;
        final String tailName = JournalNames.tail(about.journalId(), loop);
        try
        {
            writeAbout();
            final int length = JournalSettings.tailMemoryLength(options.tailLength());
            final TailOwner owner = new TailOwner(about.journalId(), storage.bootId(), loop, incarnation);
            final JournalLog.Start start = recovered.start();
            final Tail tail = Tail.begin(
                tails.create(tailName, length), options.tailLength(), options.recordLimit(), owner, start.position());
            final JournalWriter writer = new JournalWriter(
                tail, new JournalSegments(disk, loop, options.segmentLength()), options, clock.nanoTime(), failure,
                errorHandler);
            final SnapshotStore store =
                new SnapshotStore(
                    disk, loop, tail, writer, recovered.snapshotPosition(), options.keepNs(), errorHandler);
            final DirectBuffer template = SegmentHeader.template(incarnation, about.journalId(), log);
            final JournalLog journalLog = new JournalLog(options, tail, writer, store, failure, template, start,
                () -> deleteTail(tailName, failure));
            writer.prepareAll();
            journalLog.begin();
            writers.add(writer);
            snapshots.add(store);
            logByLoopMap.put(loop, journalLog);
            return journalLog;
        }
        catch (final IOException ex)
        {
            throw failure(loop, "cannot begin", ex);
        }
    }

    /** A warning for the operator, that tails may be lost with a container, or null. */
    public String warning()
    {
        return Containers.warning(options.tailDirectory(), Path.of("/"), System.getenv());
    }

    /**
     * The history of a running loop, up to the data that is written now, until this object is closed. From any thread.
     * If the files that it reads are deleted at the same time, the reader gets a {@link JournalException}.
     *
     * @param loop its number.
     */
    public JournalPast past(final int loop)
    {
        final long written = logByLoopMap.get(loop).writtenPosition();
        try
        {
            return new JournalPast(disk, loop, written, written);
        }
        catch (final NoSuchFileException ex)
        {
            throw JournalPast.deleted(ex);
        }
        catch (final IOException ex)
        {
            throw failure(loop, "cannot be read", ex);
        }
    }

    /**
     * The log of a loop that was started.
     *
     * @param loop its number.
     */
    public JournalLog log(final int loop)
    {
        return logByLoopMap.get(loop);
    }

    /** The agent that writes and syncs the journals of all started loops. */
    public JournalAgent agent()
    {
        return new JournalAgent(writers, snapshots, clock, null != options.tailDirectory(), options.isSynced());
    }

    /** Close all logs in order and release the directory. After a failure, files and tails stay for the next start. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(errorHandler, logByLoopMap.values());
        voidTails();
        abandon();
    }

    /** Give the directory free and leave everything as it is, as a kill does. */
    void abandon()
    {
        CloseHelper.closeAll(errorHandler, tails, earlierTails, storage.lock());
    }

    /** All loops have stopped in order: no next start may take a tail from any source. */
    private void voidTails()
    {
        try
        {
            if (isAboutWritten && tailsDeleted == logByLoopMap.size() &&
                logByLoopMap.size() >= JournalNames.loops(disk.list()).size())
            {
                about.stopped(storage.bootId()).write(disk);
            }
        }
        catch (final IOException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private void deleteTail(final String name, final AtomicReference<Throwable> failure)
    {
        try
        {
            if (null == failure.get())
            {
                tails.delete(name);
                tailsDeleted++;
            }
        }
        catch (final IOException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private void writeAbout() throws IOException
    {
        if (!isAboutWritten)
        {
            about.run(tailsDirectory, storage.bootId()).write(disk);
            isAboutWritten = true;
        }
    }

    private JournalException failure(final int loop, final String verb, final IOException ex)
    {
        return new JournalException(
            "the journal of loop " + loop + " in " + options.directory() + " " + verb + ": " + ex.getMessage(), ex);
    }

    private static TailStore tailStore(final String tails, final Path journal)
    {
        return null == tails ? new PrivateTails() : new MappedTails(Path.of(tails), journal);
    }

    private static FileChannel lock(final String prefix, final Path directory, final boolean isCreated)
        throws IOException
    {
        final Path file = directory.resolve(JournalNames.LOCK);
        final FileChannel channel = isCreated ?
            PrivateFiles.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE) :
            PrivateFiles.open(file, StandardOpenOption.WRITE);
        if (FileLocks.tryLock(channel))
        {
            return channel;
        }
        channel.close();
        throw new JournalException(
            prefix + directory.toAbsolutePath().normalize() + ": another engine uses it");
    }

    private static long readBootId()
    {
        try
        {
            if (Files.isReadable(BOOT_ID))
            {
                final UUID bootId = UUID.fromString(Files.readString(BOOT_ID).trim());
                return bootId.getMostSignificantBits() ^ bootId.getLeastSignificantBits();
            }
        }
        catch (final IOException | IllegalArgumentException ignored)
        {
            // As on systems that do not publish it.
        }
        return UNKNOWN_BOOT;
    }
}
