package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.rooms.log.HostConfig;
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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * The journal's directory, held by one engine at a time. In the launching thread, in this order: {@link #open},
 * {@link #recover} and {@link #start} for each loop; then {@link #agent()} runs in its own thread. To stop: end the
 * loops' threads, then the agent's, then {@link #close()}.
 */
public final class Journal implements AutoCloseable
{
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long UNKNOWN_BOOT = 0;

    private final JournalSettings options;
    private final JournalDisk disk;
    private final JournalAbout about;
    private final TailStore earlierTails;
    /** Null for tails that end with the process. */
    private final String tailsDirectory;
    private final TailStore tails;
    private final JournalStorage storage;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final List<JournalLog> logs = new ArrayList<>();
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
     * Take what a machine has of a journal.
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
     * A directory without a journal: the given one, or a new one in it, {@code run-2} or the next free number.
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
     * Find out what a start would recover, and change nothing.
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
     * Read a journal as a start would, and change nothing.
     *
     * @param directory of a journal that no engine uses.
     * @param clock     for the reports.
     * @param reader    of all loops' journals, which are closed after the call.
     * @throws JournalException when a start would refuse the journal.
     */
    public static void examine(
        final Path directory, final NanoClock clock, final Consumer<List<RecoveredLoop>> reader)
    {
        try
        {
            examine(storage(directory, lock("", directory, false)), clock, reader);
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
     * Read what a machine has of a journal as a start would, and change nothing.
     *
     * @param storage of a journal that no engine uses. Its lock is released.
     * @param clock   for the reports.
     * @param reader  of all loops' journals, which are closed after the call.
     */
    public static void examine(
        final JournalStorage storage, final NanoClock clock, final Consumer<List<RecoveredLoop>> reader)
        throws IOException
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
            final List<Integer> numbers = JournalNames.loops(disk.list());
            final RecoveredLoop[] loops = new RecoveredLoop[numbers.size()];
            used.add(() -> CloseHelper.closeAll(loops));
            EachLoop.run(loops.length, (i) ->
                loops[i] = examine(disk, tails, about, storage.bootId(), numbers.get(i), clock));
            reader.accept(List.of(loops));
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

    private static RecoveredLoop examine(
        final JournalDisk disk,
        final TailStore tails,
        final JournalAbout about,
        final long bootId,
        final int loop,
        final NanoClock clock)
    {
        try
        {
            return new Recovery(new DryDisk(disk), tails, about, bootId, loop, true).run(null, clock);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex.getMessage(), ex);
        }
    }

    /**
     * Recover the files of a loop: write out its tail, choose its snapshot, cut off what never was complete.
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
                new SnapshotStore(disk, loop, tail, writer, recovered.snapshotPosition(), errorHandler);
            final DirectBuffer template = SegmentHeader.template(incarnation, about.journalId(), log);
            final JournalLog journalLog = new JournalLog(options, tail, writer, store, failure, template, start,
                () -> deleteTail(tailName, failure));
            writer.prepareAll();
            journalLog.begin();
            writers.add(writer);
            snapshots.add(store);
            logs.add(journalLog);
            return journalLog;
        }
        catch (final IOException ex)
        {
            throw failure(loop, "cannot begin", ex);
        }
    }

    /** A warning for the operator, that tails may end with a container, or null. */
    public String warning()
    {
        return Containers.warning(options.tailDirectory(), Path.of("/"), System.getenv());
    }

    /** The agent that writes and syncs the journals of all loops that were started. */
    public JournalAgent agent()
    {
        return new JournalAgent(writers, snapshots, clock, null != options.tailDirectory(), options.isSynced());
    }

    /** Close all logs in order and release the directory. After a failure, files and tails stay for the next start. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(errorHandler, logs);
        voidTails();
        abandon();
    }

    /** Give the directory free and leave everything as it is, as a kill does. */
    void abandon()
    {
        CloseHelper.closeAll(errorHandler, tails, earlierTails, storage.lock());
    }

    /** All loops have stopped in order: no next start may take a tail, wherever it comes from. */
    private void voidTails()
    {
        try
        {
            if (isAboutWritten && tailsDeleted == logs.size() && logs.size() >= JournalNames.loops(disk.list()).size())
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
