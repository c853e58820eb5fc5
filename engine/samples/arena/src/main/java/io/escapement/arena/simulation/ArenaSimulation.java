package io.escapement.arena.simulation;

/**
 * An arena of up to {@link ArenaRules#PLAYER_LIMIT} players: movement, dash, melee, projectiles, health, death,
 * respawn and score. It has no clock and no random source: the same calls in the same order give the same state, bit
 * for bit, on every JVM.
 * <p>
 * Time is counted in sub-steps of 1/{@link ArenaRules#SUB_STEPS_PER_SECOND} s. A frame runs as many as belong to its
 * rate. The rate thus changes only how often the world is seen. Inputs act at the end of the last sub-step.
 * <p>
 * Inputs from a client may be handed over unchecked: each input returns {@link Refusal#NONE} or why it was refused, and
 * each code is counted. Readers of players and projectiles take indices from the program, not from a client. One thread
 * at a time uses an arena. After construction it does not allocate.
 */
public final class ArenaSimulation
{
    private final ArenaMap map;
    private final ArenaState state;
    private final ArenaEvents events = new ArenaEvents();
    private final ArenaPlayers players;
    private final ArenaShots shots;
    private final Physics physics;
    private final Combat combat;
    private final Claims claims;
    private final Spawns spawns;
    private final SavedState saved;

    /** An empty arena. */
    public ArenaSimulation(final ArenaMap map)
    {
        this.map = map;
        state = new ArenaState(map);
        players = new ArenaPlayers(state);
        shots = new ArenaShots(state);
        physics = new Physics(state, map);
        combat = new Combat(state, physics, events);
        claims = new Claims(state, physics, map.playerWalls());
        spawns = new Spawns(state, map);
        saved = new SavedState(state);
    }

    /**
     * Run sub-steps. In each, players move, projectiles fly, hits are dealt out, and then the dead fall.
     *
     * @param subSteps how many: 2 at 60 Hz, 4 at 30, 8 at 15, 15 at 8; at most {@link ArenaRules#STEP_LIMIT}.
     */
    public void step(final int subSteps)
    {
        if (subSteps < 0 || subSteps > ArenaRules.STEP_LIMIT)
        {
            throw new IllegalArgumentException(
                subSteps + " sub-steps, a step has 0 to " + ArenaRules.STEP_LIMIT);
        }
        for (int i = 0; i < subSteps; i++)
        {
            physics.movePlayers();
            combat.swing();
            combat.fly();
            combat.bury();
            state.subStep++;
        }
    }

    /** A player enters, alive, with no score, where {@link #respawn(int)} would put it. */
    public int enter(final int player)
    {
        if (!isIndex(player))
        {
            return refuse(Refusal.BAD_INDEX);
        }
        if (state.isInGame(player))
        {
            return refuse(Refusal.ALREADY_IN_GAME);
        }
        state.clear(player);
        spawn(player);
        return Refusal.NONE;
    }

    /** A player leaves, and its projectiles with it. */
    public int leave(final int player)
    {
        if (!isIndex(player))
        {
            return refuse(Refusal.BAD_INDEX);
        }
        if (!state.isInGame(player))
        {
            return refuse(Refusal.NOT_IN_GAME);
        }
        events.add(ArenaEvents.LEAVE, player, ArenaState.NOBODY, state.x[player], state.y[player], 0);
        state.clear(player);
        for (int shot = 0; shot < ArenaRules.SHOT_LIMIT; shot++)
        {
            if (player == state.shotOwner[shot])
            {
                state.shotOwner[shot] = ArenaState.NOBODY;
            }
        }
        return Refusal.NONE;
    }

    /**
     * A dead player returns with full health, at the free spawn point that is farthest from the nearest living enemy,
     * or at the first of several. The caller has timers and decides when: see {@link ArenaRules#RESPAWN_DELAY}. Not for
     * clients to call.
     *
     * @param player index of the player.
     * @return {@link Refusal#NONE}, BAD_INDEX, NOT_IN_GAME or ALIVE.
     */
    public int respawn(final int player)
    {
        if (!isIndex(player))
        {
            return refuse(Refusal.BAD_INDEX);
        }
        if (!state.isInGame(player))
        {
            return refuse(Refusal.NOT_IN_GAME);
        }
        if (state.isLiving(player))
        {
            return refuse(Refusal.ALIVE);
        }
        spawn(player);
        return Refusal.NONE;
    }

    /** A living player is out of the fight, as after a death, but without a score. */
    public void stop(final int player)
    {
        if (state.isLiving(player))
        {
            state.remove(player);
        }
    }

    /** A player's score is 0 from now on. */
    public void clearScore(final int player)
    {
        state.kills[player] = 0;
        state.deaths[player] = 0;
    }

