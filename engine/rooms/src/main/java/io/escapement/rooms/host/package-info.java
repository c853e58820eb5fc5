/**
 * The host: it runs many rooms on one thread, one turn after another.
 *
 * <pre>
 *   RoomHost:  beginTurn(now) --&gt; onCommand(bytes) ... --&gt; endTurn()
 *                                      |                      |
 *                                      v                      v
 *                          rooms run and write to the Outputs of the HostContext
 * </pre>
 *
 * <p>Nothing here has a thread, a clock or a socket. A loop, a bench or a replay drives a host from one thread at
 * a time. {@code RoomHost} checks the order of the calls; the parts that do the work are internal.
 */
package io.escapement.rooms.host;
