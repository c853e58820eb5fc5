package io.escapement.arena.simulation;

/** Moves players and projectiles. {@link Combat} applies the effects of collisions. */
final class Physics
{
    /** Above the index of any wall. */
    private static final int FIRST_PLAYER_ID = 1 << 20;

    private final ArenaState state;
    private final SweptBox playerBox;
    private final SweptBox shotBox;
    private final Impact playerImpact = new Impact();
    private final int[] fromX = new int[ArenaRules.PLAYER_LIMIT];
    private final int[] fromY = new int[ArenaRules.PLAYER_LIMIT];

    Physics(final ArenaState state, final ArenaMap map)
    {
        this.state = state;
        playerBox = new SweptBox(map.playerWalls());
        shotBox = new SweptBox(map.shotWalls());
    }

    /** Move every living player by one sub-step. */
    void movePlayers()
    {
        final long now = state.subStep;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            if (state.isLiving(player))
            {
                fromX[player] = state.x[player];
                fromY[player] = state.y[player];
                move(player, now);
            }
        }
    }

    /** Move one player as in the sub-step that starts at this time. */
    void move(final int player, final long at)
    {
        final boolean isDashing = state.isDashing(player, at);
        final int dx = isDashing ? state.dashVx[player] : state.vx[player];
        final int dy = isDashing ? state.dashVy[player] : state.vy[player];
        if (0 != (dx | dy))
        {
            playerBox.move(state.x[player], state.y[player], dx, dy);
            state.x[player] = playerBox.x();
            state.y[player] = playerBox.y();
        }
    }

    /** Move a player from where it was at an earlier time to now, with the input known now. */
    void catchUp(final int player, final int x, final int y, final long since)
    {
        state.x[player] = x;
        state.y[player] = y;
        for (long at = since; at < state.subStep; at++)
        {
            move(player, at);
        }
    }

    /**
     * Move a projectile by one sub-step, up to the first thing it meets. Players are met where they are during their
     * own movement of this sub-step.
     *
     * @param shot to move.
     * @return the player met, or {@link ArenaState#NOBODY}. {@link #isWallMet()} says whether a wall was met.
     */
    int moveShot(final int shot)
    {
        final int x = state.shotX[shot];
        final int y = state.shotY[shot];
        final int dx = state.shotVx[shot];
        final int dy = state.shotVy[shot];
        shotBox.sweep(x, y, dx, dy);
        final int met = firstPlayerMet(state.shotOwner[shot], x, y, dx, dy);
        if (ArenaState.NOBODY != met)
        {
            // Once more for the part up to the player: where a sweep ends is never in a wall.
            final long time = playerImpact.numerator;
            final long of = playerImpact.denominator;
            shotBox.sweep(x, y, (int)(dx * time / of), (int)(dy * time / of));
        }
        state.shotX[shot] = shotBox.x();
        state.shotY[shot] = shotBox.y();
        return met;
    }

    /** Did the projectile that was moved last meet a wall? */
    boolean isWallMet()
    {
        return shotBox.wall() >= 0;
    }

    /** Whether no wall between two places stops a blow or a blast. */
    boolean isInSight(final int fromPlaceX, final int fromPlaceY, final int toX, final int toY)
    {
        return shotBox.isWayFree(fromPlaceX, fromPlaceY, toX, toY);
    }

    private int firstPlayerMet(final int owner, final int x, final int y, final int dx, final int dy)
    {
        final int half = ArenaRules.PLAYER_HALF + ArenaRules.SHOT_HALF;
        final Impact walls = shotBox.impact();
        int met = ArenaState.NOBODY;
        long numerator = walls.numerator;
        long denominator = walls.denominator;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            if (player != owner && state.isLiving(player))
            {
                final int px = fromX[player];
                final int py = fromY[player];
                playerImpact.clear();
                playerImpact.consider(
                    x, y, dx - (state.x[player] - px), dy - (state.y[player] - py),
                    px - half, py - half, px + half, py + half, FIRST_PLAYER_ID + player);
                if (playerImpact.isHit() &&
                    playerImpact.numerator * denominator < numerator * playerImpact.denominator)
                {
                    met = player;
                    numerator = playerImpact.numerator;
                    denominator = playerImpact.denominator;
                }
            }
        }
        if (ArenaState.NOBODY != met)
        {
            playerImpact.numerator = numerator;
            playerImpact.denominator = denominator;
        }
        return met;
    }
}
