package io.escapement.arena.world;

import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/** The players and projectiles of an arena at one time, as sent or received. Not thread-safe. Does not allocate. */
public final class World
{
    /** The sequence before the first full state. */
    public static final long NO_SEQUENCE = -1;

    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;
    private static final int SHOTS = ArenaRules.SHOT_LIMIT;

    long sequence = NO_SEQUENCE;
    long subStep;
    final int[] flags = new int[PLAYERS];
    final int[] x = new int[PLAYERS];
    final int[] y = new int[PLAYERS];
    final int[] vx = new int[PLAYERS];
    final int[] vy = new int[PLAYERS];
    final int[] facingX = new int[PLAYERS];
    final int[] facingY = new int[PLAYERS];
    final int[] dashVx = new int[PLAYERS];
    final int[] dashVy = new int[PLAYERS];
    final int[] kills = new int[PLAYERS];
    final int[] deaths = new int[PLAYERS];
    final int[] health = new int[PLAYERS];
    final long[] dashEndsAt = new long[PLAYERS];
    final int[] shotOwner = new int[SHOTS];
    final int[] shotX = new int[SHOTS];
    final int[] shotY = new int[SHOTS];
    final int[] shotVx = new int[SHOTS];
    final int[] shotVy = new int[SHOTS];

    private final int[][] numbers = {
        flags, x, y, vx, vy, facingX, facingY, dashVx, dashVy, kills, deaths, health, shotOwner, shotX, shotY, shotVx,
        shotVy};
    private final StateHash hash = new StateHash();

    /** An empty world. */
    public World()
    {
        clear();
    }

    /** Sequence of the last delta that was applied. */
    public long sequence()
    {
        return sequence;
    }

    /** The time of this state. */
    public long subStep()
    {
        return subStep;
    }

    /** Flags of a player, see {@link ArenaPlayers}. */
    public int flags(final int player)
    {
        return flags[player];
    }

    /**
     * Whether an index has a player.
     *
     * @param player index.
     * @return true if so, dead or alive.
     */
    public boolean isInGame(final int player)
    {
        return 0 != (flags[player] & ArenaPlayers.IN_GAME);
    }

    /** Whether a player lives. */
    public boolean isLiving(final int player)
    {
        return 0 != (flags[player] & ArenaPlayers.LIVING);
    }

    /** Where a player is. */
    public int x(final int player)
    {
        return x[player];
    }

    /** Where a player is. */
    public int y(final int player)
    {
        return y[player];
    }

    /** Velocity of a player that does not dash. */
    public int vx(final int player)
    {
        return vx[player];
    }

    /** Velocity of a player that does not dash. */
    public int vy(final int player)
    {
        return vy[player];
    }

    /**
     * Where a player looks.
     *
     * @param player index.
     * @return x of a vector one unit long.
     */
    public int facingX(final int player)
    {
        return facingX[player];
    }

    /**
     * Where a player looks.
     *
     * @param player index.
     * @return y of a vector one unit long.
     */
    public int facingY(final int player)
    {
        return facingY[player];
    }

    /** Velocity of a player's last dash. */
    public int dashVx(final int player)
    {
        return dashVx[player];
    }

    /** Velocity of a player's last dash. */
    public int dashVy(final int player)
    {
        return dashVy[player];
    }

    /**
     * How long a player's dash continues.
     *
     * @param player index.
     * @return sub-steps, 0 if it does not dash.
     */
    public int dashLeft(final int player)
    {
        return (int)Math.max(0, Math.min(ArenaRules.DASH_TIME, dashEndsAt[player] - subStep));
    }

    /** Health of a player. */
    public int health(final int player)
    {
        return health[player];
    }

    /**
     * Score of a player.
     *
     * @param player index.
     * @return how many it killed in this round.
     */
    public int kills(final int player)
    {
        return kills[player];
    }

    /**
     * Score of a player.
     *
     * @param player index.
     * @return how often it died in this round.
     */
    public int deaths(final int player)
    {
        return deaths[player];
    }

    /**
     * The owner of a projectile.
     *
     * @param shot index, below {@link ArenaRules#SHOT_LIMIT}.
     * @return index of the player, or -1 when there is no projectile.
     */
    public int shotOwner(final int shot)
    {
        return shotOwner[shot];
    }

    /** Where a projectile is. */
    public int shotX(final int shot)
    {
        return shotX[shot];
    }

    /** Where a projectile is. */
    public int shotY(final int shot)
    {
        return shotY[shot];
    }

    /** Hash of everything in it. */
    public long stateHash()
    {
        hash.reset();
        write(hash);
        return hash.value();
    }

    /** Write the world to a snapshot. */
    public void write(final StateWriter writer)
    {
        writer.putLong(sequence);
        writer.putLong(subStep);
        for (final int[] array : numbers)
        {
            for (final int number : array)
            {
                writer.putInt(number);
            }
        }
        for (final long endsAt : dashEndsAt)
        {
            writer.putLong(endsAt);
        }
    }

    /** Read the world from a snapshot. */
    public void read(final StateReader reader)
    {
        sequence = reader.getLong();
        subStep = reader.getLong();
        for (final int[] array : numbers)
        {
            for (int i = 0; i < array.length; i++)
            {
                array[i] = reader.getInt();
            }
        }
        for (int i = 0; i < PLAYERS; i++)
        {
            dashEndsAt[i] = reader.getLong();
        }
    }

    /** Reset to an empty world. */
    void clear()
    {
        sequence = NO_SEQUENCE;
        subStep = 0;
        for (final int[] array : numbers)
        {
            Arrays.fill(array, 0);
        }
        Arrays.fill(dashEndsAt, 0);
        Arrays.fill(shotOwner, -1);
    }

    /** Move all players and projectiles in a straight line until this time. */
    void extrapolate(final long until)
    {
        final int subSteps = (int)(until - subStep);
        subStep = until;
        for (int player = 0; player < PLAYERS; player++)
        {
            x[player] += subSteps * vx[player];
            y[player] += subSteps * vy[player];
        }
        for (int shot = 0; shot < SHOTS; shot++)
        {
            if (shotOwner[shot] >= 0)
            {
                shotX[shot] += subSteps * shotVx[shot];
                shotY[shot] += subSteps * shotVy[shot];
            }
        }
    }
}
