/**
 * Simulates engines, players and the network between them from seeds, for tests of rooms. See {@link
 * io.escapement.simulator.Simulator}.
 *
 * <p>The engine's own test, {@code SimulatorTest}, plays three games:
 * <ul>
 * <li>The chaos game has lying players, and rooms that throw, overflow, block and return nonsense.</li>
 * <li>The ledger game compares the ledgers of rooms with the histories of players, in each mode. {@code LedgerTest}
 * plants faults in the sources of the product, and requires that a seed finds each of them.</li>
 * <li>The gateway game has the rooms of the ledger game, one or two gateways, and browsers. The sessions, the
 * connections and the trunk of a gateway are the product's. Its sockets are in memory, because Netty, TLS and HTTP
 * have their own tests. Browsers lose connections, read slowly, answer no pings, leave, and resume their sessions in
 * time or late.</li>
 * </ul>
 *
 * <p>A schedule of the gateway game also fails in these cases:
 * <ul>
 * <li>Events of a seat have a gap, a repetition or another order while its connection and the trunk last.</li>
 * <li>A browser gets no answer to a Join, a Leave or a Message, although neither a connection nor the trunk was lost
 * with the answer. If a connection is lost with a Left or a SeatAway, the gateway does not repeat that message to the
 * resumed session. The game knows the messages on a lost connection.</li>
 * <li>A resumed session gets neither Joined nor Left for a seat of the browser.</li>
 * <li>A seat lacks the last state of its room.</li>
 * <li>A gateway without players has a connection, a session or a seat.</li>
 * </ul>
 */
package io.escapement.simulator;
