package io.escapement.perf.loop;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a run of frames does.
 *
 * @param what      {@code escapement} or {@code gameLoopThread}.
 * @param rooms     with frames.
 * @param phases    phase groups of the loop. On a game loop thread all rooms run together.
 * @param hz        frames a second.
 * @param workNs    that each room keeps the thread busy in each frame.
 * @param idle      of the loop: busy, yield, backoff or park. A game loop thread sleeps.
 * @param warmUpMs  before anything counts.
 * @param measureMs that counts.
 */
public record FramesOptions(
    String what, int rooms, int phases, int hz, long workNs, String idle, int warmUpMs, int measureMs)
{
    /** Rooms on a loop. */
    public static final String ESCAPEMENT = "escapement";
    /** Actions on a game loop thread. */
    public static final String GAME_LOOP_THREAD = "gameLoopThread";

    /**
     * The rate of most of the warm-up. What runs once a frame would run sixty times a second otherwise, and be measured
     * before it is compiled.
     */
    static final int FAST_HZ = 1_000;

    /**
     * How often the warm-up goes to that rate and back. Code that was compiled at one rate is thrown away when it takes
     * a branch at the other that it never took, and is compiled for both the next time round.
     */
    static final int WARM_UP_ROUNDS = 4;

    /** How much of a round goes at that rate: the rest is for coming back to the one that is measured. */
    long fastNs()
    {
        return roundNs() / 4 * 3;
    }

    /** How much of a round goes at the rate that is measured. */
    long paceNs()
    {
        return roundNs() - fastNs();
    }

    private long roundNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(warmUpMs) / WARM_UP_ROUNDS;
    }

    List<String> toArguments()
    {
        return List.of(what, Integer.toString(rooms), Integer.toString(phases), Integer.toString(hz),
            Long.toString(workNs), idle, Integer.toString(warmUpMs), Integer.toString(measureMs));
    }

    static FramesOptions of(final String[] arguments)
    {
        return new FramesOptions(arguments[0], Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]), Long.parseLong(arguments[4]), arguments[5],
            Integer.parseInt(arguments[6]), Integer.parseInt(arguments[7]));
    }
}
