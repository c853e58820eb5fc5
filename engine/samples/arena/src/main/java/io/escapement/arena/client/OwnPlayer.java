package io.escapement.arena.client;

import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Extrapolation;
import io.escapement.arena.simulation.Fixed;

/**
 * The client's own player: where its inputs have taken it, by the same rules as at the server. Its time is the last
 * state's. A position that the server set is valid from the sub-step that the server names.
 */
final class OwnPlayer
{
    /** Stands for "never"; no sum with it overflows. */
    private static final long NEVER = Long.MIN_VALUE / 4;

    private final ArenaSender sender;
    private final int sampling;
    private Extrapolation body;
    private boolean isPlaced;
    private long time;
    private long from;
    private long claimedAt;
    private boolean hasChanged;
    private int vx;
    private int vy;
    private int targetVx;
    private int targetVy;
    private int dashVx;
    private int dashVy;
    private long dashAt;
    private long swingAt;
    private long shotAt;

    OwnPlayer(final ArenaSender sender, final int sampling)
    {
        this.sender = sender;
        this.sampling = sampling;
        clear(null);
    }

    void clear(final ArenaMap map)
    {
        body = null == map ? null : new Extrapolation(map);
        isPlaced = false;
        time = 0;
        from = 0;
        claimedAt = NEVER;
        hasChanged = false;
        dashAt = NEVER;
        swingAt = NEVER;
        shotAt = NEVER;
        stop();
    }

    /** The server put it here: at a spawn, or after a wrong claim. */
    void place(final int x, final int y, final int newVx, final int newVy, final long subStep)
    {
        vx = newVx;
        vy = newVy;
        body.set(x, y, vx, vy);
        isPlaced = true;
        hasChanged = false;
        from = subStep;
        final long dashed = subStep - dashAt;
        if (dashed >= 0 && dashed < ArenaRules.DASH_TIME)
        {
            body.dash(dashVx, dashVy, (int)(ArenaRules.DASH_TIME - dashed));
        }
        advanceTo(from, time);
    }

    void die()
    {
        isPlaced = false;
        stop();
    }

    /** The current state has the player dead. Its DEATH event has not arrived yet. */
    void onStateDead()
    {
        if (isPlaced && time > from)
        {
            die();
        }
    }

    /** A state of this time has been applied. */
    void time(final long subStep)
    {
        if (isPlaced)
        {
            advanceTo(Math.max(time, from), subStep);
        }
        time = subStep;
        act();
    }

    void steer(final int newVx, final int newVy)
    {
        targetVx = newVx;
        targetVy = newVy;
        act();
    }

    boolean canAct()
    {
        return isPlaced && time >= from;
    }

    boolean dash(final int dirX, final int dirY)
    {
        if (!canAct() || time - dashAt < ArenaRules.DASH_COOLDOWN || time - claimedAt < sampling)
        {
            return false;
        }
        // Server and client start the dash at the place and time of this claim.
        sendClaim();
        sender.dash(dirX, dirY);
        dashAt = time;
        dashVx = Fixed.scale(dirX, dirX, dirY, ArenaRules.DASH_SPEED);
        dashVy = Fixed.scale(dirY, dirX, dirY, ArenaRules.DASH_SPEED);
        swingAt = NEVER;
        body.dash(dashVx, dashVy, ArenaRules.DASH_TIME);
        return true;
    }

    boolean melee(final int dirX, final int dirY)
    {
        if (!isFree())
        {
            return false;
        }
        swingAt = time;
        sender.melee(dirX, dirY);
        return true;
    }

    boolean shoot(final int dirX, final int dirY)
    {
        if (!isFree() || time - shotAt < ArenaRules.SHOT_COOLDOWN + ArenaRules.ROUND_TRIP)
        {
            return false;
        }
        shotAt = time;
        sender.shoot(dirX, dirY);
        return true;
    }

    boolean isPlaced()
    {
        return isPlaced;
    }

    boolean isAllTold()
    {
        return !hasChanged && vx == targetVx && vy == targetVy;
    }

    int x()
    {
        return body.x();
    }

    int y()
    {
        return body.y();
    }

    long error(final int heldX, final int heldY)
    {
        return body.error(heldX, heldY);
    }

    private void stop()
    {
        vx = 0;
        vy = 0;
        targetVx = 0;
        targetVy = 0;
    }

    /**
     * Swings and shots start when they arrive at the server, later than here by the network delay. So that delay is
     * added between them.
     */
    private boolean isFree()
    {
        final int swing = ArenaRules.MELEE_WIND_UP + ArenaRules.MELEE_ACTIVE + ArenaRules.MELEE_RECOVERY;
        return canAct() && time - swingAt >= swing + ArenaRules.ROUND_TRIP && time - dashAt >= ArenaRules.DASH_TIME;
    }

    private void act()
    {
        if (!canAct())
        {
            return;
        }
        if (vx != targetVx || vy != targetVy)
        {
            vx = targetVx;
            vy = targetVy;
            body.turn(vx, vy);
            hasChanged = true;
        }
        if (hasChanged && time - claimedAt >= sampling)
        {
            sendClaim();
        }
    }

    private void sendClaim()
    {
        sender.claim(time, body.x(), body.y(), vx, vy);
        claimedAt = time;
        hasChanged = false;
    }

    private void advanceTo(final long since, final long until)
    {
        if (until > since)
        {
            body.advance((int)Math.min(until - since, Integer.MAX_VALUE));
        }
    }
}
