package io.escapement.arena.simulation;

/**
 * The players of an arena, to read: ints that may go over the wire as they are. Indices are the program's, 0 to
 * {@link ArenaRules#PLAYER_LIMIT} - 1. At an index without a player, everything is 0 except the facing.
 */
public final class ArenaPlayers
{
    /** Flag: somebody plays at this index. */
    public static final int IN_GAME = 1;
    /** Flag: the player lives. */
    public static final int LIVING = 2;
    /** Flag: the player dashes. */
    public static final int DASHING = 4;
    /** Flag: the player swings, from the wind-up to the end of the recovery. */
    public static final int SWINGING = 8;

    private final ArenaState state;

    ArenaPlayers(final ArenaState state)
    {
        this.state = state;
    }

    /** Where a player is held. */
    public int x(final int player)
    {
        return state.x[player];
    }

    /** Where a player is held. */
    public int y(final int player)
    {
        return state.y[player];
    }

    /** The velocity that a player has when it does not dash. A wall may keep it from moving so. */
    public int vx(final int player)
    {
        return state.vx[player];
    }

    /** The velocity that a player has when it does not dash. */
    public int vy(final int player)
    {
        return state.vy[player];
    }

    /** The velocity of the player's last dash. */
    public int dashVx(final int player)
    {
        return state.dashVx[player];
    }

    /** The velocity of the player's last dash. */
    public int dashVy(final int player)
    {
        return state.dashVy[player];
    }

    /**
     * How long the player's dash continues.
     *
     * @param player index of the player.
     * @return sub-steps, 0 if it does not dash.
     */
    public int dashLeft(final int player)
    {
        return state.isDashing(player, state.subStep) ?
            (int)(state.dashAt[player] + ArenaRules.DASH_TIME - state.subStep) : 0;
    }

    /**
     * Where a player looks: the direction of the last thing it did.
     *
     * @param player index of the player.
     * @return x of a vector one unit long.
     */
    public int facingX(final int player)
    {
        return state.facingX[player];
    }

    /**
     * Where a player looks.
     *
     * @param player index of the player.
     * @return y of a vector one unit long.
     */
    public int facingY(final int player)
    {
        return state.facingY[player];
    }

    /** Health of a player. */
    public int health(final int player)
    {
        return state.health[player];
    }

    /** How many players this player killed in this round after it entered. */
    public int kills(final int player)
    {
        return state.kills[player];
    }

    /** How often a player died in this round after it entered. */
    public int deaths(final int player)
    {
        return state.deaths[player];
    }

    /**
     * Flags of a player.
     *
     * @param player index of the player.
     * @return {@link #IN_GAME}, {@link #LIVING}, {@link #DASHING} and {@link #SWINGING}, added.
     */
    public int flags(final int player)
    {
        return (state.isInGame(player) ? IN_GAME : 0) | (state.isLiving(player) ? LIVING : 0) |
            (state.isDashing(player, state.subStep) ? DASHING : 0) | (state.isSwinging(player) ? SWINGING : 0);
    }

    /** How many claims of a player were corrected since it entered. */
    public int corrections(final int player)
    {
        return state.corrections[player];
    }
}
