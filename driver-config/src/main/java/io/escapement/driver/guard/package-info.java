/**
 * Endpoints for Aeron's media driver that protect it from hostile packets. Aeron's endpoints trust the network: a few
 * packets from any address redirect a stream, fill memory or corrupt a term.
 *
 * <table>
 *   <caption>Attacks and their guards</caption>
 *   <tr><th>attack</th><th>guard</th><th>counter</th></tr>
 * <tr><td>SETUP frames that make the driver map gigabytes</td><td>limits on term length, MTU, rate and number of
 *     sessions ({@link io.escapement.driver.guard.GuardLimits}). A session counts until its image is gone</td>
 *     <td>SETUP_REFUSED, SETUP_RATE, SESSION_LIMIT, NO_SUBSCRIPTION</td></tr>
 * <tr><td>setups from forged addresses, for their memory or for the answers</td><td>an address gets 40 bytes, a cookie
 *     that Aeron senders echo. Before, the driver uses no memory for it</td><td>none</td></tr>
 *   <tr><td>setups that keep other peers out</td><td>a host without an established trunk gets half of the places at
 *     most, and a quarter is for established hosts alone</td><td>SOURCE_LIMIT</td></tr>
 * <tr><td>data injected into another peer's session</td><td>a session belongs to the address of its setup, until it is
 *     inactive</td><td>DATA_WRONG_SOURCE</td></tr>
 *   <tr><td>frame lengths that overrun the term</td><td>every frame of a datagram is validated</td>
 *     <td>DATA_MALFORMED</td></tr>
 * <tr><td>forged status messages, NAKs and errors, to stall or amplify a stream</td><td>control frames are accepted
 *     only from a publication's receivers</td><td>CONTROL_WRONG_SOURCE, CONTROL_MALFORMED</td></tr>
 *   <tr><td>a response stream redirected to a victim</td><td>a response publication is pinned to the first requester
 *     from the host that sent the request</td><td>RESPONSE_REDIRECT</td></tr>
 * <tr><td>control-mode=dynamic: one forged packet redirects its stream</td><td>such publications are
 *     refused</td><td>DYNAMIC_REFUSED</td></tr>
 * <tr><td>a feed aimed at a host without a request</td><td>a destination gets 40 bytes per 100 ms, until a status
 *     message from exactly its address names a session and a position of the feed</td>
 *     <td>CONTROL_WRONG_SOURCE</td></tr>
 *   <tr><td>a subscriber of a feed that stops reading or listening, or sends NAKs and errors</td><td>what a destination
 *     misses is not repeated, its data stops 5 s after its last status message, and NAKs and errors do
 *     nothing</td><td>FEED_MISSED, FEED_IGNORED</td></tr>
 * <tr><td>anything from a host that has no business here</td><td>a driver with known peers accepts datagrams only from
 *     their addresses</td><td>SOURCE_REFUSED</td></tr>
 * </table>
 *
 * <p>Not covered: an attacker on the path can forge addresses. The first to use a session id owns it. A flood of setups
 * from several real hosts keeps new peers out while it lasts, but no established peers. Run links on a private network
 * or through a tunnel.
 *
 * <p>Consequence: a receiver must answer from the address of the requests, and a sender must send from the address of
 * its setup. On a host with several addresses, endpoints name an address and not 0.0.0.0.
 *
 * <p>One {@link io.escapement.driver.guard.GuardedEndpoints} makes every endpoint of a driver:
 *
 * <pre>
 *   conductor thread   creates and closes endpoints, allocates counters
 *   receiver thread    GuardedReceiveEndpoint: data, setups, round trip measurements
 *                        |  ResponsePins: the host that may receive a response session
 *                        v
 *   sender thread      GuardedSendEndpoint: status messages, NAKs, errors, response setups
 * </pre>
 *
 * <h2>Feeds</h2>
 *
 * <p>A <b>feed</b> is a publication with {@code control-mode=manual|fc=max} to subscribers with {@code reliable=false}:
 * the same bytes to many destinations, and no repeats. The application adds the destinations, for example because a
 * gateway named its address. Aeron's own multi-destination publication sends to an added address without proof, and
 * when one destination misses a datagram, repeats it to all. {@code FeedSocket} sends to each proven destination once.
 * Other publications with {@code control-mode=manual} are sent by Aeron.
 *
 * <p>A publication to a multicast group with {@code fc=max} is also a feed, without destinations and their proofs. Each
 * host of the segment can receive it, and is taken as a receiver. NAKs and errors have no effect here either.
 *
 * <h2>Polling sockets</h2>
 *
 * <p>A poll is a system call, and it dominates an idle duty cycle: polling the send endpoint for status messages and
 * NAKs took 0.4 us of 1.0 us. A short idle turn matters because a message waits for half a turn on average. Therefore:
 * <ul>
 *   <li>A send endpoint polls every 20 us after an empty poll.</li>
 * <li>While the thread of a receive endpoint is sending, it polls at the same interval.</li>
 *   <li>A receive endpoint takes up to eight datagrams per poll, where Aeron takes one and then runs the rest of its
 *     duty cycle. A datagram that follows an empty poll is delivered at once, without a poll for a second one.</li>
 * </ul>
 *
 * <h2>Segmentation offload</h2>
 *
 * <p>A datagram of 1,408 bytes costs about 3 us to send and 1 us to receive, nearly all of it in the kernel. Linux cuts
 * one large send into datagrams (UDP_SEGMENT) and joins them on receipt (UDP_GRO). This divides that cost by ten. Java
 * has neither option: they are set through JNA.
 * <ul>
 * <li>Send: {@code SegmentedSends} looks ahead in the term from the datagram that Aeron offers, and sends the committed
 *     frames, up to the receivers' window, in one call. Datagrams are not delayed or reordered. A feed sends one run to
 *     each destination.</li>
 * <li>Receive: {@code JoinedDatagrams} takes joined datagrams apart by their frames. Every guard checks each datagram
 *     as if it had arrived singly. Contiguous data goes to the image in one piece if all of it is new and in its
 *     window.</li>
 *   <li>Where the JVM, the kernel or the network card refuses, the endpoints send and receive one datagram a call.</li>
 * </ul>
 */
package io.escapement.driver.guard;
