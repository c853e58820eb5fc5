package io.escapement.simulator;

/** One who plays over the network. */
interface Client extends AutoCloseable
{
    void poll();

    /** Does not read for a while. */
    void stall(long untilNs);

    /** Names a message that is not accepted yet, or null. */
    String waitsFor();

    /** A hash of what it has received, and when. */
    long hash();

    @Override
    void close();
}
