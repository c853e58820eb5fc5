package io.escapement.perf.crowd;

/** All connections of the bots to a server. They work in the bots' thread, in {@link #poll()} and {@link #flush()}. */
interface BotLinks extends AutoCloseable
{
    /** Start to connect. */
    void connect();

    /** Whether all connections are up. */
    boolean isUp();

    /** A connection by its number in the plan. */
    BotTrunk trunk(int number);

    /** Receive. Returns the amount of work done. */
    int poll();

    /** Let the moves leave. */
    void flush();

    @Override
    void close();
}
