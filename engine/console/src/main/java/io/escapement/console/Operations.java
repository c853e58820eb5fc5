package io.escapement.console;

import io.escapement.engine.EngineOperator;
import io.escapement.http.HttpError;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** Runs the operations that an operator asks for, and remembers the last ones. */
final class Operations
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.console");
    private static final int REMEMBERED = 32;
    private static final int MAX_RATE_HZ = 1_000;
    private static final int MAX_DRAIN_SECONDS = 3_600;
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 409;

    /**
     * An operation that was run.
     *
     * @param timeMs since the epoch.
     * @param who    asked for it: role and address.
     * @param what   was asked for.
     */
    record Done(long timeMs, String who, String what)
    {
    }

    private final ArrayDeque<Done> done = new ArrayDeque<>();
    private final EngineOperator operator;
    private final LongConsumer drain;
    private final AtomicBoolean isDrained = new AtomicBoolean();

    Operations(final EngineOperator operator, final LongConsumer drain)
    {
        this.operator = operator;
        this.drain = drain;
    }

    /**
     * Run an operation.
     *
     * @param request names of values, of which {@code action} chooses the operation.
     * @param who     asks for it.
     * @return the action taken.
     */
    String run(final Map<String, String> request, final String who) throws HttpError
    {
        final String action = request.getOrDefault("action", "");
        final String what = switch (action)
        {
            case "close" -> close(request);
            case "kick" -> kick(request);
            case "cap" -> cap(request);
            case "lock" -> lock(request, true);
            case "unlock" -> lock(request, false);
            case "drain" -> drain(request);
            default -> throw new HttpError(BAD_REQUEST, "action: use close, kick, cap, lock, unlock or drain");
        };
        remember(new Done(System.currentTimeMillis(), who, what));
        LOGGER.log(System.Logger.Level.INFO, "console: " + who + ": " + what);
        return what;
    }

    /** The last operations, oldest first. */
    List<Done> last()
    {
        synchronized (done)
        {
            return List.copyOf(done);
        }
    }

    private String close(final Map<String, String> request) throws HttpError
    {
        final long roomId = number(request, "room", 1, Long.MAX_VALUE);
        requireSent(operator.closeRoom(roomId));
        return "close room " + roomId;
    }

    private String kick(final Map<String, String> request) throws HttpError
    {
        final long roomId = number(request, "room", 1, Long.MAX_VALUE);
        final long playerId = number(request, "player", Long.MIN_VALUE, Long.MAX_VALUE);
        requireSent(operator.kick(roomId, playerId));
        return "kick player " + playerId + " from room " + roomId;
    }

    private String cap(final Map<String, String> request) throws HttpError
    {
        final int typeId = type(request);
        final int rateHz = (int)number(request, "rate", 0, MAX_RATE_HZ);
        requireSent(operator.capRate(typeId, rateHz));
        return 0 == rateHz ? "remove the rate cap of type " + typeId : "cap type " + typeId + " at " + rateHz + " Hz";
    }

    /** Of a room, or of all rooms of a type. */
    private String lock(final Map<String, String> request, final boolean isLocked) throws HttpError
    {
        final String verb = isLocked ? "lock" : "unlock";
        if (request.containsKey("room"))
        {
            final long roomId = number(request, "room", 1, Long.MAX_VALUE);
            requireSent(operator.lockRoom(roomId, isLocked));
            return verb + " room " + roomId;
        }
        final int typeId = type(request);
        requireSent(operator.lockType(typeId, isLocked));
        return verb + " all rooms of type " + typeId;
    }

    private int type(final Map<String, String> request) throws HttpError
    {
        final int typeId = (int)number(request, "type", Integer.MIN_VALUE, Integer.MAX_VALUE);
        if (operator.roomTypes().stream().noneMatch((type) -> type.id() == typeId))
        {
            throw new HttpError(BAD_REQUEST, "type: no room type has the id " + typeId);
        }
        return typeId;
    }

    private String drain(final Map<String, String> request) throws HttpError
    {
        final long seconds = number(request, "seconds", 0, MAX_DRAIN_SECONDS);
        if (operator.isDraining() || !isDrained.compareAndSet(false, true))
        {
            throw new HttpError(CONFLICT, "the engine is draining already");
        }
        final Thread thread = new Thread(
            () -> drain.accept(TimeUnit.SECONDS.toNanos(seconds)), "escapement-console-drain");
        thread.setUncaughtExceptionHandler((at, ex) -> LOGGER.log(System.Logger.Level.ERROR, "console: drain", ex));
        thread.start();
        return "drain within " + seconds + " s";
    }

    private void remember(final Done one)
    {
        synchronized (done)
        {
            if (REMEMBERED == done.size())
            {
                done.removeFirst();
            }
            done.addLast(one);
        }
    }

    private static void requireSent(final boolean isSent) throws HttpError
    {
        if (!isSent)
        {
            throw new HttpError(HttpError.BUSY, "not done: no loop has this room, or the loop's inbox is full");
        }
    }

    static long number(final Map<String, String> request, final String name, final long min, final long max)
        throws HttpError
    {
        final String text = request.getOrDefault(name, "");
        try
        {
            final long value = Long.parseLong(text);
            if (value >= min && value <= max)
            {
                return value;
            }
        }
        catch (final NumberFormatException ex)
        {
            // Refused below.
        }
        throw new HttpError(BAD_REQUEST, name + ": use a number from " + min + " to " + max);
    }
}