    /**
     * A client claims where its player was and how it moves since. The claim is checked against the possible movement
     * since its last accepted claim. If accepted, the player is put where it would be now. If corrected, it stays where
     * it is held and takes the velocity, shortened to a run.
     *
     * @param player      index of the player.
     * @param x           where it was.
     * @param y           where it was.
     * @param vx          its velocity since, per sub-step. A dash is not part of it.
     * @param vy          its velocity since, a sub-step.
     * @param ageSubSteps how long ago that was.
     * @return {@link Refusal#NONE}, a correction ({@link Refusal#isCorrection(int)}), or BAD_INDEX, NULL_VALUE,
     *     BAD_AGE, NOT_IN_GAME, DEAD or STALE. With these the state has not changed.
     */
    public int claim(final int player, final int x, final int y, final int vx, final int vy, final int ageSubSteps)
    {
        final int code = check(player, isNull(x) || isNull(y) || isNull(vx) || isNull(vy) || isNull(ageSubSteps));
        if (Refusal.NONE != code)
        {
            return refuse(code);
        }
        if (ageSubSteps < 0 || ageSubSteps > ArenaRules.AGE_LIMIT)
        {
            return refuse(Refusal.BAD_AGE);
        }
        final int outcome = claims.claim(player, x, y, vx, vy, ageSubSteps);
        if (Refusal.isCorrection(outcome))
        {
            events.add(
                ArenaEvents.CORRECTION, player, ArenaState.NOBODY, state.x[player], state.y[player], outcome);
        }
        return refuse(outcome);
    }

    /**
     * Dash: a burst of speed in one direction, which stops a swing. A client makes a claim before it, so that both
     * sides start it at the same place and time. Without a claim accepted since the last step, it starts here and now.
     *
     * @param player index of the player.
     * @param dirX   direction, any length up to {@link ArenaRules#DIRECTION_LIMIT} a component.
     * @param dirY   direction.
     * @return {@link Refusal#NONE}, BAD_INDEX, NULL_VALUE, NOT_IN_GAME, DEAD, BAD_DIRECTION or COOLDOWN.
     */
    public int dash(final int player, final int dirX, final int dirY)
    {
        final int code = checkDirection(player, dirX, dirY);
        if (Refusal.NONE != code)
        {
            return refuse(code);
        }
        final boolean isWithClaim = state.lastClaimAt[player] == state.subStep;
        final long at = isWithClaim ? state.anchorAt[player] : state.subStep;
        if (at - state.dashAt[player] < ArenaRules.DASH_COOLDOWN)
        {
            return refuse(Refusal.COOLDOWN);
        }
        state.face(player, dirX, dirY);
        state.swingAt[player] = ArenaState.NEVER;
        state.dashAt[player] = at;
        state.dashVx[player] = Fixed.scale(dirX, dirX, dirY, ArenaRules.DASH_SPEED);
        state.dashVy[player] = Fixed.scale(dirY, dirX, dirY, ArenaRules.DASH_SPEED);
        if (isWithClaim)
        {
            physics.catchUp(player, state.anchorX[player], state.anchorY[player], at);
        }
        events.add(ArenaEvents.DASH, player, ArenaState.NOBODY, state.x[player], state.y[player], 0);
        return Refusal.NONE;
    }

    /**
     * Swing at the players in front: after the wind-up, a box in this direction hits each player in it once.
     *
     * @param player index of the player.
     * @param dirX   direction, any length up to {@link ArenaRules#DIRECTION_LIMIT} a component.
     * @param dirY   direction.
     * @return {@link Refusal#NONE}, BAD_INDEX, NULL_VALUE, NOT_IN_GAME, DEAD, BAD_DIRECTION or BUSY.
     */
    public int melee(final int player, final int dirX, final int dirY)
    {
        final int code = checkFree(player, dirX, dirY);
        if (Refusal.NONE != code)
        {
            return refuse(code);
        }
        state.face(player, dirX, dirY);
        state.swingAt[player] = state.subStep;
        state.swingHits[player] = 0;
        events.add(ArenaEvents.SWING, player, ArenaState.NOBODY, state.x[player], state.y[player], 0);
        return Refusal.NONE;
    }

    /**
     * Shoot a projectile, which flies straight and explodes.
     *
     * @param player index of the player.
     * @param dirX   direction, any length up to {@link ArenaRules#DIRECTION_LIMIT} a component.
     * @param dirY   direction.
     * @return {@link Refusal#NONE}, BAD_INDEX, NULL_VALUE, NOT_IN_GAME, DEAD, BAD_DIRECTION, BUSY, COOLDOWN or
     *     NO_SHOT_LEFT.
     */
    public int shoot(final int player, final int dirX, final int dirY)
    {
        final int code = checkFree(player, dirX, dirY);
        if (Refusal.NONE != code)
        {
            return refuse(code);
        }
        if (state.subStep - state.shotAt[player] < ArenaRules.SHOT_COOLDOWN)
        {
            return refuse(Refusal.COOLDOWN);
        }
        int shot = 0;
        while (shot < ArenaRules.SHOT_LIMIT && ArenaState.NOBODY != state.shotOwner[shot])
        {
            shot++;
        }
        if (ArenaRules.SHOT_LIMIT == shot)
        {
            return refuse(Refusal.NO_SHOT_LEFT);
        }
        state.face(player, dirX, dirY);
        state.shotAt[player] = state.subStep;
        state.shotOwner[shot] = player;
        state.shotX[shot] = state.x[player];
        state.shotY[shot] = state.y[player];
        state.shotVx[shot] = Fixed.scale(dirX, dirX, dirY, ArenaRules.SHOT_SPEED);
        state.shotVy[shot] = Fixed.scale(dirY, dirX, dirY, ArenaRules.SHOT_SPEED);
        state.shotEndsAt[shot] = state.subStep + ArenaRules.SHOT_TIME;
        events.add(ArenaEvents.SHOT, player, ArenaState.NOBODY, state.x[player], state.y[player], shot);
        return Refusal.NONE;
    }

