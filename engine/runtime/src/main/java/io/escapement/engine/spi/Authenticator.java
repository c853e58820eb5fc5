package io.escapement.engine.spi;

/**
 * Decides which clients get a trunk. Called in a thread for authentication: while it blocks, other clients that
 * connect wait, and are rejected when their handshake times out. A call that takes 1 s is reported to the error handler
 * with its stack. One that throws, or returns null, has refused.
 */
@FunctionalInterface
public interface Authenticator
{
    /**
     * A decision.
     *
     * @param isAccepted whether the client gets a trunk.
     * @param isTrusted  whether the trunk may name its players, such as a gateway that authenticates them itself.
     *                   Otherwise they must log in.
     * @param isFed      whether the trunk may receive the feeds of the loops, for example for an operator's own
     *                   gateway. Feeds show the states of all rooms of types that allow it.
     */
    record Verdict(boolean isAccepted, boolean isTrusted, boolean isFed)
    {
        /** No trunk. */
        public static final Verdict REFUSED = new Verdict(false, false, false);
        /** A trunk with players that must log in. */
        public static final Verdict ACCEPTED = new Verdict(true, false, false);
        /** A trunk that may name its players. */
        public static final Verdict TRUSTED = new Verdict(true, true, false);

        /**
         * The same decision with or without feeds.
         *
         * @param value whether the trunk may receive them.
         */
        public Verdict feed(final boolean value)
        {
            return new Verdict(isAccepted, isTrusted, value);
        }
    }

    /**
     * Verify the credentials of a client.
     *
     * @param challenge   both halves of the handshake so far.
     * @param credentials the client's response to it.
     */
    Verdict authenticate(Challenge challenge, byte[] credentials);

    /**
     * Hello and Challenge of a handshake.
     *
     * @param identity           claimed by the client.
     * @param applicationVersion of the client.
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
