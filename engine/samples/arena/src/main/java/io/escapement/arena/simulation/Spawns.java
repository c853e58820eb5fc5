package io.escapement.arena.simulation;

/** Chooses where a player spawns. */
final class Spawns
{
    private final ArenaState state;
    private final ArenaMap map;

    Spawns(final ArenaState state, final ArenaMap map)
    {
        this.state = state;
        this.map = map;
    }

    /**
     * The free spawn point with the farthest nearest living enemy, the first of several. A point is always free: a map
     * has at least as many as there are players, and a player blocks at most one.
     */
    int choose(final int player)
    {
        int best = -1;
        long bestSquare = -1;
        for (int spawn = 0; spawn < map.spawnCount(); spawn++)
        {
            final long square = enemySquare(player, map.spawnX(spawn), map.spawnY(spawn));
            if (square > bestSquare)
            {
                best = spawn;
                bestSquare = square;
            }
        }
        return best;
    }

    /** Square of the distance to the nearest living enemy, or -1 if an enemy is in the way. */
    private long enemySquare(final int player, final int x, final int y)
    {
        long least = Long.MAX_VALUE;
        for (int enemy = 0; enemy < ArenaRules.PLAYER_LIMIT; enemy++)
        {
            if (enemy != player && state.isLiving(enemy))
            {
                final long dx = Math.abs(state.x[enemy] - x);
                final long dy = Math.abs(state.y[enemy] - y);
                if (dx < 2 * ArenaRules.PLAYER_HALF && dy < 2 * ArenaRules.PLAYER_HALF)
                {
                    return -1;
                }
                least = Math.min(least, dx * dx + dy * dy);
            }
        }
        return least;
    }
}
