package io.escapement.engine;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.engine.internal.durable.JournalException;
import io.escapement.engine.internal.durable.JournalLog;
import io.escapement.engine.internal.loop.RoomFailure;
import io.escapement.rooms.replay.RoomPast;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;

/**
 * Writes bundles: the log of one room in one piece, up to its failure or up to now, which a test runs. A loop only
 * leaves a request. The rest happens in a thread of the lowest priority, which reads the journal's files once they have
 * the turn, and runs the room there.
 */
final class Bundles implements Agent
{
    /** The next failure of a type is most likely the same. */
    static final long TYPE_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    /** Failures write at most 480 MB in an hour. Requests of an operator are not counted. */
    static final int FILES_AN_HOUR = 60;
    /** A loop adds the record of a failure of the machine at the end of its turn. */
    static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** More failures at one time are of few types. */
    private static final int REQUEST_LIMIT = 64;
    /** The newest snapshot before the failure, and an earlier snapshot in case the room failed before the newest. */
    private static final int STARTS = 2;
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
    private static final long NOT_WAITED_FOR = -1;
    private static final String UNFINISHED = ".unfinished";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss");

    /** Of a failure, or of an operator, who gets the file. */
    private record Request(long roomId, int typeId, long position, long askedNs, CompletableFuture<Path> result)
    {
        boolean isOfFailure()
        {
            return null == result;
        }
    }

    private final EngineContext context;
    private final RoomPasts pasts;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final ManyToOneConcurrentArrayQueue<Request> requests = new ManyToOneConcurrentArrayQueue<>(REQUEST_LIMIT);
    // The thread's:
    private final Map<Integer, Long> writtenNsByTypeIdMap = new HashMap<>();
    private long hourNs;
    private int filesInHour;
    private Request waiting;
    private long waitingFor = NOT_WAITED_FOR;
    private boolean isFaulty;

    /** Make the directory. */
    Bundles(final EngineContext context, final RoomPasts pasts, final ErrorHandler errorHandler)
    {
        this.context = context;
        this.pasts = pasts;
        this.errorHandler = errorHandler;
        clock = context.clock();
        hourNs = clock.nanoTime();
        if (null == context.machine())
        {
            PrivateFiles.createDirectories("bundles", context.bundles());
        }
    }

    /** A room of a loop has failed, perhaps. In the loop's thread. */
    void onError(final Throwable ex)
    {
        if (ex instanceof RoomFailure failure && failure.isClosed())
        {
            final JournalLog log = pasts.log(failure.roomId());
            if (null != log)
            {
                // A full queue drops it.
                requests.offer(new Request(
                    failure.roomId(), failure.typeId(), log.proposedPosition(), clock.nanoTime(), null));
            }
        }
    }

    /** Ask for a bundle of a room as it is now. Any thread. */
    CompletableFuture<Path> ask(final long roomId)
    {
        final CompletableFuture<Path> result = new CompletableFuture<>();
        if (!pasts.hasLoop(roomId))
        {
            result.completeExceptionally(fault(roomId, new IllegalArgumentException("no loop has this room")));
            return result;
        }
        // Synchronized with a close, which then either refuses or completes the request.
        synchronized (pasts)
        {
            if (pasts.isClosed())
            {
                result.completeExceptionally(new RejectedExecutionException(RoomPasts.CLOSED));
            }
            else if (!requests.offer(new Request(roomId, 0, Long.MAX_VALUE, clock.nanoTime(), result)))
            {
                result.completeExceptionally(new RejectedExecutionException(
                    REQUEST_LIMIT + " bundles wait: ask again later"));
            }
        }
        return result;
    }

    @Override
    public String roleName()
    {
        return "escapement-bundles";
    }

    @Override
    public int doWork()
    {
        final long nowNs = clock.nanoTime();
        if (null == waiting)
        {
            waiting = next();
            waitingFor = NOT_WAITED_FOR;
        }
        if (null == waiting || nowNs - waiting.askedNs < SETTLE_NS || !isInFiles(waiting))
        {
            return 0;
        }
        final Request request = waiting;
        waiting = null;
        answer(request);
        return 1;
    }

