package io.escapement.arena.simulation;

import java.util.SplittableRandom;

/** Players that fight by the dice of a seed: same seed, same map, same calls. It allocates nothing while it runs. */
final class Fight
{
    ArenaSimulation simulation;
    private final SplittableRandom random;
    private final long[] respawnAt = new long[ArenaRules.PLAYER_LIMIT];
    private final long[] countByType = new long[16];
    private long codes;

    Fight(final ArenaMap map, final long seed)
    {
        simulation = new ArenaSimulation(map);
        random = new SplittableRandom(seed);
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            simulation.enter(player);
        }
    }

    /** Some inputs of each player, then a step. */
    void turn(final int subSteps)
    {
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            act(player);
        }
        run(subSteps);
    }

    /** A step without inputs, and its events. */
    void run(final int subSteps)
    {
        simulation.step(subSteps);
        final ArenaEvents events = simulation.events();
        for (int i = 0; i < events.count(); i++)
        {
            countByType[events.type(i)]++;
            if (ArenaEvents.DEATH == events.type(i))
            {
                respawnAt[events.player(i)] = simulation.subStep() + ArenaRules.RESPAWN_DELAY;
            }
        }
        events.clear();
    }

    long count(final int eventType)
    {
        return countByType[eventType];
    }

    /** Every code that an input returned. */
    long codes()
    {
        return codes;
    }

    private void act(final int player)
    {
        final ArenaPlayers players = simulation.players();
        final boolean isLiving = 0 != (players.flags(player) & ArenaPlayers.LIVING);
        if (!isLiving && simulation.subStep() >= respawnAt[player])
        {
            note(simulation.respawn(player));
        }
        final int target = random.nextInt(ArenaRules.PLAYER_LIMIT);
        final int dirX = limit(players.x(target) - players.x(player));
        final int dirY = limit(players.y(target) - players.y(player));
        switch (random.nextInt(24))
        {
            case 0, 1 -> claim(player, dirX, dirY);
            case 2 -> claim(player, random.nextInt(9) - 4, random.nextInt(9) - 4);
            case 3 ->
            {
                claim(player, dirX, dirY);
                note(simulation.dash(player, dirX, dirY));
            }
            case 4 -> note(simulation.melee(player, dirX, dirY));
            case 5 -> note(simulation.shoot(player, dirX, dirY));
            case 6 -> note(simulation.shoot(player, random.nextInt(9) - 4, random.nextInt(9) - 4));
            case 7 -> cheat(player);
            default ->
            {
                // Most do nothing in most turns.
            }
        }
    }

    /** Runs towards there. */
    private void claim(final int player, final int dirX, final int dirY)
    {
        final ArenaPlayers players = simulation.players();
        final boolean isRest = 0 == (dirX | dirY);
        final int vx = isRest ? 0 : Fixed.scale(dirX, dirX, dirY, ArenaRules.RUN_SPEED);
        final int vy = isRest ? 0 : Fixed.scale(dirY, dirX, dirY, ArenaRules.RUN_SPEED);
        note(simulation.claim(player, players.x(player), players.y(player), vx, vy, random.nextInt(8)));
    }

    private void cheat(final int player)
    {
        final ArenaPlayers players = simulation.players();
        final int reach = Fixed.UNIT << random.nextInt(5);
        note(simulation.claim(player,
            players.x(player) + random.nextInt(2 * reach) - reach,
            players.y(player) + random.nextInt(2 * reach) - reach,
            random.nextInt(8_000) - 4_000, random.nextInt(8_000) - 4_000, random.nextInt(80) - 10));
    }

    private void note(final int code)
    {
        codes = SimulationHash.mix(codes, code);
    }

    private static int limit(final int component)
    {
        return Math.max(-ArenaRules.DIRECTION_LIMIT, Math.min(ArenaRules.DIRECTION_LIMIT, component));
    }
}
