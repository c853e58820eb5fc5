package io.escapement.arena.film;

import io.escapement.engine.EngineOperator;
import io.escapement.gateway.ContentSource;
import io.escapement.rooms.replay.RoomPast;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves films of finished rounds, as {@code ROOM/SUBSTEP}. One thread makes them and rests as long as it has worked.
 * Requests of strangers thus take at most half of a core from the loops. It stops when no request is left.
 */
public final class RoundFilms implements ContentSource
{
    /** Requests that wait. */
    static final int QUEUE_LIMIT = 4;
    static final String NO_LOG = "This server keeps no log, so it has no films.";
    static final String BUSY = "The server is making other films. Try again in a moment.";

    /** Films that are kept. */
    private static final int FILMS = 8;
    /** Answers without a film that are repeated for a while, before the log is reread. */
    private static final int ASKED = 64;
    /** A round takes longer than that. A room may open in this time. */
    private static final long NONE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    /** Of a thread that runs rooms, like the loops' threads. */
    private static final long STACK_LENGTH = 16L * 1_024 * 1_024;
    private static final long IDLE_S = 10;
    private static final Pattern PATH = Pattern.compile("([1-9][0-9]{0,17}|[1-8][0-9]{18})/([1-9][0-9]{0,14})");
    private static final System.Logger LOGGER = System.getLogger("io.escapement.arena");

    private record Asked(CompletableFuture<byte[]> answer, long nowNs)
    {
        private boolean holds()
        {
            return !answer.isDone() ||
                System.nanoTime() - nowNs < (answer.isCompletedExceptionally() ? REFUSED_NS : NONE_NS);
        }
    }

    private final Map<String, byte[]> filmByPathMap = newest(FILMS);
    private final Map<String, Asked> askedByPathMap = newest(ASKED);
    private final ThreadPoolExecutor thread;
    /** Null in a process without the engine, or before its launch. */
    private volatile EngineOperator operator;
    private long workingSinceNs;

    /** Without an engine. */
    public RoundFilms()
    {
        thread = new ThreadPoolExecutor(1, 1, IDLE_S, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE_LIMIT),
            (runnable) ->
            {
                final Thread made = new Thread(null, runnable, "escapement-arena-films", STACK_LENGTH);
                made.setDaemon(true);
                made.setPriority(Thread.MIN_PRIORITY);
                return made;
            });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Make films from the log of an engine from now on. */
    public void open(final EngineOperator engineOperator)
    {
        operator = engineOperator;
    }

    @Override
    public CompletableFuture<byte[]> get(final String path)
    {
        final EngineOperator from = operator;
        final Matcher asked = PATH.matcher(path);
        if (null == from || !asked.matches())
        {
            return CompletableFuture.completedFuture(null);
        }
        return from.hasPast() ? get(path, Long.parseLong(asked.group(1)), Long.parseLong(asked.group(2)), from::past) :
            CompletableFuture.failedFuture(new Unavailable(NO_LOG));
    }

    /** As for a request, with another source of the past. */
    synchronized CompletableFuture<byte[]> get(
        final String path, final long roomId, final long endedAt, final LongFunction<RoomPast> pasts)
    {
        final byte[] film = filmByPathMap.get(path);
        if (null != film)
        {
            return CompletableFuture.completedFuture(film);
        }
        final Asked last = askedByPathMap.get(path);
        if (null != last && last.holds())
        {
            return last.answer;
        }
        final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        try
        {
            thread.execute(() -> make(path, roomId, endedAt, pasts, answer));
        }
        catch (final RejectedExecutionException ex)
        {
            return CompletableFuture.failedFuture(new Unavailable(BUSY));
        }
        askedByPathMap.put(path, new Asked(answer, System.nanoTime()));
        return answer;
    }

    private void make(
        final String path,
        final long roomId,
        final long endedAt,
        final LongFunction<RoomPast> pasts,
        final CompletableFuture<byte[]> answer)
    {
        workingSinceNs = System.nanoTime();
        try
        {
            final byte[] film = RoundFilm.of(pasts.apply(roomId), endedAt, this::rest);
            if (null != film)
            {
                keep(path, film);
            }
            answer.complete(film);
        }
        catch (final IllegalArgumentException ex)
        {
            // No loop has such a room.
            answer.complete(null);
        }
        catch (final Throwable ex)
        {
            // Also errors from a room's code, such as a StackOverflowError.
            if (!(ex instanceof Unavailable))
            {
                LOGGER.log(System.Logger.Level.WARNING, "no film of " + path, ex);
            }
            answer.completeExceptionally(ex);
        }
    }

    private synchronized void keep(final String path, final byte[] film)
    {
        filmByPathMap.put(path, film);
        askedByPathMap.remove(path);
    }

    private void rest()
    {
        final long workedNs = System.nanoTime() - workingSinceNs;
        if (workedNs > WORK_NS)
        {
            LockSupport.parkNanos(workedNs);
            workingSinceNs = System.nanoTime();
        }
    }

    private static <T> Map<String, T> newest(final int limit)
    {
        return new LinkedHashMap<>(limit, 1, true)
        {
            @Override
            protected boolean removeEldestEntry(final Map.Entry<String, T> eldest)
            {
                return size() > limit;
            }
        };
    }
}
