package io.escapement.engine.internal.edge;

/**
 * The limits of the edge.
 *
 * @param trunkLimit         trunks that may be up, or lost and held, at one time.
 * @param handshakeLimit     handshakes that may be under way at one time.
 * @param handshakeTimeoutNs how long a handshake may take.
 * @param keepaliveNs        how often a trunk has to say something on its control stream.
 * @param trunkGraceNs       how long a lost trunk can be resumed.
 * @param tokenNs            how long a player's token is good.
 * @param batchEntries       most entries of a frame, at most a quarter of a ring.
 * @param trunkRate          entries a second that a trunk may send, on average.
 * @param trunkBurst         entries that a trunk may send at once.
 * @param seatRate           entries a second that a seat may send, on average.
 * @param seatBurst          entries that a seat may send at once.
 * @param logInLimit         log-ins that may be under way at one time.
 */
public record EdgeSettings(
    int trunkLimit,
    int handshakeLimit,
    long handshakeTimeoutNs,
    long keepaliveNs,
    long trunkGraceNs,
    long tokenNs,
    int batchEntries,
    int trunkRate,
    int trunkBurst,
    int seatRate,
    int seatBurst,
    int logInLimit)
{
}
