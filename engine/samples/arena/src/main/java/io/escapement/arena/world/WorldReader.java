package io.escapement.arena.world;

import io.escapement.arena.codecs.DeltaDecoder;
import io.escapement.arena.codecs.FullStateDecoder;
import io.escapement.arena.simulation.ArenaRules;

/** Applies full states and deltas to a world. */
public final class WorldReader
{
    /** Result of applying a message. */
    public enum Result
    {
        /** The world now has the state of the message. */
        APPLIED,
        /** The message is older than the world and was ignored. */
        OLD,
        /** A previous delta or the first full state is missing. The message was ignored. */
        GAP,
        /** The message has an invalid index or time. The world is empty now. */
        DAMAGED
    }

    private final World world;

    /** Reads into this world. */
    public WorldReader(final World world)
    {
        this.world = world;
    }

    /** Reset the world until the next full state. */
    public void forget()
    {
        world.clear();
    }

    /**
     * Take a delta, if it builds on the current world.
     *
     * @param delta to take. Its rules must have been checked.
     * @return what became of it.
     */
    public Result apply(final DeltaDecoder delta)
    {
        final long sequence = delta.sequence();
        final long subStep = delta.subStep();
        if (World.NO_SEQUENCE == world.sequence || sequence > world.sequence + 1)
        {
            return Result.GAP;
        }
        if (sequence <= world.sequence)
        {
            return Result.OLD;
        }
        if (subStep < world.subStep || subStep - world.subStep > Integer.MAX_VALUE)
        {
            return damaged();
        }

        world.extrapolate(subStep);
        world.sequence = sequence;
        for (final DeltaDecoder.MovesDecoder move : delta.moves())
        {
            final int player = move.playerIndex();
            if (player >= ArenaRules.PLAYER_LIMIT)
            {
                return damaged();
            }
            world.x[player] = move.x();
            world.y[player] = move.y();
            world.vx[player] = move.vx();
            world.vy[player] = move.vy();
            world.flags[player] = move.flags();
        }
        return applyChanges(delta) && applyShots(delta) ? Result.APPLIED : damaged();
    }

    /**
     * Take a full state: it replaces the world, unless the full state is older.
     *
     * @param fullState to take. Its rules must have been checked.
     * @return what became of it.
     */
    public Result apply(final FullStateDecoder fullState)
    {
        final long sequence = fullState.sequence();
        final long subStep = fullState.subStep();
        if (sequence < world.sequence)
        {
            return Result.OLD;
        }
        if (sequence < 0 || subStep < 0)
        {
            return damaged();
        }

        world.clear();
        world.sequence = sequence;
        world.subStep = subStep;
        for (final FullStateDecoder.PlayersDecoder held : fullState.players())
        {
            final int player = held.playerIndex();
            if (player >= ArenaRules.PLAYER_LIMIT)
            {
                return damaged();
            }
            world.x[player] = held.x();
            world.y[player] = held.y();
            world.vx[player] = held.vx();
            world.vy[player] = held.vy();
            world.flags[player] = held.flags();
            world.dashEndsAt[player] = held.dashEndsAt();
            world.facingX[player] = held.facingX();
            world.facingY[player] = held.facingY();
            world.dashVx[player] = held.dashVx();
            world.dashVy[player] = held.dashVy();
            world.kills[player] = held.kills();
            world.deaths[player] = held.deaths();
            world.health[player] = held.health();
        }
        for (final FullStateDecoder.ShotsDecoder flying : fullState.shots())
        {
            if (!takeShot(flying.shotIndex(), flying.owner(), flying.x(), flying.y(), flying.vx(), flying.vy()))
            {
                return damaged();
            }
        }
        return Result.APPLIED;
    }

    private boolean applyChanges(final DeltaDecoder delta)
    {
        for (final DeltaDecoder.ChangesDecoder change : delta.changes())
        {
            final int player = change.playerIndex();
            if (player >= ArenaRules.PLAYER_LIMIT)
            {
                return false;
            }
            world.dashEndsAt[player] = change.dashEndsAt();
            world.facingX[player] = change.facingX();
            world.facingY[player] = change.facingY();
            world.dashVx[player] = change.dashVx();
            world.dashVy[player] = change.dashVy();
            world.kills[player] = change.kills();
            world.deaths[player] = change.deaths();
            world.health[player] = change.health();
        }
        return true;
    }

    private boolean applyShots(final DeltaDecoder delta)
    {
        for (final DeltaDecoder.ShotsDecoder flying : delta.shots())
        {
            if (!takeShot(flying.shotIndex(), flying.owner(), flying.x(), flying.y(), flying.vx(), flying.vy()))
            {
                return false;
            }
        }
        return true;
    }

    private boolean takeShot(
        final int shot, final int owner, final int x, final int y, final int vx, final int vy)
    {
        if (shot >= ArenaRules.SHOT_LIMIT || owner < -1 || owner >= ArenaRules.PLAYER_LIMIT)
        {
            return false;
        }
        world.shotOwner[shot] = owner;
        world.shotX[shot] = x;
        world.shotY[shot] = y;
        world.shotVx[shot] = vx;
        world.shotVy[shot] = vy;
        return true;
    }

    private Result damaged()
    {
        world.clear();
        return Result.DAMAGED;
    }
}
