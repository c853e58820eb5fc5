package io.escapement.arena.simulation;

/**
 * Dead reckoning on a client: the current position of another player, from its last known state. It moves as the
 * simulation does, among the same walls. Not thread-safe. Does not allocate.
 */
public final class Extrapolation
{
    private final SweptBox box;
    private int x;
    private int y;
    private int vx;
    private int vy;
    private int dashVx;
    private int dashVy;
    private int dashLeft;

    /** For one player on a map. */
    public Extrapolation(final ArenaMap map)
    {
        box = new SweptBox(map.playerWalls());
    }

    /**
     * Set the last known state. This stops a dash.
     *
     * @param knownX  position, which must not be in a wall.
     * @param knownY  position.
     * @param knownVx velocity per sub-step, at most {@link Fixed#LONGEST} either way.
     * @param knownVy velocity, a sub-step.
     */
    public void set(final int knownX, final int knownY, final int knownVx, final int knownVy)
    {
        x = knownX;
        y = knownY;
        vx = knownVx;
        vy = knownVy;
        dashLeft = 0;
    }

    /**
     * The player turns where it is shown. A dash continues.
     *
     * @param knownVx velocity per sub-step, at most {@link Fixed#LONGEST} either way.
     * @param knownVy velocity, a sub-step.
     */
    public void turn(final int knownVx, final int knownVy)
    {
        vx = knownVx;
        vy = knownVy;
    }

    /**
     * The player dashes.
     *
     * @param knownDashVx velocity of the dash, a sub-step.
     * @param knownDashVy velocity of the dash, a sub-step.
     * @param subSteps    for how long.
     */
    public void dash(final int knownDashVx, final int knownDashVy, final int subSteps)
    {
        dashVx = knownDashVx;
        dashVy = knownDashVy;
        dashLeft = subSteps;
    }

    /** Let time pass. */
    public void advance(final int subSteps)
    {
        for (int i = 0; i < subSteps; i++)
        {
            final boolean isDashing = dashLeft > 0;
            box.move(x, y, isDashing ? dashVx : vx, isDashing ? dashVy : vy);
            x = box.x();
            y = box.y();
            dashLeft -= isDashing ? 1 : 0;
        }
    }

    /** Where the player is shown. */
    public int x()
    {
        return x;
    }

    /** Where the player is shown. */
    public int y()
    {
        return y;
    }

    /**
     * Distance between the extrapolated position and that on the server.
     *
     * @param heldX where the server holds the player.
     * @param heldY where the server holds the player.
     * @return the distance, rounded down.
     */
    public long error(final int heldX, final int heldY)
    {
        return Fixed.length(x - heldX, y - heldY);
    }
}
