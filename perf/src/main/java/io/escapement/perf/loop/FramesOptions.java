package io.escapement.perf.loop;

import java.util.List;

/**
 * What a run of frames does.
 *
 * @param what      {@code escapement} or {@code gameLoopThread}.
 * @param rooms     with frames.
 * @param hz        frames a second.
 * @param workNs    that each room keeps the thread busy in each frame.
 * @param idle      of the loop: busy, yield, backoff or park. A game loop thread sleeps.
 * @param warmUpMs  before anything counts.
 * @param measureMs that counts.
 */
public record FramesOptions(String what, int rooms, int hz, long workNs, String idle, int warmUpMs, int measureMs)
{
    /** Rooms on a loop. */
    public static final String ESCAPEMENT = "escapement";
    /** Actions on a game loop thread. */
    public static final String GAME_LOOP_THREAD = "gameLoopThread";

    List<String> toArguments()
    {
        return List.of(what, Integer.toString(rooms), Integer.toString(hz), Long.toString(workNs), idle,
            Integer.toString(warmUpMs), Integer.toString(measureMs));
    }

    static FramesOptions of(final String[] arguments)
    {
        return new FramesOptions(arguments[0], Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]),
            Long.parseLong(arguments[3]), arguments[4], Integer.parseInt(arguments[5]),
            Integer.parseInt(arguments[6]));
    }
}
