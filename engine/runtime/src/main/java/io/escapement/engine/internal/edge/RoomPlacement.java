package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.spi.PlacementStrategy;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/** Chooses the loop of a new room and its id: loop in the high bits, a serial below, never reused. Thread-safe. */
public final class RoomPlacement
{
    /**
     * At this number, openings of stopped loops and earlier terms are dropped. The other openings are in queues, which
     * have limits.
     */
    private static final int OPENINGS_KEPT = 1_024;

    private final PlacementStrategy strategy;
    private final ConcurrentHashMap<Long, RoomOpening> openingByRoomMap = new ConcurrentHashMap<>();
    private final AtomicIntegerArray rooms;
    private final AtomicLongArray serials;
    private final SecureRandom random;

    /**
     * Start with no rooms.
     *
     * @param inboxes  of the loops.
     * @param strategy that chooses loops.
     * @param random   secure source of seeds.
     */
    public RoomPlacement(final CommandQueue[] inboxes, final PlacementStrategy strategy, final SecureRandom random)
    {
        this.strategy = strategy;
        this.random = random;
        rooms = new AtomicIntegerArray(inboxes.length);
        serials = new AtomicLongArray(inboxes.length);
    }

    /**
     * Continue after the rooms of an earlier incarnation.
     *
     * @param loop       number of the loop.
     * @param lastSerial greatest serial that the loop has seen.
     * @param openRooms  rooms that are open on it.
     */
    public void resume(final int loop, final long lastSerial, final int openRooms)
    {
        serials.set(loop, lastSerial);
        rooms.set(loop, openRooms);
    }

    /**
     * Place a room.
     *
     * @param typeId of the room.
     * @return its id, which contains its loop.
     */
    public long place(final int typeId)
    {
        return placeOn(loopFor(typeId));
    }

    /** Have the strategy choose a loop, without placing a room yet. */
    int loopFor(final int typeId)
    {
        return loopFor(strategy, typeId);
    }

    /** The loop of a room if its strategy does not return. */
    int leastLoaded(final int typeId)
    {
        return loopFor(PlacementStrategy.LEAST_LOADED, typeId);
    }

    /** Place a room on a loop, and return its id. */
    long placeOn(final int loop)
    {
        final long serial = serials.incrementAndGet(loop);
        if (serial > RoomMessage.MAX_NUMBER)
        {
            throw new IllegalStateException("loop " + loop + " has no number left for a room");
        }
        rooms.incrementAndGet(loop);
        return TrunkMessages.roomId(loop, serial);
    }

    /**
     * Draw the seed of a room.
     *
     * @return random bits.
     */
    public long seed()
    {
        return random.nextLong();
    }

    /**
     * The application opens a room that was placed.
     *
     * @param roomId of the room.
     * @param isOver whether the edge reports no more openings.
     * @return its state, which the edge sets.
     */
    public RoomOpening opening(final long roomId, final BooleanSupplier isOver)
    {
        if (openingByRoomMap.size() >= OPENINGS_KEPT)
        {
            openingByRoomMap.values().removeIf((opening) -> RoomOpening.Outcome.LOST == opening.outcome());
        }
        final RoomOpening opening = new RoomOpening(isOver);
        openingByRoomMap.put(roomId, opening);
        return opening;
    }

    /** A room has opened. */
    void opened(final long roomId)
    {
        resolve(roomId, RoomOpening.Outcome.OPENED);
    }

    private void resolve(final long roomId, final RoomOpening.Outcome outcome)
    {
        final RoomOpening opening = openingByRoomMap.remove(roomId);
        if (null != opening)
        {
            opening.outcome(outcome);
        }
    }

    /**
     * Count a room that closed, or did not open.
     *
     * @param roomId of the room.
     */
    public void release(final long roomId)
    {
        resolve(roomId, RoomOpening.Outcome.REFUSED);
        rooms.decrementAndGet(TrunkMessages.loopOf(roomId));
    }

    private int loopFor(final PlacementStrategy chooser, final int typeId)
    {
        final int[] roomsByLoop = new int[rooms.length()];
        for (int i = 0; i < roomsByLoop.length; i++)
        {
            roomsByLoop[i] = rooms.get(i);
        }
        final int loop = chooser.loopFor(typeId, roomsByLoop);
        if (loop < 0 || loop >= roomsByLoop.length)
        {
            throw new IllegalStateException("placement chose loop " + loop + " of " + roomsByLoop.length);
        }
        return loop;
    }
}
