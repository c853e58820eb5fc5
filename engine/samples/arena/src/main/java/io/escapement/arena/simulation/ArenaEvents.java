package io.escapement.arena.simulation;

/**
 * Events in order since the reader last cleared the list, once per frame. The list is bounded: if an event does not
 * fit, it is dropped and counted. This costs viewers an effect but no state. Events are not a part of the state: read
 * them before saving it.
 */
public final class ArenaEvents
{
    /** Most events between two clears: a frame with 64 explosions that hit 3 players each fits. */
    public static final int LIMIT = 256;

    /** A player spawned. Value: index of the spawn point. */
    public static final int SPAWN = 1;
    /** A player left. */
    public static final int LEAVE = 2;
    /** A player started to dash. */
    public static final int DASH = 3;
    /** A player started to swing. */
    public static final int SWING = 4;
    /** A player shot. Value: index of the projectile. */
    public static final int SHOT = 5;
    /** A projectile exploded. Player: who shot it. Value: {@link #BY_WALL}, {@link #BY_PLAYER} or {@link #BY_TIME}. */
    public static final int EXPLOSION = 6;
    /** A player was hurt by another. Value: how much. */
    public static final int HIT = 7;
    /** A player died by another. */
    public static final int DEATH = 8;
    /** A claim of a player was corrected. Value: the code, of {@link Refusal}. */
    public static final int CORRECTION = 9;

    /** The projectile met a wall. */
    public static final int BY_WALL = 1;
    /** The projectile met a player, the other of the event. */
    public static final int BY_PLAYER = 2;
    /** The projectile's time was over. */
    public static final int BY_TIME = 3;

    private final int[] types = new int[LIMIT];
    private final int[] players = new int[LIMIT];
    private final int[] others = new int[LIMIT];
    private final int[] xs = new int[LIMIT];
    private final int[] ys = new int[LIMIT];
    private final int[] values = new int[LIMIT];
    private int count;
    private long dropped;

    ArenaEvents()
    {
    }

    /** How many events there are. */
    public int count()
    {
        return count;
    }

    /** Remove all events. The count of dropped events remains. */
    public void clear()
    {
        count = 0;
    }

    /** How many events did not fit since the simulation was made. */
    public long dropped()
    {
        return dropped;
    }

    /** Type of the event. */
    public int type(final int event)
    {
        return types[event];
    }

    /** The player that it happened to. */
    public int player(final int event)
    {
        return players[event];
    }

    /**
     * The other player, who caused it or is also concerned.
     *
     * @param event index.
     * @return index of the other player, or -1.
     */
    public int other(final int event)
    {
        return others[event];
    }

    /** Where it happened. */
    public int x(final int event)
    {
        return xs[event];
    }

    /** Where it happened. */
    public int y(final int event)
    {
        return ys[event];
    }

    /** The type says what this is. */
    public int value(final int event)
    {
        return values[event];
    }

    void add(final int type, final int player, final int other, final int x, final int y, final int value)
    {
        if (LIMIT == count)
        {
            dropped++;
            return;
        }
        types[count] = type;
        players[count] = player;
        others[count] = other;
        xs[count] = x;
        ys[count] = y;
        values[count] = value;
        count++;
    }
}
