package io.escapement.engine.spi;

/**
 * Logs players in. The engine passes credentials from the control stream to this service and keeps no copy: they are
 * neither recorded nor logged.
 */
@FunctionalInterface
public interface LogInService
{
    /** Status of a log-in of {@link #guests()} with a key that is too short to be a secret, or too long. */
    int BAD_GUEST_KEY = 1;

    /** Receives the result of one log-in. */
    @FunctionalInterface
    interface Reply
    {
        /**
         * Complete the log-in. Once, from any thread. Never blocks.
         *
         * @param status   0 on success, otherwise a code that the service defines.
         * @param playerId the player, when status is 0.
         */
        void onReply(int status, long playerId);

        /**
         * Complete the log-in of a player who may log in without a password next time. As {@link #onReply(int, long)}.
         *
         * @param status   0 on success, otherwise a code that the service defines.
         * @param playerId the player, when status is 0.
         * @param session  credentials for a later log-in, up to 128 bytes, or empty. Not copied.
         */
        default void onReply(final int status, final long playerId, final byte[] session)
        {
            onReply(status, playerId);
        }
    }

    /**
     * Start a log-in. Called in a thread for log-ins: while it blocks, other log-ins wait. If it throws, or has not
     * completed the log-in after 30 s, the log-in is answered SERVICE_FAILED, and a later result is ignored. A call
     * that takes 5 s is reported to the error handler with its stack.
     *
     * @param trunkId     the trunk on which the player connects.
     * @param credentials of the player. The service may overwrite them.
     * @param reply       receives the result, refusals included.
     */
    void logIn(long trunkId, byte[] credentials, Reply reply);

    /**
     * A service without accounts: the credentials are a key of 16 to 128 bytes, which a page draws at random once and
     * keeps. The same key is the same player, even after a restart.
     */
    static LogInService guests()
    {
        return new GuestLogIn();
    }
}
