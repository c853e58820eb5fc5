package io.escapement.perf.loop;

import java.util.List;

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

    /** How much of the warm-up goes at that rate: the rest is for coming back to the one that is measured. */
    int fastMs()
    {
        return warmUpMs / 4 * 3;
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
