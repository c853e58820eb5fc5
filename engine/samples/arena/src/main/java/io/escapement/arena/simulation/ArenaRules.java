package io.escapement.arena.simulation;

/**
 * The numbers of the game. Lengths are fixed-point ({@link Fixed#UNIT}), speeds are lengths per sub-step, times are
 * sub-steps. Both sides of the wire are built with the same numbers. {@link ArenaSimulation#restore} refuses others.
 */
public final class ArenaRules
{
    /** Sub-steps per second, at every frame rate: 2 per frame at 60 Hz, 4 at 30, 8 at 15, 15 at 8. */
    public static final int SUB_STEPS_PER_SECOND = 120;
    /** Most sub-steps that one step runs: one second. A later room should skip. */
    public static final int STEP_LIMIT = SUB_STEPS_PER_SECOND;
    /** Most players of an arena. One bit for each must fit an int. */
    public static final int PLAYER_LIMIT = 16;

    /** Half the side of a player's box. */
    public static final int PLAYER_HALF = Fixed.UNIT * 2 / 5;
    /** Speed of a run: 8 units per second. */
    public static final int RUN_SPEED = 8 * Fixed.UNIT / SUB_STEPS_PER_SECOND;
    /** Health of a player that just spawned. */
    public static final int FULL_HEALTH = 100;
    /** How long a player stays dead. The simulation does not count it: the room's timer calls respawn. */
    public static final int RESPAWN_DELAY = 3 * SUB_STEPS_PER_SECOND;

    /** Speed of a dash: 24 units per second. */
    public static final int DASH_SPEED = 24 * Fixed.UNIT / SUB_STEPS_PER_SECOND;
    /** How long a dash lasts. */
    public static final int DASH_TIME = 24;
    /**
     * From the start of a dash to the earliest start of the next, by the ages of the claims that go with them. A client
     * that is not sure of its ages waits for {@link #ROUND_TRIP} more.
     */
    public static final int DASH_COOLDOWN = 120;

    /** From the call to the first sub-step in which a swing can hit. */
    public static final int MELEE_WIND_UP = 18;
    /** Sub-steps in which a swing can hit, each target once. */
    public static final int MELEE_ACTIVE = 6;
    /** From the last sub-step in which a swing can hit to the end of it. */
    public static final int MELEE_RECOVERY = 30;
    /** From the player's middle to the middle of the box that a swing hits. */
    public static final int MELEE_REACH = Fixed.UNIT;
    /** Half the side of the box that a swing hits. */
    public static final int MELEE_HALF = Fixed.UNIT * 7 / 10;
    /** Health that a swing takes from each player hit. */
    public static final int MELEE_DAMAGE = 34;

    /** Most projectiles in flight. The next is refused. */
    public static final int SHOT_LIMIT = 64;
    /** Half the side of a projectile's box. */
    public static final int SHOT_HALF = Fixed.UNIT / 10;
    /** Speed of a projectile: 40 units per second. */
    public static final int SHOT_SPEED = 40 * Fixed.UNIT / SUB_STEPS_PER_SECOND;
    /** How long a projectile flies before it explodes by itself. */
    public static final int SHOT_TIME = 300;
    /** From one shot of a player to the next. */
    public static final int SHOT_COOLDOWN = 60;
    /** Distance from which an explosion has no effect. */
    public static final int EXPLOSION_RADIUS = 3 * Fixed.UNIT;
    /** Health that an explosion takes from a player it touches. Falls linearly to 0 at the radius. */
    public static final int EXPLOSION_DAMAGE = 50;

    /** Components of a direction are at most this, either way. */
    public static final int DIRECTION_LIMIT = Fixed.UNIT;
    /** Age of the oldest claim that is accepted. */
    public static final int AGE_LIMIT = 60;
    /**
     * Most sub-steps until a client reports a change of its input: 8 samples per second. A client that is not sure of
     * its ages makes claims at this rate even without a change, lest it is held on the other side of a corner.
     */
    public static final int SAMPLING_LIMIT = 15;
    /** How wrong the ages of a client's claims may be against each other: a round trip of 100 ms. */
    public static final int ROUND_TRIP = 12;

    private ArenaRules()
    {
    }
}
