/**
 * Shared by the lobby and the arenas: requests to the character service, messages that both send, rate limits,
 * texts, maps, directory labels and counters.
 */
package io.escapement.arena.common;
