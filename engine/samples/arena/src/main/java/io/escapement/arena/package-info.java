/**
 * The reference game: one lobby, and arenas that it opens. Their rooms are plain room logic: all input arrives as
 * commands, and all state is in the snapshot.
 * <pre>
 *   players --&gt; LobbyRoom --- open, reserve, Guest, ChangeArena, DeleteArena ---&gt; ArenaRoom &lt;-- players
 *                 |    ^                                                       |    |
 *                 |    '------ directory: opened, labels, seats, closed -------'    |
 *                 '----------&gt; CharacterRequests (an asynchronous service) &lt;--------'
 * </pre>
 */
package io.escapement.arena;

