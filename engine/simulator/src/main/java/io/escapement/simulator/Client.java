package io.escapement.simulator;

/** One who plays over the network. */
interface Client extends AutoCloseable
{
    void poll();

    /** Names a message that is not accepted yet, or null. */
    String waitsFor();

    /** A hash of what it has received, and when. */
    long hash();

    @Override
    void close();
}
