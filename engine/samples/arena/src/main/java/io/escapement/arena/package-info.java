/**
 * The reference game: one lobby, and arenas that it opens. Their rooms are plain room logic: all input arrives as
 * commands, and all state is in the snapshot.
 * <pre>
 *   players --&gt; LobbyRoom --- open, reserve, Guest, ChangeArena, DeleteArena ---&gt; ArenaRoom &lt;-- players
 *                 |    ^                                                       |    |
 *                 |    '------ directory: opened, labels, seats, closed -------'    |
 *                 '----------&gt; CharacterRequests (an asynchronous service) &lt;--------'
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li>A build that changes a room raises {@code ArenaRoom.VERSION} or {@code LobbyRoom.VERSION}. A new version of ICU
 * raises the lobby's, because the lobby recognises similar names by ICU's tables.
 * <li>Clients also compute {@code ArenaRules}. A change of the rules needs a new version of the client, and an arena
 * refuses a snapshot with other rules.
 * </ul>
 */
package io.escapement.arena;

