/**
 * The clients' side of the game: what a player's machine shows and sends, and a brain for bots. Nothing here has a
 * thread or a clock: time is that of the arena's states, as they come.
 * <pre>
 *   trunk --&gt; ArenaClient.onMessage --&gt; World, own player, others extrapolated
 *                   |      ^
 *       BotBrain &lt;--'      '-- steer, dash, melee, shoot, say --&gt; ArenaSender --&gt; trunk
 * </pre>
 */
package io.escapement.arena.client;
