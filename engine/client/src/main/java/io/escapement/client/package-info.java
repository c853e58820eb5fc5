/**
 * The client's end of a trunk, for gateways, bots and tests.
 *
 * <p>{@link io.escapement.client.TrunkClient} has no thread. Its owner polls it, and every callback of
 * {@link io.escapement.client.TrunkListener} runs inside that call. One control stream carries the handshake, log-ins
 * and keepalives. Each loop has a stream for the entries and messages of its rooms, which is opened when a seat on the
 * loop is first requested.
 *
 * <pre>
 *                             TrunkClient (public face), Backoff, Rejoin, Resends
 *                             Members (of a group of engines: who has the trunk)
 *                             TrunkSession (one connection to an engine, one state)
 *            control stream                                   loop streams
 *   TrunkAdapter     bytes to calls                  EgressAdapter  bytes to callbacks, keeps ClientSeats
 *   Handshake        Hello .. Welcome or Reject      LoopStreams    opens, polls, flushes
 *   Welcome, Keepalive  tokens, engine time          LoopStream     Attach until Attached
 *   TrunkProxy       calls to bytes                  LoopProxy      Join, Leave, Send to bytes
 *                 \______________  StreamBatch: one batch, kept under back pressure ______________/
 *                                  TrunkStream: Aeron, or memory in tests
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li>No method retries in a loop and none blocks. If the engine does not accept a message, it stays in the batch of
 * its stream, and the next duty cycle retries the offer. When that batch is full the caller gets
 * {@link io.escapement.client.SendStatus#BACK_PRESSURED} and decides whether to hold, merge or drop.</li>
 * <li>Messages to the same room share a Send, because a datagram costs far more than an entry.</li>
 * <li>A listener can forward room messages as they are: it receives each once per trunk and turns off delivery to the
 * seats. A gateway does not pay for players that it does not look at.</li>
 * <li>If a message is malformed, or the state of the trunk does not allow it, it is counted and dropped. It cannot move
 * the state machine backwards.</li>
 * <li>A session is used once. Only the ticket and the seats go to the next session. It is of the same client, if it
 * reconnects, or of a new client.</li>
 * <li>A client of several engines is on standby at each, in the session that may get the trunk later. It moves as soon
 * as a new leader reports itself. {@code Members} has the table of its states. A client of one engine does not use
 * it.</li>
 * <li>A client that reconnects keeps the arguments of its joins. It resends the joins of seats that the engine did not
 * return, because a restarted engine knows neither trunk nor seats.</li>
 * </ul>
 */
package io.escapement.client;
