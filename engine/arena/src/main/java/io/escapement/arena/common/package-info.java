/**
 * What the lobby and the arenas share: requests to the character service, messages that both send, rate limits,
 * texts, maps, directory labels and counters.
 */
package io.escapement.arena.common;
