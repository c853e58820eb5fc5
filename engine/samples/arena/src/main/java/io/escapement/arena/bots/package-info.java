/** The bots of the game, which the server's program runs: {@code escapement bots}, {@code demo} and {@code watch}. */
package io.escapement.arena.bots;
