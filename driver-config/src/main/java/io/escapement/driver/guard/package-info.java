/**
 * Endpoints for Aeron's media driver that keep out what a stranger on the network may send.
 *
 * <p>A driver has one {@link io.escapement.driver.guard.GuardedEndpoints}, which makes every endpoint:
 *
 * <pre>
 *   conductor thread   makes and closes endpoints, and their counters
 *   receiver thread    GuardedReceiveEndpoint: data, set-ups, round trip measurements
 *                        |  ResponsePins: which host asked for a response session
 *                        v
 *   sender thread      GuardedSendEndpoint: status messages, NAKs, errors, response set-ups
 * </pre>
 *
 * <p>What stays open: addresses can be forged by who sits on the path, the first to use a session's number owns it,
 * and a flood of set-ups keeps newcomers out while it lasts. Links belong on a private network or in a tunnel.
 *
 * <p>What it costs: a receiver is heard from the address it is sent to, and a sender from the one it set up from. On
 * a host with several addresses, endpoints name the one that is meant in place of 0.0.0.0.
 */
package io.escapement.driver.guard;
