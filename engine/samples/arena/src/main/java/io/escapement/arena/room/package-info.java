/**
 * The arena: {@link io.escapement.arena.room.ArenaRoom} steps the simulation, sends its state and saves the players'
 * progress. It accepts only the players that the lobby has announced, so that no client can choose its identity.
 */
package io.escapement.arena.room;
