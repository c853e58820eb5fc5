/** A chat: rooms that players open, names, the last lines for who joins, and a limit of the rate. */
package io.escapement.examples.chat;
