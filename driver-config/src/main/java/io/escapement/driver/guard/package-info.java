/**
 * Endpoints for Aeron's media driver that protect it from hostile packets. Aeron's endpoints trust the network: a few
 * packets from any address redirect a stream, fill memory or corrupt a term.
 *
 * <table>
 *   <caption>Attacks and their guards</caption>
 *   <tr><th>attack</th><th>guard</th><th>counter</th></tr>
 *   <tr><td>SETUP frames that make the driver map gigabytes</td><td>limits on term length, MTU, rate and number of
 *     sessions ({@link io.escapement.driver.guard.GuardLimits})</td>
 *     <td>SETUP_REFUSED, SETUP_RATE, SESSION_LIMIT</td></tr>
 *   <tr><td>data injected into another peer's session</td><td>a session belongs to the address that set it up, until it
 *     is inactive</td><td>DATA_WRONG_SOURCE</td></tr>
 *   <tr><td>frame lengths that overrun the term</td><td>every frame of a datagram is validated</td>
 *     <td>DATA_MALFORMED</td></tr>
 *   <tr><td>forged status messages, NAKs and errors that stall or amplify a stream</td><td>control frames are accepted
 *     only from a publication's receivers</td><td>CONTROL_WRONG_SOURCE, CONTROL_MALFORMED</td></tr>
 *   <tr><td>a response stream redirected to a victim</td><td>a response publication is pinned to the first requester
 *     from the host that sent the request</td><td>RESPONSE_REDIRECT</td></tr>
 *   <tr><td>control-mode=dynamic, whose stream one forged packet redirects</td><td>such publications are
 *     refused</td><td>DYNAMIC_REFUSED</td></tr>
 * </table>
 *
 * <p>Not covered: an attacker on the path can forge addresses, the first to use a session id owns it, and a flood of
 * setups keeps new peers out while it lasts. Run links on a private network or through a tunnel.
 *
 * <p>Consequence: a receiver must answer from the address that it is sent to, and a sender must send from the address
 * that it set up from. On a host with several addresses, endpoints name an address and not 0.0.0.0.
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
 * <h2>Polling sockets</h2>
 *
 * <p>A poll is a system call, and it dominates an idle duty cycle: polling the send endpoint for status messages and
 * NAKs took 0.4 us of 1.0 us. A short idle turn matters because a message waits for half of one on average. Therefore:
 * <ul>
 *   <li>A send endpoint polls every 20 us after an empty poll.</li>
 *   <li>A receive endpoint whose thread is sending polls at the same interval until the sending stops.</li>
 *   <li>A receive endpoint takes up to eight datagrams per poll, where Aeron takes one and then runs the rest of its
 *     duty cycle. A datagram that follows an empty poll is delivered at once, without a poll for a second one.</li>
 * </ul>
 */
package io.escapement.driver.guard;
