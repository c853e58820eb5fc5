/**
 * The gateway: carries players' clients, such as browsers, on trunks to an engine. Start with
 * {@link io.escapement.gateway.GatewayContext} and {@link io.escapement.gateway.Gateway}. The page
 * {@code codecs/protocol/player.md} specifies the messages between players and a gateway.
 *
 * <pre>
 *   players' sockets                        one thread                                  engine
 *
 *   Listener --&gt; WebHandler --&gt; WebSocketLink --&gt; PlayerConnection --&gt; Sessions --&gt; Upstream --&gt;
 *                 pages, health    frames           checks, rates        Places
 *                                  &lt;-- PlayerLink &lt;-- PlayerProxy &lt;--------------- Listener &lt;--
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li><b>A worker is one thread</b> that polls its sockets and its trunk in turn, as the engine's threads do. Workers
 * share the limits of addresses, and hand each other connections and log-ins through the tasks of their event loops.
 * Idle, a worker waits in the kernel for a socket.</li>
 * <li><b>A connection without a Hello is known by its network only.</b> A new connection displaces the oldest of the
 * fullest network. A flood thus displaces itself. The token of a session, shown with the upgrade, gives another
 * place. The choice takes about 10 us while 1,024 places are taken.</li>
 * <li><b>Workers share one port</b> (SO_REUSEPORT), and the kernel gives a socket to any of them. A resume token
 * therefore names its worker. If Hello reaches another worker, the connection moves to the right event loop before any
 * of its messages is handled. All workers know the tokens of all sessions, for upgrades. A log-in at one worker closes
 * the player's session at the others.</li>
 * <li><b>Passwords and quick log-ins have separate queues.</b> Each kind takes at most 48 of the 60 places at the
 * trunk. Neither therefore waits for the other.</li>
 * <li><b>Netty's codecs read the bytes of strangers.</b> On the way out a room's message is encoded once as a WebSocket
 * frame, which all its receivers share, and a connection is flushed once per turn: the cost of a broadcast is its
 * system calls.</li>
 * <li><b>Sessions know neither sockets nor Aeron</b>: they use {@code PlayerLink} and {@code Upstream}. A test steps
 * them with fakes, and another transport needs no other sessions.</li>
 * <li><b>The trunk's back pressure stops reading</b> of the connections that send. No incoming message is dropped.
 * Outgoing states are dropped if a queue is long, and the room then sends a full state. Events are not dropped. A long
 * queue of events closes its connection.</li>
 * <li><b>A resumed session gets its seats back by rejoining</b>, even if its old connection was still open: a room then
 * sends a full state, whatever was lost between.</li>
 * <li><b>TLS is the JDK's, or BoringSSL if its jar is present.</b> The JDK makes the state of AES-GCM twice per record
 * ({@code Cipher.getOutputSize}, {@code Cipher.doFinal}), and a nonce and views of its buffers. A connection gets one
 * record per turn for all its messages. No option of the JDK or of Netty avoids this garbage, but BoringSSL does.</li>
 * </ul>
 */
package io.escapement.gateway;
