package io.escapement.arena;

import io.escapement.arena.world.WorldWriter;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.SeatGroup;

/**
 * Sends the state of an arena: a delta a frame to all who have heard what it builds on, and a picture to the others.
 *
 * <p>A trunk that stumbles loses the states of hundreds of rooms at one time. If each answered with a picture at once,
 * the trunk would be sent several frames' worth in one turn, stumble over that, and never recover. So pictures are
 * spread over time, and who waits for one is sent no deltas that it cannot use: a trunk in trouble is sent less.
 */
final class StateBroadcast
{
    private static final int SPREAD_MS = 250;
    private static final long NS_PER_MS = 1_000_000;

    private final Room room;
    private final ArenaProxy proxy;
    private final WorldWriter writer;
    private final int pictureTimer;
    private final SeatGroup following;
    private final SeatGroup behind;

    /**
     * A room's broadcast.
     *
     * @param room         with its groups made.
     * @param proxy        that sends.
     * @param writer       that tells the simulation.
     * @param pictureTimer kind of the timer that calls {@link #pictures()}.
     */
    StateBroadcast(final Room room, final ArenaProxy proxy, final WorldWriter writer, final int pictureTimer)
    {
        this.room = room;
        this.proxy = proxy;
        this.writer = writer;
        this.pictureTimer = pictureTimer;
        following = room.group(0);
        behind = room.group(1);
    }

    /** To be called once when a room opens. */
    static void makeGroups(final Room room)
    {
        room.newGroup();
        room.newGroup();
    }

    void delta()
    {
        proxy.delta(behind.isEmpty() ? null : following, writer);
    }

    /** To one who has just come: it waits for nobody. */
    void picture(final Seat seat)
    {
        behind.remove(seat);
        following.add(seat);
        room.count(ArenaCounters.PICTURES, 1);
        proxy.picture(seat, writer);
    }

    void lost(final Seat seat)
    {
        if (behind.isEmpty())
        {
            room.after(room.random().nextInt(SPREAD_MS) * NS_PER_MS, pictureTimer, 0);
        }
        following.remove(seat);
        behind.add(seat);
    }

    /** To all who lost a state. */
    void pictures()
    {
        if (behind.isEmpty())
        {
            return;
        }
        room.count(ArenaCounters.PICTURES, 1);
        proxy.picture(behind, writer);
        for (int i = 0; i < room.seatLimit(); i++)
        {
            final Seat seat = room.seat(i);
            if (null != seat && behind.contains(seat))
            {
                following.add(seat);
            }
        }
        behind.clear();
    }
}
