/**
 * Turns that are proposed, committed and then run: the two halves of a durable turn, without threads and files.
 *
 * <pre>
 *   ProposalWriter (the leader)                        ProposalRunner (every node, a recovery, a replay)
 *     returns, commands --&gt; Proposal --&gt; a log, until    --&gt; beginTurn(nowNs), onCommand ..., endTurn()
 *                                       it is committed          in place, from the bytes of the proposal
 * </pre>
 *
 * <p>A proposal is a message of {@code room.xml} and its commands, laid out as behind a Turn:
 * <pre>
 *   Proposal   { length:4 | command | zeros to 8 } ...     the returns first; a command begins at a multiple of 8
 *   Failed                                                 a record apart: a room of that proposal failed
 * </pre>
 *
 * <h2>Decisions</h2>
 * <ul>
 * <li><b>A proposal carries the returns</b>, which the loop state of each node has too. A room that is cut out of the
 * log then replays alone, and a node whose rooms have sent something else notices it at the first byte.</li>
 * <li><b>A proposal names the hash of an earlier turn</b>, the last that its leader had run. So nodes are compared
 * without messages between them, a few turns late.</li>
 * <li><b>A difference stops the node.</b> Wrong bytes to players are worse than one node less.</li>
 * </ul>
 */
package io.escapement.rooms.proposal;
