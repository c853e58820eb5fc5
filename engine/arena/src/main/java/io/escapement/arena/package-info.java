/**
 * The reference game's rooms: one lobby, and arenas that it opens. Both are plain room logic: whatever they know came
 * as a command, and whatever they keep is in their snapshot.
 * <pre>
 *   players --&gt; LobbyRoom --- open, reserve, Guest, ChangeArena, DeleteArena ---&gt; ArenaRoom &lt;-- players
 *                 |    ^                                                       |    |
 *                 |    '------ directory: opened, labels, seats, closed -------'    |
 *                 '----------&gt; CharacterRequests (an asynchronous service) &lt;--------'
 * </pre>
 * A player enters an arena in two steps. The lobby asks the service for the account's characters, tells the arena who
 * is to come as what, and reserves a seat; then the client joins the arena by itself. So an arena believes no client
 * who it is, and the last seat goes to one player only.
 */
package io.escapement.arena;