    @Override
    public void onClose()
    {
        pasts.close();
        for (Request request = null == waiting ? requests.poll() : waiting; null != request; request = requests.poll())
        {
            if (!request.isOfFailure())
            {
                request.result.completeExceptionally(new RejectedExecutionException(RoomPasts.CLOSED));
            }
        }
    }

    private Request next()
    {
        for (Request request = requests.poll(); null != request; request = requests.poll())
        {
            if (!request.isOfFailure() || isAllowed(request.typeId, request.askedNs))
            {
                return request;
            }
        }
        return null;
    }

    private boolean isAllowed(final int typeId, final long nowNs)
    {
        if (nowNs - hourNs >= HOUR_NS)
        {
            hourNs = nowNs;
            filesInHour = 0;
        }
        final Long writtenNs = writtenNsByTypeIdMap.get(typeId);
        if (FILES_AN_HOUR == filesInHour || null != writtenNs && nowNs - writtenNs < TYPE_INTERVAL_NS)
        {
            return false;
        }
        writtenNsByTypeIdMap.put(typeId, nowNs);
        filesInHour++;
        return true;
    }

    /** Whether the files have all that was logged when it had settled, or never will. */
    private boolean isInFiles(final Request request)
    {
        final JournalLog log = pasts.log(request.roomId);
        if (null == log)
        {
            return false;
        }
        waitingFor = NOT_WAITED_FOR == waitingFor ? log.storedPosition() : waitingFor;
        return log.writtenPosition() >= waitingFor || null != log.failure();
    }

    private void answer(final Request request)
    {
        try
        {
            final Path file = write(request);
            isFaulty = false;
            if (!request.isOfFailure())
            {
                request.result.complete(file);
            }
        }
        catch (final Throwable ex)
        {
            final EngineException fault = fault(request.roomId, ex);
            if (!request.isOfFailure())
            {
                request.result.completeExceptionally(fault);
            }
            else if (!isFaulty && !pasts.isClosed())
            {
                // A close interrupts the thread, which is not a fault. Faults are reported once until a bundle is
                // written: a full disk stays full.
                isFaulty = true;
                errorHandler.onError(fault);
            }
        }
    }

    private EngineException fault(final long roomId, final Throwable cause)
    {
        return new EngineException("no bundle of room " + roomId + " in " + context.bundles() + ": " + cause, cause);
    }

    private Path write(final Request request) throws IOException
    {
        RoomPast past;
        try
        {
            past = past(request);
        }
        catch (final JournalException ex)
        {
            // The files may have been deleted while they were read. Newer files exist.
            past = past(request);
        }
        final String name = "room-" + request.roomId + "-turn-" + past.turn() + "-" +
            DATE.format(Instant.ofEpochMilli(context.wallMs()).atOffset(ZoneOffset.UTC)) + ".bundle";
        return write(context.bundles().resolve(name), pasts.write(past));
    }

    /** The room at the turn of the request. */
    private RoomPast past(final Request request)
    {
        final RoomPast past = pasts.open(request.roomId, (history) -> history.latest(STARTS, request.position));
        if (request.isOfFailure())
        {
            if (!past.seekFailure())
            {
                throw new IllegalStateException("it does not fail when its log is run");
            }
            return past;
        }
        past.seekEnd();
        if (!past.isOpen())
        {
            throw new IllegalArgumentException("it is not open");
        }
        return past;
    }

    private static Path write(final Path file, final byte[] bytes) throws IOException
    {
        final Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        try
        {
            try (FileChannel channel = PrivateFiles.open(unfinished,
                StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING))
            {
                final ByteBuffer source = ByteBuffer.wrap(bytes);
                while (source.hasRemaining())
                {
                    channel.write(source);
                }
            }
            return Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        }
        finally
        {
            Files.deleteIfExists(unfinished);
        }
    }
}
