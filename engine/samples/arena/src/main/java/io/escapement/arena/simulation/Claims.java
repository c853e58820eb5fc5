package io.escapement.arena.simulation;

/**
 * Judges claimed positions. A claim states where a player was some sub-steps ago and how it moves since. It may be
 * wrong in three ways. It is farther from the last accepted claim than a player gets in the time between. It is farther
 * from the course of the player's last velocity than a player gets before its client must report a change. Or it is
 * beyond a wall.
 * <p>
 * The tolerance for ages that a client estimates is a budget: a claim that uses some of it reduces it until later
 * claims move less than they could. So more claims do not give more tolerance, and a player who is slightly too fast is
 * detected soon.
 */
final class Claims
{
    private static final int DASH_GAIN = ArenaRules.DASH_SPEED - ArenaRules.RUN_SPEED;
    /**
     * The budget is full after a claim that seemed younger than it was. If that claim was in one dash and an
     * older-seeming claim is in another, wrong ages cost a part of each.
     */
    static final int SLACK = ArenaRules.ROUND_TRIP * (ArenaRules.RUN_SPEED + 2 * DASH_GAIN);

    private final ArenaState state;
    private final Physics physics;
    private final Walls walls;
    private final Ways ways;

    Claims(final ArenaState state, final Physics physics, final Walls walls)
    {
        this.state = state;
        this.physics = physics;
        this.walls = walls;
        ways = new Ways(walls);
    }

    /** Reset a player at its new position, with full tolerance. */
    void reset(final int player)
    {
        state.slack[player] = SLACK;
    }

    int claim(final int player, final int x, final int y, final int vx, final int vy, final int age)
    {
        final long at = state.subStep - age;
        if (at < state.placedAt[player])
        {
            return Refusal.STALE;
        }
        final int code = judge(player, x, y, vx, vy, at);
        if (Refusal.NONE == code)
        {
            accept(player, x, y, vx, vy, at);
        }
        else
        {
            correct(player, vx, vy);
        }
        return code;
    }

    private int judge(final int player, final int x, final int y, final int vx, final int vy, final long at)
    {
        if (isTooFast(vx, vy))
        {
            return Refusal.TOO_FAST;
        }
        if (!walls.isOnMap(x, y))
        {
            return Refusal.OFF_MAP;
        }
        if (!walls.isFree(x, y))
        {
            return Refusal.IN_WALL;
        }
        if (moved(player, x, y) > possible(player, at))
        {
            return Refusal.OUT_OF_REACH;
        }
        final long reach = reach(player, at);
        if (Fixed.length(x - state.x[player], y - state.y[player]) > reach)
        {
            return Refusal.OFF_COURSE;
        }
        return ways.exists(state.x[player], state.y[player], x, y, reach) ? Refusal.NONE : Refusal.THROUGH_WALL;
    }

    private void accept(final int player, final int x, final int y, final int vx, final int vy, final long at)
    {
        state.slack[player] = Math.min(SLACK, possible(player, at) - moved(player, x, y));
        state.anchorX[player] = x;
        state.anchorY[player] = y;
        // Never back, or a client could live through the same time twice.
        state.anchorAt[player] = Math.max(state.anchorAt[player], at);
        state.lastClaimAt[player] = state.subStep;
        state.vx[player] = vx;
        state.vy[player] = vy;
        physics.catchUp(player, x, y, at);
    }

    private void correct(final int player, final int vx, final int vy)
    {
        final int x = state.x[player];
        final int y = state.y[player];
        final long left = possible(player, state.subStep) - moved(player, x, y);
        state.slack[player] = Math.max(0, Math.min(SLACK, left));
        state.place(player, x, y);
        clip(player, vx, vy);
        state.corrections[player]++;
    }

    private long moved(final int player, final int x, final int y)
    {
        return Fixed.length(x - state.anchorX[player], y - state.anchorY[player]);
    }

    /** The way that the player can have made since its last accepted claim. */
    private long possible(final int player, final long at)
    {
        final long since = state.anchorAt[player];
        return state.slack[player] + ArenaRules.RUN_SPEED * Math.max(0, at - since) +
            DASH_GAIN * Math.max(0, dashed(player, since, at));
    }

    /**
     * How far a player can be from the position that the server holds. Its client samples input. For up to one sampling
     * interval plus the age of the claim, the server therefore moved it on its old course while it was on another.
     */
    private long reach(final int player, final long at)
    {
        final long age = state.subStep - at;
        final long since = at - ArenaRules.SAMPLING_LIMIT - ArenaRules.ROUND_TRIP;
        final boolean mayHaveDashed = dashed(player, since, state.subStep) > 0;
        return ArenaRules.RUN_SPEED * (age + 2 * ArenaRules.SAMPLING_LIMIT + ArenaRules.ROUND_TRIP) +
            (mayHaveDashed ? 2 * ArenaRules.DASH_TIME * DASH_GAIN : 0);
    }

    private long dashed(final int player, final long since, final long until)
    {
        final long dashAt = state.dashAt[player];
        return Math.min(until, dashAt + ArenaRules.DASH_TIME) - Math.max(since, dashAt);
    }

    private void clip(final int player, final int vx, final int vy)
    {
        final int limitedX = Math.max(-Fixed.LONGEST, Math.min(Fixed.LONGEST, vx));
        final int limitedY = Math.max(-Fixed.LONGEST, Math.min(Fixed.LONGEST, vy));
        final boolean isTooFast = isTooFast(vx, vy);
        state.vx[player] = isTooFast ? Fixed.scale(limitedX, limitedX, limitedY, ArenaRules.RUN_SPEED) : vx;
        state.vy[player] = isTooFast ? Fixed.scale(limitedY, limitedX, limitedY, ArenaRules.RUN_SPEED) : vy;
    }

    private static boolean isTooFast(final int vx, final int vy)
    {
        final long limit = ArenaRules.RUN_SPEED;
        return vx > limit || vx < -limit || vy > limit || vy < -limit || (long)vx * vx + (long)vy * vy > limit * limit;
    }
}
