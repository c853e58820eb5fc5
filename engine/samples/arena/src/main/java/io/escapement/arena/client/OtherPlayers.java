package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Extrapolation;
import io.escapement.arena.world.World;

/**
 * The others whom a client shows, those behind its own index: each goes on from state to state as it was last seen, and
 * how far off that was is measured when the next state comes.
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

    /** On a map where nobody has been seen yet. */
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

    /** The index of one of them, the first is 1. */
    int at(final int own, final int number)
    {
        return (own + number) % PLAYERS;
    }

    /** A state came that is so much later: were they where they were shown by then? */
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

    /** From now on they go on from where the state has them. */
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
