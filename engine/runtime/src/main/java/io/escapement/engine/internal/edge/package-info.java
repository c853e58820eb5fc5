/**
 * The edge: connects clients, authenticates them, attaches their trunks to loops, and admits their batches to the
 * loops' rings. One thread owns all of it. The Aeron client's conductor is invoked in that thread. Images, publications
 * and trunks therefore change only there. {@code EdgeTransport} is between this package and Aeron, so that tests can
 * step the edge in memory.
 *
 * <p>A {@code Trunk} is the engine's object of one client. A stream is an image of the client with its response
 * publication. A link, in the loop's package, is a trunk as one loop sees it.
 *
 * <pre>
 *    control stream                                   stream of loop n
 *         |                                                 |
 *   ControlAdapter                                    IngressAdapter ---- entries ---&gt; ring of loop n
 *    |          |   \                                       |
 *    v          v    v                                      v  Attach
 *  Handshakes  LogIns  Trunks -------------------&gt; IngressStreams - ATTACH, DETACH -&gt; inbox of loop n
 *   ControlStream      Trunk                         IngressStream
 *                        ^------- ATTACHED, DETACHED, SLOW, in the edge's inbox ------- loop n
 *
 *  ControlStream:
 *               NEW --Hello--&gt; CHALLENGED --Proof, Resume--&gt; WELCOMED --end--&gt; ENDING --gone--&gt; CLOSED
 *                 |              |                                               ^
 *                 |              '-Stand--&gt; STANDBY --Proof, Resume--&gt; WELCOMED  |
 *                 \______________\_____________\_refused, timeout, Goodbye________|
 *
 *  Trunk:       UP --connection lost--&gt; LOST --Resume--&gt; UP
 *                \                        \--grace over--&gt; ENDED
 *                 \--Goodbye, slow, stop------------------^
 *
 *  IngressStream:
 *               UNBOUND --Attach--&gt; STANDBY, where the client stands by, --Attach--&gt; CONNECTING
 *               UNBOUND --Attach--&gt; CONNECTING --connected--&gt; OFFERED --ATTACHED--&gt; ATTACHED
 *                  |                    |                        |                     |
 *               timeout                lost                     lost                  lost
 *                  v                    v                        v                     v
 *               CLOSED &lt;--made-- CANCELLED     CLOSED &lt;--DETACHED-- DETACHING &lt;------'
 * </pre>
 *
 * <p>The transition tables are in the Javadoc of {@code ControlStream.State}, {@code Trunk.State} and
 * {@code IngressStream.State}. {@code HandshakeTableTest}, {@code TrunkTableTest} and {@code IngressStreamTableTest}
 * test every message in every state.
 *
 * <p>Design decisions:
 * <ul>
 * <li><b>Each resource has one owner and one release.</b> Handshakes and log-ins under way are {@code Permits},
 * released when a stream leaves CHALLENGED and when a log-in is replied to. Link numbers belong to {@code Trunks}. If a
 * path did not release them, a client could exhaust the limit.</li>
 * <li><b>A publication to a trunk is made and closed here, but written by a loop.</b> ATTACH hands it over. It is
 * closed, and the trunk's link number reused, only after the loop has answered DETACHED.</li>
 * <li><b>A refused stream is no longer read.</b> {@code Image.reject} would make the edge wait for the driver.</li>
 * <li><b>A batch is admitted whole or stays in Aeron.</b> When a ring lacks slots the fragment is aborted, and the flow
 * control of that trunk's stream stops its sender. The next poll waits until the ring has the slots, because otherwise
 * an overloaded engine would validate the batch in every turn.</li>
 * <li><b>Refused entries occupy their claimed slots</b> as empty ones, so that offered = accepted + refused.</li>
 * <li><b>One {@code RoomPlacement} assigns room ids</b>, for the edge and the application: the loop in the high
 * bits, a serial below, never reused. A room opened by a room receives its id as a reply.</li>
 * <li><b>The directory publishes state, not steps.</b> Changes made while a subscriber's inbox is full are merged per
 * room. The number of rooms therefore limits the memory for a slow lobby. If a loop's news did not fit, the loop
 * re-announces all of its rooms, a few in each turn.</li>
 * <li><b>Tokens of players and trunks are signed, not remembered.</b> An incarnation with the same key can check
 * another incarnation's tokens. Without a file of keys the key is random and lives as long as the engine. Credentials
 * go from the control stream to the log-in service and nowhere else. A test searches a recorded run for them.</li>
 * <li><b>A trunk outlives its engine by its number.</b> The link table of a host is in the log, with the id of the
 * trunk of each link. An edge that starts to lead holds the trunk with the greatest id of each number as LOST, if the
 * keys of tokens are in a file. Loops that know the number as this trunk's get LinkResumed, the others LinkUp. The log
 * contains neither the number of resumes of a trunk nor its Goodbye. An older token is therefore valid until a token is
 * used, and a trunk that closed shortly before the kill can be resumed. Both need the trunk's credentials. Ids have the
 * incarnation in their high bits: no id is used twice.</li>
 * <li><b>An edge that follows gives out no trunk.</b> It does when all loops lead one incarnation, and closes every
 * trunk when a loop no longer leads: {@code EdgeRole}. Clients may be on standby, with a control stream and a stream
 * per loop that are ready for a trunk: {@code Standbys}. They take as many places as trunks do.</li>
 * <li><b>Control streams are polled every 50 us and house is kept every 1 ms</b>, so that they do not slow down the
 * loops' streams. No step of the duty cycle blocks.</li>
 * </ul>
 */
package io.escapement.engine.internal.edge;
