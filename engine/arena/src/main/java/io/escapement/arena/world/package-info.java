/**
 * An arena as it goes over the wire: what the room has told of its simulation, and what a client has heard of it. Both
 * sides keep a {@link io.escapement.arena.world.World}; after the same pictures and deltas the two have the same hash.
 * <pre>
 *   room:    ArenaSimulation --&gt; WorldWriter --&gt; Picture, Delta
 *   client:  Picture, Delta  --&gt; WorldReader --&gt; World
 * </pre>
 * A delta leaves out what the state before foretells: a player or a projectile that goes on straight on. Foretelling is
 * an addition, the same on both sides; nobody sweeps a box for it.
 */
package io.escapement.arena.world;
