package io.escapement.arena.room;

import io.escapement.arena.common.ArenaCounters;
import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;
import io.escapement.rooms.sync.SyncedState;

/**
 * Sends the state of an arena. Each frame, all seats receive a delta, so that it may be sent through a feed. A seat
 * that lost a delta receives a full state, and holds the later deltas until the full state arrives.
 *
 * <p>A slow trunk loses states of hundreds of rooms at once. If every room answered with a full state at once, several
 * frames' worth of data would hit the trunk in one turn. It would lose states once more, and never recover. Full states
 * are therefore spread over time.
 */
final class StateBroadcast
{
    private static final long NS_PER_MS = 1_000_000;

    private final Room room;
    private final ArenaProxy proxy;
    private final WorldWriter writer;
    private final int fullStateTimer;
    private final SeatGroup behind;

    /**
     * @param room         with the group that {@link #makeGroup} made.
     * @param fullStateTimer kind of the timer that calls {@link #sendFullStates()}.
     */
    StateBroadcast(final Room room, final ArenaProxy proxy, final WorldWriter writer, final int fullStateTimer)
    {
        this.room = room;
        this.proxy = proxy;
        this.writer = writer;
        this.fullStateTimer = fullStateTimer;
        behind = room.group(0);
    }

    /** Called once, when a room opens: a snapshot restores the group. */
    static void makeGroup(final Room room)
    {
        room.newGroup();
    }

    void sendDelta()
    {
        proxy.delta(room.everyone(), writer);
    }

    /** To one player who has just joined or returned, without delay. */
    void sendFullState(final Seat seat)
    {
        behind.remove(seat);
        room.count(ArenaCounters.FULL_STATES, 1);
        proxy.fullState(seat, writer);
    }

    void onStateLost(final Seat seat)
    {
        if (behind.isEmpty())
        {
            room.after(room.random().nextInt(SyncedState.FULL_STATE_SPREAD_MS) * NS_PER_MS, fullStateTimer, 0);
        }
        behind.add(seat);
    }

    /** To every seat that lost a state. */
    void sendFullStates()
    {
        if (behind.isEmpty())
        {
            return;
        }
        room.count(ArenaCounters.FULL_STATES, 1);
        proxy.fullState(behind, writer);
        behind.clear();
    }
}
