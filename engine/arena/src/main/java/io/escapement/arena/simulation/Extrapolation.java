package io.escapement.arena.simulation;

/**
 * Dead reckoning at a client: where another player is by now, when nothing was heard of it since a while. It moves as
 * the simulation moves, among the same walls. One thread at a time uses an instance; nothing is allocated.
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
     * What was heard last. A dash that went on is over with it.
     *
     * @param heardX  position, which must not be in a wall.
     * @param heardY  position.
     * @param heardVx velocity, a sub-step; at most {@link Fixed#LONGEST} either way.
     * @param heardVy velocity, a sub-step.
     */
    public void set(final int heardX, final int heardY, final int heardVx, final int heardVy)
    {
        x = heardX;
        y = heardY;
        vx = heardVx;
        vy = heardVy;
        dashLeft = 0;
    }

    /**
     * The player turns where it is shown. A dash goes on.
     *
     * @param heardVx velocity, a sub-step; at most {@link Fixed#LONGEST} either way.
     * @param heardVy velocity, a sub-step.
     */
    public void turn(final int heardVx, final int heardVy)
    {
        vx = heardVx;
        vy = heardVy;
    }

    /**
     * The player dashes.
     *
     * @param heardDashVx velocity of the dash, a sub-step.
     * @param heardDashVy velocity of the dash, a sub-step.
     * @param subSteps    for how long.
     */
    public void dash(final int heardDashVx, final int heardDashVy, final int subSteps)
    {
        dashVx = heardDashVx;
        dashVy = heardDashVy;
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
     * How far what is shown is from what the server holds.
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
