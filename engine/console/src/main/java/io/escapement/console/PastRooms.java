package io.escapement.console;

import io.escapement.codecs.JsonWriter;
import io.escapement.engine.EngineOperator;
import io.escapement.http.HttpError;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.replay.RoomPast;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Shows rooms as they were, from the engine's journal. One thread reads the files and runs the rooms. It rests three
 * times as long as it has worked. Pages that look back thus take at most a quarter of a core from the loops.
 */
final class PastRooms implements AutoCloseable
{
    /** Rooms with an open past. Each keeps a part of the log, and copies of its state. */
    static final int LIMIT = 8;
    /** Requests that wait. The server has twice as many threads, so that other requests are answered. */
    static final int QUEUE_LIMIT = 8;
    /** Longest time that one answer has the lanes of. */
    static final long LANES_MS = TimeUnit.MINUTES.toMillis(2);

    /** A long past is read in a few seconds. */
    private static final long ANSWER_MS = 10_000;
    private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(2);
    /** Of the time at work. */
    private static final int REST = 3;
    private static final long MAX_REST_NS = TimeUnit.SECONDS.toNanos(1);
    /** Of a thread that runs rooms, like the loops' threads. */
    private static final long STACK_LENGTH = 16L * 1_024 * 1_024;
    private static final int HEADER_LENGTH = 2 * Long.BYTES;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int FAULT = 500;
    private static final int TIMEOUT = 504;
    private static final long CLOSE_MS = 1_000;

    /** Where to go in a room's past. */
    @FunctionalInterface
    interface Move
    {
        void go(RoomPast past) throws HttpError;
    }

    @FunctionalInterface
    private interface Work<T>
    {
        T run() throws HttpError;
    }

    private record Opened(RoomPast past, long endMs, long nowNs)
    {
    }

    private final EngineOperator operator;
    private final RoomViews views;
    private final ThreadPoolExecutor thread;
    /** The thread's. The room that was used longest ago is first. */
    private final Map<Long, Opened> openedByRoomIdMap = new LinkedHashMap<>(LIMIT, 1, true)
    {
        @Override
        protected boolean removeEldestEntry(final Map.Entry<Long, Opened> eldest)
        {
            return size() > LIMIT;
        }
    };