    /**
     * Events since the caller last cleared the list.
     *
     * @return the events, always the same list.
     */
    public ArenaEvents events()
    {
        return events;
    }

    /** The map that is played on. */
    public ArenaMap map()
    {
        return map;
    }

    /**
     * Time.
     *
     * @return the number of sub-steps run so far.
     */
    public long subStep()
    {
        return state.subStep;
    }

    /** The players, to read. */
    public ArenaPlayers players()
    {
        return players;
    }

    /** The projectiles, to read. */
    public ArenaShots shots()
    {
        return shots;
    }

    /**
     * How often a code was returned since the arena was made.
     *
     * @param code a code of {@link Refusal}, not NONE.
     */
    public long refusals(final int code)
    {
        return state.refusals[code];
    }

    /**
     * Meet every number of the state, to save, hash or restore it. A restore is refused by an exception when the
     * state is of another map or other rules.
     *
     * @param visitor that receives each number and returns its new value.
     */
    public void visit(final StateVisitor visitor)
    {
        state.visit(visitor);
    }

    /** Hash of the state. Arenas that get the same calls have the same hash after each. */
    public long stateHash()
    {
        return saved.hash();
    }

    /**
     * How many longs {@link #save(long[])} writes.
     *
     * @return the number, the same for every state.
     */
    public int savedLength()
    {
        return saved.length();
    }

    /**
     * Write the whole state, bit by bit, and its hash after it.
     *
     * @param to that gets it, at least {@link #savedLength()} long.
     */
    public void save(final long[] to)
    {
        saved.save(to);
    }

    /**
     * Take over a state that was saved, by this arena or by another on the same map. Events are not part of it.
     *
     * @param from that was given to {@link #save(long[])}.
     * @throws IllegalArgumentException if it is damaged, or of another map or other rules. The state has then not
     * changed.
     */
    public void restore(final long[] from)
    {
        saved.restore(from);
    }

    /** Put a player somewhere that is not in a wall, as a spawn does. */
    void place(final int player, final int x, final int y)
    {
        state.place(player, x, y);
        claims.reset(player);
    }

    private void spawn(final int player)
    {
        final int spawn = spawns.choose(player);
        state.life[player] = ArenaState.LIVING;
        state.health[player] = ArenaRules.FULL_HEALTH;
        state.rest(player);
        place(player, map.spawnX(spawn), map.spawnY(spawn));
        events.add(ArenaEvents.SPAWN, player, ArenaState.NOBODY, state.x[player], state.y[player], spawn);
    }

    private int check(final int player, final boolean holdsNull)
    {
        if (!isIndex(player))
        {
            return Refusal.BAD_INDEX;
        }
        if (holdsNull)
        {
            return Refusal.NULL_VALUE;
        }
        if (!state.isInGame(player))
        {
            return Refusal.NOT_IN_GAME;
        }
        return state.isLiving(player) ? Refusal.NONE : Refusal.DEAD;
    }

    private int checkDirection(final int player, final int dirX, final int dirY)
    {
        final int code = check(player, isNull(dirX) || isNull(dirY));
        if (Refusal.NONE != code)
        {
            return code;
        }
        final int limit = ArenaRules.DIRECTION_LIMIT;
        final boolean isDirection = 0 != (dirX | dirY) && Math.abs(dirX) <= limit && Math.abs(dirY) <= limit;
        return isDirection ? Refusal.NONE : Refusal.BAD_DIRECTION;
    }

    private int checkFree(final int player, final int dirX, final int dirY)
    {
        final int code = checkDirection(player, dirX, dirY);
        if (Refusal.NONE != code)
        {
            return code;
        }
        return state.isSwinging(player) || state.isDashing(player, state.subStep) ? Refusal.BUSY : Refusal.NONE;
    }

    private int refuse(final int code)
    {
        state.refusals[code] += Refusal.NONE == code ? 0 : 1;
        return code;
    }

    private static boolean isIndex(final int player)
    {
        return player >= 0 && player < ArenaRules.PLAYER_LIMIT;
    }

    // The null value of an int in a message.
    private static boolean isNull(final int value)
    {
        return Integer.MIN_VALUE == value;
    }
}
