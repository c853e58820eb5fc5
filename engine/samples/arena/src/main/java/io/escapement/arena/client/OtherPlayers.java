package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Extrapolation;
import io.escapement.arena.world.World;

/**
 * The other players that a client shows, at the indices after its own. Between states, each keeps moving as it was last
 * seen. When the next state arrives, the error is measured.
 */
final class OtherPlayers
{
    private static final int PLAYERS = ArenaRules.PLAYER_LIMIT;

    private final World world;
    private final ClientCommons commons;
    private final int watched;
    private final Extrapolation[] bodies = new Extrapolation[PLAYERS];
    private final boolean[] isShown = new boolean[PLAYERS];

    OtherPlayers(final World world, final ClientCommons commons, final int watched)
    {
        this.world = world;
        this.commons = commons;
        this.watched = watched;
    }

    /** On a map before any player has been seen. */
    void clear(final ArenaMap map)
    {
        for (int i = 0; i < PLAYERS; i++)
        {
            bodies[i] = new Extrapolation(map);
            isShown[i] = false;
        }
    }

    /** The player is somebody else from now on, or somewhere else. */
    void hide(final int player)
    {
        isShown[player] = false;
    }

    int watched()
    {
        return watched;
    }

    /** The index of a shown player. The first is 1. */
    int at(final int own, final int number)
    {
        return (own + number) % PLAYERS;
    }

    /** A state arrived, later by this time: were the players where they were shown? */
    void measure(final int own, final int subSteps)
    {
        for (int i = 1; i <= watched; i++)
        {
            final int other = at(own, i);
            if (isShown[other] && world.isLiving(other))
            {
                bodies[other].advance(subSteps);
                commons.othersError(bodies[other].error(world.x(other), world.y(other)));
            }
        }
    }

    /** From now on they continue from their positions in the state. */
    void show(final int own)
    {
        for (int i = 1; i <= watched; i++)
        {
            final int other = at(own, i);
            isShown[other] = world.isLiving(other);
            if (isShown[other])
            {
                bodies[other].set(world.x(other), world.y(other), world.vx(other), world.vy(other));
                if (world.dashLeft(other) > 0)
                {
                    bodies[other].dash(world.dashVx(other), world.dashVy(other), world.dashLeft(other));
                }
            }
        }
    }
}
