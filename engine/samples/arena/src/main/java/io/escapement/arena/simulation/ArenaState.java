package io.escapement.arena.simulation;

import java.util.Arrays;

/** Every number that a later sub-step depends on, and only these. */
final class ArenaState
{
    static final int ABSENT = 0;
    static final int LIVING = 1;
    static final int DEAD = 2;
    /** A sub-step long before any. */
    static final long NEVER = Long.MIN_VALUE / 4;
    static final int NOBODY = -1;

    private static final int FORMAT = 1;

    /** Sub-steps run so far, and so the time now. */
    long subStep;

    final int[] life = new int[ArenaRules.PLAYER_LIMIT];
    final int[] x = new int[ArenaRules.PLAYER_LIMIT];
    final int[] y = new int[ArenaRules.PLAYER_LIMIT];
    /** The velocity that the player wants. Walls stop the movement, not the will. */
    final int[] vx = new int[ArenaRules.PLAYER_LIMIT];
    final int[] vy = new int[ArenaRules.PLAYER_LIMIT];
    final int[] facingX = new int[ArenaRules.PLAYER_LIMIT];
    final int[] facingY = new int[ArenaRules.PLAYER_LIMIT];
    final int[] health = new int[ArenaRules.PLAYER_LIMIT];
    final int[] kills = new int[ArenaRules.PLAYER_LIMIT];
    final int[] deaths = new int[ArenaRules.PLAYER_LIMIT];

    final int[] dashVx = new int[ArenaRules.PLAYER_LIMIT];
    final int[] dashVy = new int[ArenaRules.PLAYER_LIMIT];
    final long[] dashAt = new long[ArenaRules.PLAYER_LIMIT];
    final long[] swingAt = new long[ArenaRules.PLAYER_LIMIT];
    /** A bit a player that the swing has hit. */
    final int[] swingHits = new int[ArenaRules.PLAYER_LIMIT];
    final long[] shotAt = new long[ArenaRules.PLAYER_LIMIT];

    /** The last position that was accepted or set, and when the player was at it. */
    final int[] anchorX = new int[ArenaRules.PLAYER_LIMIT];
    final int[] anchorY = new int[ArenaRules.PLAYER_LIMIT];
    final long[] anchorAt = new long[ArenaRules.PLAYER_LIMIT];
    /** When the simulation itself set the position. */
    final long[] placedAt = new long[ArenaRules.PLAYER_LIMIT];
    /** When the last claim was accepted. */
    final long[] lastClaimAt = new long[ArenaRules.PLAYER_LIMIT];
    /** Remaining tolerance, a length. */
    final long[] slack = new long[ArenaRules.PLAYER_LIMIT];
    final int[] corrections = new int[ArenaRules.PLAYER_LIMIT];
    final long[] refusals = new long[Refusal.COUNT];

    final int[] shotOwner = new int[ArenaRules.SHOT_LIMIT];
    final int[] shotX = new int[ArenaRules.SHOT_LIMIT];
    final int[] shotY = new int[ArenaRules.SHOT_LIMIT];
    final int[] shotVx = new int[ArenaRules.SHOT_LIMIT];
    final int[] shotVy = new int[ArenaRules.SHOT_LIMIT];
    /** The sub-step in which the projectile explodes by itself. */
    final long[] shotEndsAt = new long[ArenaRules.SHOT_LIMIT];

    private final long signature;

