/**
 * Programs that wait, for tasks of a room that take more than one callback: a countdown, a round and its end, a request
 * and its reply. {@link io.escapement.rooms.steps.Steps} describes a program,
 * {@link io.escapement.rooms.steps.RunningSteps} runs the programs of a room.
 *
 * <pre>{@code
 *   private static final Steps<Arena> MATCH = Steps.<Arena>named("match", 1)
 *       .repeat(3, (s) -> s.run(Arena::countDown).after(1_000_000_000L))
 *       .any(
 *           (s) -> s.untilMessage(ReadyDecoder.TEMPLATE_ID, Arena::isAllReady),
 *           (s) -> s.after(30_000_000_000L).run(Arena::removeTheIdle))
 *       .run(Arena::begin)
 *       .everyFrameWhile(Arena::step)
 *       .build();
 *
 *   steps = new RunningSteps<>(room, this, 1, TIMER_STEPS, List.of(MATCH));     // in onOpen and onRestore
 *   steps.start(MATCH, 0);                                                      // in onOpen
 * }</pre>
 *
 * <p>and one line in each callback that a program waits for: {@code steps.onFrame()}, {@code steps.onTimer(...)},
 * {@code steps.onMessage(...)}, {@code steps.onSignal(...)}, {@code steps.onReply(...)}, {@code steps.onChange()}, with
 * {@code steps.write(...)} in onSnapshot and {@code steps.read(...)} in onRestore.
 *
 * <p>The code of a program is the same in all rooms. A program that runs is a few numbers: its counters, and for each
 * of its waits the position and the timer, frame or request that it waits for. So it is part of the snapshot and the
 * state hash of its room, as the stack of a coroutine could not be.
 */
package io.escapement.rooms.steps;
