package io.escapement.engine.internal.edge;

import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;

/**
 * The concluded options of the trunk server.
 *
 * @param limits        on what is held at one time.
 * @param timeouts      of handshakes, trunks and player tokens.
 * @param rates         of ingress.
 * @param authenticator of trunks.
 * @param logInService  of players, or null.
 */
public record EdgePolicy(
    Limits limits, Timeouts timeouts, Rates rates, Authenticator authenticator, LogInService logInService)
{
    /**
     * Limits.
     *
     * @param trunks         that are up, or lost and resumable.
     * @param handshakes     that are between Hello and Welcome.
     * @param logInsPerTrunk that the log-in service has not answered.
     * @param batchEntries   of one batch, at most a quarter of a ring.
     */
    public record Limits(int trunks, int handshakes, int logInsPerTrunk, int batchEntries)
    {
    }

    /**
     * Timeouts.
     *
     * @param handshakeNs   from a connection to its Welcome, or to its Attach on a loop's stream.
     * @param keepaliveNs   interval of keepalives; a trunk is lost after {@link #KEEPALIVES_MISSED} of them.
     * @param graceNs       for which a lost trunk can be resumed.
     * @param playerTokenNs for which a player token is valid.
     * @param logInNs       until a log-in without an answer is refused.
     */
    public record Timeouts(long handshakeNs, long keepaliveNs, long graceNs, long playerTokenNs, long logInNs)
    {
        /** Two lost datagrams in a row are common; three intervals of silence are not. */
        static final int KEEPALIVES_MISSED = 3;

        long silenceNs()
        {
            return KEEPALIVES_MISSED * keepaliveNs;
        }
    }

    /**
     * Rates of entries.
     *
     * @param trunkPerSecond from one trunk to one loop.
     * @param seatPerSecond  from one seat.
     */
    public record Rates(int trunkPerSecond, int seatPerSecond)
    {
        /** A burst is what the rate allows in a tenth of a second. */
        private static final int BURSTS_PER_SECOND = 10;

        int trunkBurst()
        {
            return burst(trunkPerSecond);
        }

        int seatBurst()
        {
            return burst(seatPerSecond);
        }

        private static int burst(final int perSecond)
        {
            return Math.max(1, perSecond / BURSTS_PER_SECOND);
        }
    }
}
