/**
 * Matchmaking: {@link io.escapement.matchmaking.Matchmaker} is a room that players join to find a match.
 *
 * <pre>
 *   Enqueue --> Tickets --> RatedQueue --> MatchSearch --> Matches --> openRoom, reserve each seat --> Matched
 *                  ^        by rating      each frame         |
 *                  +------------------------------------------+
 *                     a seat was refused, or a ticket has gone
 * </pre>
 *
 * <p>All of it is in arrays by seat that are as large as the room, so nothing is allocated once it is open.
 */
package io.escapement.matchmaking;