    ArenaState(final ArenaMap map)
    {
        signature = signature(map);
        Arrays.fill(shotOwner, NOBODY);
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            clear(player);
        }
    }

    /** As if no player had ever been here. */
    void clear(final int player)
    {
        life[player] = ABSENT;
        x[player] = 0;
        y[player] = 0;
        facingX[player] = Fixed.UNIT;
        facingY[player] = 0;
        health[player] = 0;
        kills[player] = 0;
        deaths[player] = 0;
        corrections[player] = 0;
        shotAt[player] = NEVER;
        dashAt[player] = NEVER;
        rest(player);
        anchorX[player] = 0;
        anchorY[player] = 0;
        anchorAt[player] = NEVER;
        placedAt[player] = NEVER;
        lastClaimAt[player] = NEVER;
        slack[player] = 0;
    }

    /** Stop the player's actions. Cooldowns continue. */
    void rest(final int player)
    {
        vx[player] = 0;
        vy[player] = 0;
        dashVx[player] = 0;
        dashVy[player] = 0;
        swingAt[player] = NEVER;
        swingHits[player] = 0;
    }

    /** Take a player out of the fight until it spawns. */
    void remove(final int player)
    {
        life[player] = DEAD;
        health[player] = 0;
        rest(player);
    }

    /** The simulation has set the player's position. */
    void place(final int player, final int placeX, final int placeY)
    {
        x[player] = placeX;
        y[player] = placeY;
        anchorX[player] = placeX;
        anchorY[player] = placeY;
        anchorAt[player] = subStep;
        placedAt[player] = subStep;
        lastClaimAt[player] = NEVER;
    }

    boolean isInGame(final int player)
    {
        return ABSENT != life[player];
    }

    boolean isLiving(final int player)
    {
        return LIVING == life[player];
    }

    boolean isDashing(final int player, final long at)
    {
        return at - dashAt[player] < ArenaRules.DASH_TIME && at >= dashAt[player] &&
            0 != (dashVx[player] | dashVy[player]);
    }

    boolean isSwinging(final int player)
    {
        final int time = ArenaRules.MELEE_WIND_UP + ArenaRules.MELEE_ACTIVE + ArenaRules.MELEE_RECOVERY;
        return subStep - swingAt[player] < time;
    }

    /** The direction, brought to a unit's length. */
    void face(final int player, final int dirX, final int dirY)
    {
        facingX[player] = Fixed.scale(dirX, dirX, dirY, Fixed.UNIT);
        facingY[player] = Fixed.scale(dirY, dirX, dirY, Fixed.UNIT);
    }

    void visit(final StateVisitor visitor)
    {
        if (signature != visitor.visit(signature))
        {
            throw new IllegalArgumentException("the state is of another map, or of a build with other rules");
        }
        subStep = visitor.visit(subStep);
        visit(visitor, life);
        visit(visitor, x);
        visit(visitor, y);
        visit(visitor, vx);
        visit(visitor, vy);
        visit(visitor, facingX);
        visit(visitor, facingY);
        visit(visitor, health);
        visit(visitor, kills);
        visit(visitor, deaths);
        visit(visitor, dashVx);
        visit(visitor, dashVy);
        visit(visitor, swingHits);
        visit(visitor, anchorX);
        visit(visitor, anchorY);
        visit(visitor, corrections);
        visit(visitor, dashAt);
        visit(visitor, swingAt);
        visit(visitor, shotAt);
        visit(visitor, anchorAt);
        visit(visitor, placedAt);
        visit(visitor, lastClaimAt);
        visit(visitor, slack);
        visit(visitor, refusals);
        visit(visitor, shotOwner);
        visit(visitor, shotX);
        visit(visitor, shotY);
        visit(visitor, shotVx);
        visit(visitor, shotVy);
        visit(visitor, shotEndsAt);
    }

    private static long signature(final ArenaMap map)
    {
        final long[] numbers = {
            FORMAT, map.fingerprint(), ArenaRules.SUB_STEPS_PER_SECOND, ArenaRules.PLAYER_LIMIT,
            ArenaRules.PLAYER_HALF, ArenaRules.RUN_SPEED, ArenaRules.FULL_HEALTH, ArenaRules.DASH_SPEED,
            ArenaRules.DASH_TIME, ArenaRules.DASH_COOLDOWN, ArenaRules.MELEE_WIND_UP, ArenaRules.MELEE_ACTIVE,
            ArenaRules.MELEE_RECOVERY, ArenaRules.MELEE_REACH, ArenaRules.MELEE_HALF, ArenaRules.MELEE_DAMAGE,
            ArenaRules.SHOT_LIMIT, ArenaRules.SHOT_HALF, ArenaRules.SHOT_SPEED, ArenaRules.SHOT_TIME,
            ArenaRules.SHOT_COOLDOWN, ArenaRules.EXPLOSION_RADIUS, ArenaRules.EXPLOSION_DAMAGE,
            ArenaRules.AGE_LIMIT, ArenaRules.SAMPLING_LIMIT, ArenaRules.ROUND_TRIP, Walls.SKIN, Refusal.COUNT};
        long hash = SimulationHash.START;
        for (final long number : numbers)
        {
            hash = SimulationHash.mix(hash, number);
        }
        return hash;
    }

    private static void visit(final StateVisitor visitor, final int[] numbers)
    {
        for (int i = 0; i < numbers.length; i++)
        {
            numbers[i] = (int)visitor.visit(numbers[i]);
        }
    }

    private static void visit(final StateVisitor visitor, final long[] numbers)
    {
        for (int i = 0; i < numbers.length; i++)
        {
            numbers[i] = visitor.visit(numbers[i]);
        }
    }
}
