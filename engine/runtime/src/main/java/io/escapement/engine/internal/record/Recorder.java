package io.escapement.engine.internal.record;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.monitor.CounterTypes;
import io.escapement.rooms.log.TurnLog;
import io.escapement.rooms.log.TurnLogHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.status.AtomicCounter;

/** Writes the turn logs of all loops to files, in a thread that may block. */
public final class Recorder implements Agent
{
    private final Path directory;
    private final LoopCounters.Factory counters;
    private final ErrorHandler errorHandler;
    private final ArrayList<LoopRecording> recordings = new ArrayList<>();
    /** Of each recording: bytes that were written and that wait, and whether it has ended early. */
    private final ArrayList<AtomicCounter[]> countersOfRecordings = new ArrayList<>();

    /**
     * Make one. If the directory has a recording already, this one goes to a new directory below it, {@code run-2} or
     * the next free number.
     *
     * @param directory    for the files, which is created if necessary.
     * @param counters     makes counters of each recording.
     * @param errorHandler receives a report when a recording ends early.
     */
    public Recorder(final Path directory, final LoopCounters.Factory counters, final ErrorHandler errorHandler)
    {
        this.directory = unused(directory);
        this.counters = counters;
        this.errorHandler = errorHandler;
    }

    /**
     * Start the log of a loop. Before the recorder runs.
     *
     * @param loop   its number.
     * @param header of the log.
     * @return the log, for the loop's host.
     */
    public TurnLog begin(final int loop, final TurnLogHeader header)
    {
        try
        {
            final LoopRecording recording = new LoopRecording(file(directory, loop), header,
                LoopRecording.BUFFER_LENGTH, LoopRecording.MAX_FILE_LENGTH, errorHandler);
            recordings.add(recording);
            final String prefix = "escapement loop " + loop + ": ";
            countersOfRecordings.add(new AtomicCounter[]{
                counters.counter(CounterTypes.LOOP + 24, prefix + "bytes recorded"),
                counters.gauge(CounterTypes.LOOP + 25, prefix + "bytes that wait for the recorder"),
                counters.gauge(CounterTypes.LOOP + 26, prefix + "recordings that ended early")});
            return recording;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Recordings that ended before their loops. Once the recorder has ended, or while it runs. */
    public int endedEarly()
    {
        int count = 0;
        for (final LoopRecording recording : recordings)
        {
            count += recording.isOver() ? 1 : 0;
        }
        return count;
    }

    /** Where the files of this run are. */
    public Path directory()
    {
        return directory;
    }

    /** Never the directory of an earlier recording, so that nothing is overwritten. */
    private static Path unused(final Path directory)
    {
        try
        {
            PrivateFiles.createDirectories("recordTo", directory);
            if (!hasRecording(directory))
            {
                return directory;
            }
            for (int run = 2; ; run++)
            {
                final Path next = directory.resolve("run-" + run);
                if (!Files.exists(next))
                {
                    return PrivateFiles.createDirectories("recordTo", next);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean hasRecording(final Path directory) throws IOException
    {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "loop-*.turns"))
        {
            return logs.iterator().hasNext();
        }
    }

    /**
     * The file of a loop's log.
     *
     * @param directory of the recording.
     * @param loop      its number.
     */
    public static Path file(final Path directory, final int loop)
    {
        return directory.resolve("loop-" + loop + ".turns");
    }

    @Override
    public String roleName()
    {
        return "escapement-recorder";
    }

    @Override
    public int doWork()
    {
        int work = 0;
        for (int i = 0; i < recordings.size(); i++)
        {
            final LoopRecording recording = recordings.get(i);
            work += recording.drain();
            final AtomicCounter[] shown = countersOfRecordings.get(i);
            shown[0].setRelease(recording.written());
            shown[1].setRelease(recording.waiting());
            shown[2].setRelease(recording.isOver() ? 1 : 0);
        }
        return work;
    }

    /** Once the loops have ended. */
    @Override
    public void onClose()
    {
        CloseHelper.closeAll(errorHandler, recordings);
    }
}
