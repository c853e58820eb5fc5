package io.escapement.engine.spi;

/** Decides who may have a trunk. Called in the edge's thread: it must answer at once, from what it has in memory. */
@FunctionalInterface
public interface Authenticator
{
    /** What the decision is. */
    enum Verdict
    {
        /** No trunk. */
        REFUSED,
        /** A trunk whose players log in. */
        ACCEPTED,
        /** A trunk that may name its players itself, such as a gateway that has logged them in. */
        TRUSTED
    }

    /**
     * Decide.
     *
     * @param challenge   what was said so far.
     * @param credentials the answer to it.
     * @return the decision.
     */
    Verdict authenticate(Challenge challenge, byte[] credentials);

    /**
     * A handshake before its proof.
     *
     * @param identity           who asks.
     * @param applicationVersion the application's own version.
     * @param clientHigh         first half of the client's nonce.
     * @param clientLow          second half of the client's nonce.
     * @param serverHigh         first half of the engine's nonce.
     * @param serverLow          second half of the engine's nonce.
     */
    record Challenge(
        byte[] identity,
        int applicationVersion,
        long clientHigh,
        long clientLow,
        long serverHigh,
        long serverLow)
    {
    }
}
