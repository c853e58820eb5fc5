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
 * <li>Nothing is retried in a loop and nothing blocks. A message that the engine does not accept stays in the batch of
 * its stream and is offered again in the next duty cycle. When that batch is full the caller gets
 * {@link io.escapement.client.SendStatus#BACK_PRESSURED} and decides whether to hold, merge or drop.</li>
 * <li>Messages to the same room share a Send, because a datagram costs far more than an entry.</li>
 * <li>A listener that forwards room messages as they are receives each once per trunk and turns off delivery to the
 * seats, so a gateway does not pay for players that it does not look at.</li>
 * <li>A message that is malformed, or that the state of the trunk does not allow, is counted and dropped. It cannot
 * move the state machine backwards.</li>
 * <li>A session is used once. The ticket and the seats go to the next one, of the same client if it reconnects
 * or of a new one, so nothing else outlives a session unnoticed.</li>
 * <li>A client of several engines stands by at each, in the same session that may get the trunk later, and moves on
 * the word of a new leader alone. {@code Members} has the table of its states. A client of one engine has none of
 * it.</li>
 * <li>A client that connects again keeps the arguments of its joins and sends those whose seats the engine did not
 * return, because an engine that was started again knows neither trunk nor seats.</li>
 * </ul>
 */
package io.escapement.client;
