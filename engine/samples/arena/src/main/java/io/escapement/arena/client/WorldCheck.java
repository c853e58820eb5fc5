package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaPlayers;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.world.World;
import java.util.Arrays;

/** Checks each state against the rules. */
final class WorldCheck
{
    private static final long NEVER = -1;
    /** Events and states are sent separately, and an event may be late by this. */
    private static final long PATIENCE = ArenaRules.SUB_STEPS_PER_SECOND;
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;
    private static final long RUN_SQUARED = (long)ArenaRules.RUN_SPEED * ArenaRules.RUN_SPEED;

    private final Violations violations;
    private final World world;
    private final int[] kills = new int[PLAYERS];
    private final int[] deaths = new int[PLAYERS];
    private final int[] killsReported = new int[PLAYERS];
    private final int[] deathsReported = new int[PLAYERS];
    /** From this time on, states are of the current player at the index. */
    /**
     * When a state showed a lower score: another player may have the place, and its event may arrive after the state.
     */
    private final long[] wentBackAt = new long[PLAYERS];
    private final long[] sinceSubStep = new long[PLAYERS];

    WorldCheck(final World world, final Violations violations)
    {
        Arrays.fill(wentBackAt, NEVER);
        this.world = world;
        this.violations = violations;
    }

    /** A player entered: reset its score. States of the previous player may still arrive. */
    void entered(final int player)
    {
        killsReported[player] = 0;
        deathsReported[player] = 0;
        kills[player] = 0;
        deaths[player] = 0;
        sinceSubStep[player] = Long.MAX_VALUE;
        wentBackAt[player] = NEVER;
    }

    void spawned(final int player, final long subStep)
    {
        if (Long.MAX_VALUE == sinceSubStep[player])
        {
            sinceSubStep[player] = subStep;
        }
    }

    /** A full state contains only present players. */
    void fullStateApplied()
    {
        for (int player = 0; player < PLAYERS; player++)
        {
            sinceSubStep[player] = Math.min(sinceSubStep[player], world.subStep());
        }
    }

    void forget()
    {
        Arrays.fill(sinceSubStep, Long.MAX_VALUE);
        clear();
    }

    /**
     * All scores are 0 again. States of the last round may still arrive. For a newcomer it arrives before all states.
     */
    void roundStarted(final long subStep)
    {
        for (int player = 0; player < PLAYERS; player++)
        {
            sinceSubStep[player] = Math.max(sinceSubStep[player], subStep);
        }
        clear();
    }

    void score(final int player, final int newKills, final int newDeaths)
    {
        if (newKills < killsReported[player] || newDeaths < deathsReported[player])
        {
            violations.add("a score went back", player, newKills);
        }
        killsReported[player] = newKills;
        deathsReported[player] = newDeaths;
    }

    void player(final ArenaMap map, final int player)
    {
        final int flags = world.flags(player);
        if (0 == (flags & ArenaPlayers.IN_GAME))
        {
            if (0 != flags)
            {
                violations.add("who is not in the game is something", player, flags);
            }
            return;
        }
        final boolean isLiving = 0 != (flags & ArenaPlayers.LIVING);
        final int health = world.health(player);
        if (health < 0 || health > ArenaRules.FULL_HEALTH || isLiving != health > 0)
        {
            violations.add("health out of range", player, health);
        }
        if (!map.playerWalls().isFree(world.x(player), world.y(player)))
        {
            violations.add("a player in a wall", player, world.subStep());
        }
        final long vx = world.vx(player);
        final long vy = world.vy(player);
        if (vx * vx + vy * vy > RUN_SQUARED)
        {
            violations.add("a player is too fast", player, world.subStep());
        }
        score(player);
    }

    void shots(final ArenaMap map)
    {
        for (int shot = 0; shot < ArenaRules.SHOT_LIMIT; shot++)
        {
            if (world.shotOwner(shot) >= 0 && !map.shotWalls().isFree(world.shotX(shot), world.shotY(shot)))
            {
                violations.add("a projectile in a wall", shot, world.subStep());
            }
        }
    }

    private void clear()
    {
        Arrays.fill(wentBackAt, NEVER);
        Arrays.fill(kills, 0);
        Arrays.fill(deaths, 0);
        Arrays.fill(killsReported, 0);
        Arrays.fill(deathsReported, 0);
    }

    private void score(final int player)
    {
        if (world.subStep() <= sinceSubStep[player])
        {
            return;
        }
        if (NEVER != wentBackAt[player] && world.subStep() - wentBackAt[player] > PATIENCE)
        {
            violations.add("a score went back in the state", player, wentBackAt[player]);
            wentBackAt[player] = NEVER;
        }
        if (world.kills(player) < kills[player] || world.deaths(player) < deaths[player])
        {
            wentBackAt[player] = world.subStep();
        }
        kills[player] = world.kills(player);
        deaths[player] = world.deaths(player);
    }
}
