package io.escapement.arena.simulation;

/**
 * Why an input was refused or a claim corrected. The codes are sent over the wire: a new code is added at the end.
 * <p>
 * Up to {@link #STALE} the state has not changed. From {@link #TOO_FAST} on, the claim was corrected: the player stays
 * where the simulation holds it and takes the claimed velocity, shortened to a run.
 */
public final class Refusal
{
    /** Not refused. */
    public static final int NONE = 0;
    /** No such place: the arena does not have the index. */
    public static final int BAD_INDEX = 1;
    /** The null value (an int's least value) where a number is needed. */
    public static final int NULL_VALUE = 2;
    /** A direction of no length or with a component beyond the limit. */
    public static final int BAD_DIRECTION = 3;
    /** An age below zero or beyond the limit. */
    public static final int BAD_AGE = 4;
    /** No player is at this index. */
    public static final int NOT_IN_GAME = 5;
    /** Somebody plays at this index already. */
    public static final int ALREADY_IN_GAME = 6;
    /** The player is dead. */
    public static final int DEAD = 7;
    /** A living player can't respawn. */
    public static final int ALIVE = 8;
    /** Too early after the last of its kind. */
    public static final int COOLDOWN = 9;
    /** Not while swinging or dashing. */
    public static final int BUSY = 10;
    /** As many projectiles are in flight as may be. */
    public static final int NO_SHOT_LEFT = 11;
    /** A claim from before the simulation set the player's position. */
    public static final int STALE = 12;

    /** The claimed velocity is above that of a run. */
    public static final int TOO_FAST = 13;
    /** The claimed position is not on the map. */
    public static final int OFF_MAP = 14;
    /** The claimed position is in a wall. */
    public static final int IN_WALL = 15;
    /** The claimed position is farther from the last accepted position than a player gets in the time between. */
    public static final int OUT_OF_REACH = 16;
    /** The claimed position is farther from the held position than a player gets between two samples. */
    public static final int OFF_COURSE = 17;
    /** No short enough way from the held to the claimed position is free of walls. */
    public static final int THROUGH_WALL = 18;

    /** Number of codes. */
    static final int COUNT = 19;

    private static final String[] NAMES = {
        "NONE", "BAD_INDEX", "NULL_VALUE", "BAD_DIRECTION", "BAD_AGE", "NOT_IN_GAME", "ALREADY_IN_GAME", "DEAD",
        "ALIVE", "COOLDOWN", "BUSY", "NO_SHOT_LEFT", "STALE", "TOO_FAST", "OFF_MAP", "IN_WALL", "OUT_OF_REACH",
        "OFF_COURSE", "THROUGH_WALL"};

    private Refusal()
    {
    }

    /**
     * Whether this code means that a claim was corrected.
     *
     * @param code of the refusal.
     * @return true if the server sent the player its position.
     */
    public static boolean isCorrection(final int code)
    {
        return code >= TOO_FAST && code < COUNT;
    }

    /**
     * Name of a code, for people.
     *
     * @param code to name.
     * @return the name, or the number when there is no such code.
     */
    public static String nameOf(final int code)
    {
        return code >= 0 && code < COUNT ? NAMES[code] : "code " + code;
    }
}
