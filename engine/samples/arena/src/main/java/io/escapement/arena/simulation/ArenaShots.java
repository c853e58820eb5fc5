package io.escapement.arena.simulation;

/**
 * The projectiles of an arena, to read. Indices are the program's, 0 to {@link ArenaRules#SHOT_LIMIT} - 1. Only the
 * owner of a projectile means something while it is not in flight.
 */
public final class ArenaShots
{
    private final ArenaState state;

    ArenaShots(final ArenaState state)
    {
        this.state = state;
    }

    /**
     * The owner of a projectile.
     *
     * @param shot index of the projectile, below {@link ArenaRules#SHOT_LIMIT}.
     * @return index of the player, or -1 without an owner.
     */
    public int owner(final int shot)
    {
        return state.shotOwner[shot];
    }

    /**
     * Where a projectile is.
     *
     * @param shot index of the projectile, below {@link ArenaRules#SHOT_LIMIT}.
     * @return x of its middle.
     */
    public int x(final int shot)
    {
        return state.shotX[shot];
    }

    /**
     * Where a projectile is.
     *
     * @param shot index of the projectile, below {@link ArenaRules#SHOT_LIMIT}.
     * @return y of its middle.
     */
    public int y(final int shot)
    {
        return state.shotY[shot];
    }

    /**
     * Velocity of a projectile.
     *
     * @param shot index of the projectile, below {@link ArenaRules#SHOT_LIMIT}.
     * @return along x, a sub-step.
     */
    public int vx(final int shot)
    {
        return state.shotVx[shot];
    }

    /**
     * Velocity of a projectile.
     *
     * @param shot index of the projectile, below {@link ArenaRules#SHOT_LIMIT}.
     * @return along y, a sub-step.
     */
    public int vy(final int shot)
    {
        return state.shotVy[shot];
    }
}
