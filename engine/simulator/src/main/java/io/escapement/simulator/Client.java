package io.escapement.simulator;

/** One who plays over the network. */
interface Client extends AutoCloseable
{
    void poll();

    /** Does not read for a while. */
    void stall(long untilNs);

    /** Names a message that is not accepted yet, or null. */
    String waitsFor();

    /** A hash of the received messages, and when they arrived. */
    long hash();

    @Override
    void close();
}
