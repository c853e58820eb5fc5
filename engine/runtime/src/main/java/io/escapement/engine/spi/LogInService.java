package io.escapement.engine.spi;

/** Tells who a player is. Credentials go to it straight from the control stream, and nowhere else. */
@FunctionalInterface
public interface LogInService
{
    /** Takes the answer, in any thread, once. */
    @FunctionalInterface
    interface Reply
    {
        /**
         * Answer a log-in.
         *
         * @param status   0 when the player is known, otherwise a code of the service's own.
         * @param playerId the player, when status is 0.
         */
        void onReply(int status, long playerId);
    }

    /**
     * Log a player in. Called in the edge's thread: it must hand the work to another and return. Answers come from
     * other threads too, refusals among them: one that finds the edge's inbox full waits for the edge.
     *
     * @param trunkId     the trunk that asks for the player.
     * @param credentials what the player gave. The service may clear them.
     * @param reply       takes the answer.
     */
    void logIn(long trunkId, byte[] credentials, Reply reply);
}
