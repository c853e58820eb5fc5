package io.escapement.engine;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.monitor.FaultReporter;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.RoomHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads and operates a running engine, for a console. From any thread but a loop's; no method blocks. Each operation is
 * a command of the loops' logs, so that a replay repeats it. A list of rooms is read by the loop between two turns, and
 * its size is bounded, because the loop runs no room while it reads.
 */
public final class EngineOperator
{
    /** Most rooms that one list looks at. */
    public static final int SCAN_LIMIT = 1_024;
    /** Most rooms in one list, and most seats in one room's list. */
    public static final int LIST_LIMIT = 200;
    /** Instead of a room type: all of them. */
    public static final int ANY_TYPE = -1;

    private static final int COMMAND_LENGTH = 64;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final EngineQueues queues;
    private final List<RoomType> roomTypes;
    private final EngineCounters counters;
    private final FaultReporter faults;
    private final BooleanSupplier isDraining;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[COMMAND_LENGTH]);

    /** Receives counters. */
    @FunctionalInterface
    public interface CounterVisitor
    {
        /**
         * Receive a counter.
         *
         * @param typeId  as in the counters file.
         * @param label   as in the counters file.
         * @param isGauge whether the value may decrease.
         * @param value   now.
         */
        void counter(int typeId, String label, boolean isGauge, long value);
    }

    /**
     * A fault that was reported to the error handler, or a stall.
     *
     * @param timeMs of the report, since the epoch.
     * @param cause  of the report.
     */
    public record Fault(long timeMs, Throwable cause)
    {
    }

    /**
     * A room in a list.
     *
     * @param roomId   of the room.
     * @param typeId   of its type.
     * @param occupied seats that nobody can take.
     */
    public record Room(long roomId, int typeId, int occupied)
    {
    }

    /**
     * A part of a loop's rooms.
     *
     * @param open  rooms that are open on the loop.
     * @param next  position at which the next list begins, or {@code open} if this was the last.
     * @param rooms of the list, in the order in which they opened.
     */
    public record RoomList(int open, int next, List<Room> rooms)
    {
    }

    /**
     * A seat with a player.
     *
     * @param index     of the seat.
     * @param playerId  of the player.
     * @param isPresent whether the player is present; otherwise the seat is held.
     */
    public record Seat(int index, long playerId, boolean isPresent)
    {
    }

    EngineOperator(
        final EngineQueues queues,
        final List<RoomType> roomTypes,
        final EngineCounters counters,
        final FaultReporter faults,
        final BooleanSupplier isDraining)
    {
        this.queues = queues;
        this.roomTypes = roomTypes;
        this.counters = counters;
        this.faults = faults;
        this.isDraining = isDraining;
    }

    /** The room types of the engine. */
    public List<RoomType> roomTypes()
    {
        return roomTypes;
    }

    /** Visit all counters. */
    public void forEachCounter(final CounterVisitor visitor)
    {
        for (final EngineCounters.Named named : counters.all())
        {
            visitor.counter(named.typeId(), named.label(), named.isGauge(), named.counter().getAcquire());
        }
    }

    /**
     * Commands that wait in a loop's ring, which has those of players.
     *
     * @param loop from 0.
     */
    public long ringSize(final int loop)
    {
        return queues.rings[loop].size();
    }

    /**
     * Commands that wait in a loop's inbox, which has those of other loops, services and the embedding program.
     *
     * @param loop from 0.
     */
    public long inboxSize(final int loop)
    {
        return queues.inboxes[loop].size();
    }

    /** The last faults and stalls, oldest first. */
    public List<Fault> faults()
    {
        final List<Fault> all = new ArrayList<>();
        faults.remembered().forEach((fault) -> all.add(new Fault(fault.timeMs(), fault.cause())));
        return all;
    }

    /** Whether the engine is draining. */
    public boolean isDraining()
    {
        return isDraining.getAsBoolean();
    }

    /**
     * List rooms of a loop.
     *
     * @param loop   from 0.
     * @param typeId of the rooms, or {@link #ANY_TYPE}.
     * @param from   position at which to begin, at first 0.
     * @return the list, which the loop completes between two turns; completed with null if its inbox is full. Nothing
     * that blocks may depend on it, because it would run in the loop's thread: wait for it with a timeout.
     */
    public CompletableFuture<RoomList> rooms(final int loop, final int typeId, final int from)
    {
        return inspect(loop, (host) -> list(host, typeId, Math.max(0, from)));
    }

    /**
     * List the seats of a room.
     *
     * @param roomId of the room.
     * @return its seats with a player, at most {@link #LIST_LIMIT}; completed with null if no such room is open or the
     * inbox of its loop is full. As for {@link #rooms}, wait for it with a timeout.
     */
    public CompletableFuture<List<Seat>> seats(final long roomId)
    {
        return isOnLoop(roomId) ? inspect(TrunkMessages.loopOf(roomId), (host) -> seats(host, roomId)) :
            CompletableFuture.completedFuture(null);
    }

    /**
     * Find a room.
     *
     * @param roomId of the room.
     * @return the room; completed with null if no such room is open or the inbox of its loop is full. As for
     * {@link #rooms}, wait for it with a timeout.
     */
    public CompletableFuture<Room> room(final long roomId)
    {
        return isOnLoop(roomId) ? inspect(TrunkMessages.loopOf(roomId), (host) -> host.isOpen(roomId) ?
            new Room(roomId, host.typeOf(roomId), host.seatsOccupied(roomId)) : null) :
            CompletableFuture.completedFuture(null);
    }

    /**
     * Close a room.
     *
     * @param roomId of the room.
     * @return false if the inbox of its loop is full, or it has no loop here.
     */
    public synchronized boolean closeRoom(final long roomId)
    {
        return isOnLoop(roomId) && offer(TrunkMessages.loopOf(roomId), commands.closeRoom(command, 0, roomId));
    }

    /**
     * Remove a player from a room.
     *
     * @param roomId   of the room.
     * @param playerId of the player.
     * @return false if the inbox of the room's loop is full, or it has no loop here.
     */
    public synchronized boolean kick(final long roomId, final long playerId)
    {
        return isOnLoop(roomId) && offer(TrunkMessages.loopOf(roomId), commands.kick(command, 0, roomId, playerId));
    }

    /**
     * Cap the frame rate of a room type on all loops. A governor that steps a loop's ladder replaces the cap there.
     *
     * @param typeId of the rooms.
     * @param rateHz most frames a second; 0 for no cap.
     * @return false if the inbox of a loop is full: the others have the cap, so repeat it.
     */
    public synchronized boolean capRate(final int typeId, final int rateHz)
    {
        boolean isSent = true;
        final int length = commands.setRate(command, 0, typeId, rateHz);
        for (int i = 0; i < queues.inboxes.length; i++)
        {
            isSent &= offer(i, length);
        }
        return isSent;
    }

    private boolean isOnLoop(final long roomId)
    {
        return roomId > 0 && TrunkMessages.loopOf(roomId) < queues.inboxes.length;
    }

    private boolean offer(final int loop, final int length)
    {
        return queues.inboxes[loop].offer(ControlSignal.COMMAND, null, command, 0, length);
    }

    private <T> CompletableFuture<T> inspect(final int loop, final Function<RoomHost, T> reader)
    {
        final CompletableFuture<T> result = new CompletableFuture<>();
        final Consumer<RoomHost> inspection = (host) -> result.complete(reader.apply(host));
        final CommandQueue inbox = queues.inboxes[loop];
        if (!inbox.offer(ControlSignal.INSPECT, inspection, NOTHING, 0, 0))
        {
            result.complete(null);
        }
        return result;
    }

    private static RoomList list(final RoomHost host, final int typeId, final int from)
    {
        final long[] ids = host.openRoomIds();
        final List<Room> rooms = new ArrayList<>();
        final int end = (int)Math.min(ids.length, (long)from + SCAN_LIMIT);
        int at = Math.min(from, ids.length);
        for (; at < end && rooms.size() < LIST_LIMIT; at++)
        {
            final int type = host.typeOf(ids[at]);
            if (ANY_TYPE == typeId || type == typeId)
            {
                rooms.add(new Room(ids[at], type, host.seatsOccupied(ids[at])));
            }
        }
        return new RoomList(ids.length, at, rooms);
    }

    private static List<Seat> seats(final RoomHost host, final long roomId)
    {
        if (!host.isOpen(roomId))
        {
            return null;
        }
        final List<Seat> seats = new ArrayList<>();
        host.forEachSeat(roomId, (seat) ->
        {
            if (seats.size() < LIST_LIMIT)
            {
                seats.add(new Seat(seat.index(), seat.playerId(), seat.isPresent()));
            }
        });
        return seats;
    }
}
