/**
 * The lobby: {@link io.escapement.arena.lobby.LobbyRoom} takes the players' requests for characters and arenas.
 *
 * <p>A player enters an arena in two steps. The lobby asks the character service for the account's characters,
 * announces the player to the arena and reserves a seat. Then the client joins the arena. So an arena never needs to
 * trust a client's claim of identity, and two players never get the last seat.
 */
package io.escapement.arena.lobby;
