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
 * <p>Decisions:
 * <ul>
 * <li>All data is in arrays by seat, as large as the room. An open matchmaker does not allocate.</li>
 * <li>A search starts at a ticket, which is the lowest rating of a possible match, and looks at the 63 tickets above
 * it. Among them it finds a match if they contain a match, even if parties of several sizes must add up. A test
 * compares it with all sets of tickets.</li>
 * <li>A frame looks at 20,000 tickets at most, and at 4,160 more in its last search. The rest waits for the next
 * frame. The same limit holds for open rooms, with 4,096 more in the last search.</li>
 * <li>Tickets that lose a match keep their start of waiting. After a refused seat the host may be full, and no
 * match starts for 1 s.</li>
 * </ul>
 */
package io.escapement.matchmaking;
