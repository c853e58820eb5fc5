package io.escapement.arena.simulation;

import java.util.Arrays;

/** Effects of hits. Health falls during a sub-step and players die at its end. Two may thus kill each other. */
final class Combat
{
    private final ArenaState state;
    private final Physics physics;
    private final ArenaEvents events;
    private final int[] killer = new int[ArenaRules.PLAYER_LIMIT];

    Combat(final ArenaState state, final Physics physics, final ArenaEvents events)
    {
        this.state = state;
        this.physics = physics;
        this.events = events;
        Arrays.fill(killer, ArenaState.NOBODY);
    }

    /** Let the swings hit that can hit in this sub-step. */
    void swing()
    {
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            final long time = state.subStep - state.swingAt[player];
            if (state.isLiving(player) && time >= ArenaRules.MELEE_WIND_UP &&
                time < ArenaRules.MELEE_WIND_UP + ArenaRules.MELEE_ACTIVE)
            {
                swing(player);
            }
        }
    }

    /** Move the projectiles. A projectile explodes if it meets something or its time is over. */
    void fly()
    {
        for (int shot = 0; shot < ArenaRules.SHOT_LIMIT; shot++)
        {
            if (ArenaState.NOBODY != state.shotOwner[shot])
            {
                final int met = physics.moveShot(shot);
                if (ArenaState.NOBODY != met)
                {
                    explode(shot, met, ArenaEvents.BY_PLAYER);
                }
                else if (physics.isWallMet())
                {
                    explode(shot, ArenaState.NOBODY, ArenaEvents.BY_WALL);
                }
                else if (state.subStep + 1 >= state.shotEndsAt[shot])
                {
                    explode(shot, ArenaState.NOBODY, ArenaEvents.BY_TIME);
                }
            }
        }
    }

    /** Let those die who have no health left. */
    void bury()
    {
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            final int by = killer[player];
            if (ArenaState.NOBODY != by)
            {
                killer[player] = ArenaState.NOBODY;
                state.remove(player);
                state.deaths[player]++;
                state.kills[by]++;
                events.add(ArenaEvents.DEATH, player, by, state.x[player], state.y[player], 0);
            }
        }
    }

    private void swing(final int player)
    {
        final int x = state.x[player];
        final int y = state.y[player];
        final int middleX = x + (int)((long)state.facingX[player] * ArenaRules.MELEE_REACH >> Fixed.SHIFT);
        final int middleY = y + (int)((long)state.facingY[player] * ArenaRules.MELEE_REACH >> Fixed.SHIFT);
        final int reach = ArenaRules.MELEE_HALF + ArenaRules.PLAYER_HALF;
        for (int target = 0; target < ArenaRules.PLAYER_LIMIT; target++)
        {
            final int targetX = state.x[target];
            final int targetY = state.y[target];
            if (target != player && state.isLiving(target) && 0 == (state.swingHits[player] & 1 << target) &&
                Math.abs(targetX - middleX) < reach && Math.abs(targetY - middleY) < reach &&
                physics.isInSight(x, y, targetX, targetY))
            {
                state.swingHits[player] |= 1 << target;
                hurt(target, player, ArenaRules.MELEE_DAMAGE);
            }
        }
    }

    private void explode(final int shot, final int met, final int cause)
    {
        final int owner = state.shotOwner[shot];
        final int x = state.shotX[shot];
        final int y = state.shotY[shot];
        state.shotOwner[shot] = ArenaState.NOBODY;
        events.add(ArenaEvents.EXPLOSION, owner, met, x, y, cause);
        for (int target = 0; target < ArenaRules.PLAYER_LIMIT; target++)
        {
            if (target != owner && state.isLiving(target))
            {
                final int damage = target == met ? ArenaRules.EXPLOSION_DAMAGE : damage(target, x, y);
                if (damage > 0)
                {
                    hurt(target, owner, damage);
                }
            }
        }
    }

    /** By the distance to the nearest part of the target. A wall between stops it. */
    private int damage(final int target, final int x, final int y)
    {
        final int besideX = Math.max(0, Math.abs(state.x[target] - x) - ArenaRules.PLAYER_HALF);
        final int besideY = Math.max(0, Math.abs(state.y[target] - y) - ArenaRules.PLAYER_HALF);
        final int radius = ArenaRules.EXPLOSION_RADIUS;
        if (besideX >= radius || besideY >= radius)
        {
            return 0;
        }
        final long left = radius - Fixed.length(besideX, besideY);
        final int damage = left <= 0 ? 0 : (int)(ArenaRules.EXPLOSION_DAMAGE * left / radius);
        return damage > 0 && physics.isInSight(x, y, state.x[target], state.y[target]) ? damage : 0;
    }

    private void hurt(final int target, final int by, final int damage)
    {
        if (state.health[target] > 0)
        {
            final int taken = Math.min(damage, state.health[target]);
            state.health[target] -= taken;
            events.add(ArenaEvents.HIT, target, by, state.x[target], state.y[target], taken);
            if (0 == state.health[target])
            {
                killer[target] = by;
            }
        }
    }
}
