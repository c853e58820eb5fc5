/**
 * The client of the game, and the decisions of bots. No class here has a thread or a clock: time is the time of the
 * arena's states, as they arrive.
 * <pre>
 *   trunk --&gt; ArenaClient.onMessage --&gt; World, own player, others extrapolated
 *                   |      ^
 *       BotBrain &lt;--'      '-- steer, dash, melee, shoot, chat --&gt; ArenaSender --&gt; trunk
 * </pre>
 */
package io.escapement.arena.client;
