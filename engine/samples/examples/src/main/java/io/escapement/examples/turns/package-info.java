/**
 * Four in a row: a game by turns. A program of steps waits for players, for a move or the end of a player's clock, and
 * for the next game.
 */
package io.escapement.examples.turns;
