package io.escapement.gateway;

/** The workers of a gateway, as a worker's sessions use the other workers. */
interface Workers
{
    /** Of a gateway with one worker. */
    Workers ALONE = new Workers()
    {
        @Override
        public int number()
        {
            return 0;
        }

        @Override
        public boolean isOther(final int worker)
        {
            return false;
        }

        @Override
        public void move(final PlayerConnection connection, final int worker)
        {
            throw new IllegalStateException("there is no other worker");
        }

        @Override
        public long onLogIn(final long playerId)
        {
            return 0;
        }
    };

    /** The number of this worker. */
    int number();

    /** Whether another worker has this number. */
    boolean isOther(int worker);

    /**
     * Hand a connection to another worker, where it continues with the messages that it holds. No other method is
     * called for it here, but messages of the bytes that were read may still arrive.
     */
    void move(PlayerConnection connection, int worker);

    /**
     * End the sessions that a player has at other workers, where a later log-in has not ended this one before.
     *
     * @param playerId who has logged in here.
     * @return the number of the log-in, counted over all workers.
     */
    long onLogIn(long playerId);
}
