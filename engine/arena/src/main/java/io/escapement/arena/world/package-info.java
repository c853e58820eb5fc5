/**
 * The state of an arena on the wire: full states (pictures) and deltas. The room and each client keep a
 * {@link io.escapement.arena.world.World}; after the same pictures and deltas both have the same hash.
 * <pre>
 *   room:    ArenaSimulation --&gt; WorldWriter --&gt; Picture, Delta
 *   client:  Picture, Delta  --&gt; WorldReader --&gt; World
 * </pre>
 * A delta omits everything that linear extrapolation of the previous state predicts: players and projectiles that keep
 * their velocity. The prediction is one addition, identical on both sides; walls play no part in it.
 */
package io.escapement.arena.world;
