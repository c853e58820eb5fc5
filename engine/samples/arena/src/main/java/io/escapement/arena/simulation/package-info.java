/**
 * The arena only as a game: maps, movement, combat, and the checks of what clients claim. Server and clients run the
 * same code on the same map. There are no engine types, no clock and no random source here. All arithmetic is in whole
 * numbers ({@link io.escapement.arena.simulation.Fixed}). After construction the classes do not allocate.
 * <p>
 * The arena is seen from above. So a player's velocity is its own input and not gravity's, a path between two inputs is
 * straight, and dead reckoning predicts it exactly. A map can be read, and drawn in a terminal, as it is.
 * <pre>
 *   inputs  --&gt; Claims ----\                     a sub-step, 1/120 s:
 *           --&gt; dash, ...   &gt;--&gt; ArenaState       1. Physics: players move among Walls, by SweptBox
 *   step(n) ----------------/      |   ^          2. Combat: swings hit; projectiles fly, meet, explode
 *                                  |   |          3. Combat: who has no health left dies
 *                 readers, hash &lt;--/   \--&gt; ArenaEvents, read and cleared by the caller
 * </pre>
 * Physics moves things, Combat resolves hits. Players do not stop each other. Walls stop everything, including blows
 * and blasts. Hits of one sub-step are simultaneous: two players may kill each other.
 */
package io.escapement.arena.simulation;