    PastRooms(final EngineOperator operator, final RoomViews views)
    {
        this.operator = operator;
        this.views = views;
        thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.NANOSECONDS, new ArrayBlockingQueue<>(QUEUE_LIMIT),
            (runnable) ->
            {
                final Thread made = new Thread(null, runnable, "escapement-console-past", STACK_LENGTH);
                made.setDaemon(true);
                made.setPriority(Thread.MIN_PRIORITY);
                return made;
            });
    }

    /** The views by which rooms are drawn. */
    RoomViews views()
    {
        return views;
    }

    /** A move to a date, or to a turn and perhaps from there: as a query names it. */
    static Move move(final Map<String, String> query) throws HttpError
    {
        if (query.containsKey("at"))
        {
            final long at = Operations.number(query, "at", 0, Long.MAX_VALUE);
            return (past) -> past.seekTime(at);
        }
        final long turn = Operations.number(query, "turn", 0, Long.MAX_VALUE);
        final String by = query.getOrDefault("move", "");
        return switch (by)
        {
            case "" -> (past) -> past.seek(turn);
            case "turn" -> (past) -> seek(past, turn).step();
            case "frame" -> (past) -> seek(past, turn).stepFrame();
            case "-turn" -> (past) -> seek(past, turn).back();
            case "-frame" -> (past) -> seek(past, turn).backFrame();
            case "failure" -> PastRooms::seekFailure;
            default -> throw new HttpError(BAD_REQUEST, "move: use turn, frame, -turn, -frame or failure");
        };
    }

    private static RoomPast seek(final RoomPast past, final long turn)
    {
        past.seek(turn);
        return past;
    }

    private static void seekFailure(final RoomPast past) throws HttpError
    {
        if (!past.seekFailure())
        {
            throw new HttpError(NOT_FOUND, "the room has not failed in what is kept of its past");
        }
    }

    /** The start and the end of the kept past of a room, and its type. */
    JsonWriter range(final long roomId) throws HttpError
    {
        return get(() ->
        {
            final Opened last = openedByRoomIdMap.get(roomId);
            if (null != last && System.nanoTime() - last.nowNs > FRESH_NS)
            {
                openedByRoomIdMap.remove(roomId);
            }
            final Opened opened = open(roomId);
            return new JsonWriter().begin('{').name("begin").number(opened.past.beginMs())
                .name("end").number(opened.endMs).name("type").number((long)opened.past.typeId()).end('}');
        });
    }

    /**
     * The number and the date of a turn, then the bytes that the view of the room's type reads, if the type has a view.
     */
    byte[] view(final long roomId, final Move move) throws HttpError
    {
        return get(() ->
        {
            final RoomPast past = at(roomId, move);
            final byte[] view = past.isOpen() ? views.read(past.typeId(), past.host().logic(roomId)) : new byte[0];
            return ByteBuffer.allocate(HEADER_LENGTH + view.length)
                .putLong(past.turn()).putLong(past.epochMs()).put(view).array();
        });
    }

    /** The values of a room by name. */
    JsonWriter values(final long roomId, final Move move) throws HttpError
    {
        return get(() ->
        {
            final RoomPast past = at(roomId, move);
            final JsonWriter json = new JsonWriter().begin('{').name("turn").number(past.turn())
                .name("commands").number((long)past.commands()).name("lateUs").number(past.lateNs() / 1_000)
                .name("refusals").begin('[');
            past.refusals().forEach((code) -> json.text(Reports.codeName(code)));
            json.end(']').name("thrown").text(null == past.thrown() ? null : past.thrown().toString())
                .name("values").begin('{');
            if (past.isOpen())
            {
                past.describe(new Values(json));
            }
            return json.end('}').end('}');
        });
    }

    /** Commands, refusals, late frames and failures of a room from a date to another, in parts of equal length. */
    JsonWriter lanes(final long roomId, final long fromMs, final long toMs) throws HttpError
    {
        if (toMs <= fromMs || toMs - fromMs > LANES_MS)
        {
            throw new HttpError(BAD_REQUEST, "to: use a date at most " + LANES_MS + " ms after from");
        }
        return get(() -> new PastLanes(fromMs, toMs).read(at(roomId, (past) ->
            past.seekTime(fromMs))));
    }

    /** The log of a room up to a place, as a bundle has it. */
    byte[] log(final long roomId, final Move move) throws HttpError
    {
        return get(() -> operator.bundle(at(roomId, move)));
    }

    @Override
    public void close()
    {
        thread.shutdownNow();
        try
        {
            thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private RoomPast at(final long roomId, final Move move) throws HttpError
    {
        final boolean isKept = openedByRoomIdMap.containsKey(roomId);
        try
        {
            return go(roomId, move);
        }
        catch (final RuntimeException ex)
        {
            openedByRoomIdMap.remove(roomId);
            if (!isKept)
            {
                throw ex;
            }
            // The engine has deleted the files that it read. It has newer files.
            return go(roomId, move);
        }
    }

    private RoomPast go(final long roomId, final Move move) throws HttpError
    {
        final RoomPast past = open(roomId).past;
        move.go(past);
        return past;
    }

    private Opened open(final long roomId)
    {
        Opened opened = openedByRoomIdMap.get(roomId);
        if (null == opened)
        {
            final RoomPast past = operator.past(roomId);
            past.seekEnd();
            opened = new Opened(past, past.epochMs(), System.nanoTime());
            openedByRoomIdMap.put(roomId, opened);
        }
        return opened;
    }

    private <T> T get(final Work<T> work) throws HttpError
    {
        final CompletableFuture<T> result = new CompletableFuture<>();
        try
        {
            thread.execute(() -> run(work, result));
        }
        catch (final RejectedExecutionException ex)
        {
            throw new HttpError(HttpError.BUSY, "more than " + QUEUE_LIMIT + " requests for the past wait");
        }
        try
        {
            return result.get(ANSWER_MS, TimeUnit.MILLISECONDS);
        }
        catch (final TimeoutException ex)
        {
            throw new HttpError(TIMEOUT, "no answer within " + ANSWER_MS + " ms");
        }
        catch (final ExecutionException ex)
        {
            throw ex.getCause() instanceof HttpError error ? error : new HttpError(
                ex.getCause() instanceof IllegalArgumentException || ex.getCause() instanceof IllegalStateException ?
                NOT_FOUND : FAULT, "the past cannot be read: " + ex.getCause().getMessage());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new HttpError(TIMEOUT, "the console is closing");
        }
    }

    private static <T> void run(final Work<T> work, final CompletableFuture<T> result)
    {
        final long beginNs = System.nanoTime();
        try
        {
            result.complete(work.run());
        }
        catch (final Throwable ex)
        {
            // Also errors from a room's code, such as a StackOverflowError.
            result.completeExceptionally(ex);
        }
        LockSupport.parkNanos(Math.min(MAX_REST_NS, REST * (System.nanoTime() - beginNs)));
    }

    /** Puts values into an object. Whole numbers are texts, because JavaScript's numbers have 53 bits. */
    private record Values(JsonWriter json) implements RoomDescription
    {
        @Override
        public void put(final String name, final long value)
        {
            json.name(name).text(Long.toString(value));
        }

        @Override
        public void put(final String name, final double value)
        {
            json.name(name).number(value);
        }

        @Override
        public void put(final String name, final String value)
        {
            json.name(name).text(value);
        }
    }
}
