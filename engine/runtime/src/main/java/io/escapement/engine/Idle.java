package io.escapement.engine;

/**
 * What the threads of loops and of the edge do when they have no work. All of them are on time for frames and timers.
 * The choice trades latency for CPU time:
 *
 * <table>
 * <caption>Idle strategies</caption>
 * <tr><th>strategy</th><th>latency of a message to an idle thread</th><th>CPU time when idle</th></tr>
 * <tr><td>{@link #BUSY}</td><td>lowest, below a microsecond</td><td>a core for each thread</td></tr>
 * <tr><td>{@link #YIELD}</td><td>low unless other processes want the core</td><td>a core for each thread</td></tr>
 * <tr><td>{@link #BACKOFF}</td><td>up to a millisecond</td><td>little</td></tr>
 * <tr><td>{@link #PARK}</td><td>tens of microseconds, at most 100 us more from sockets</td><td>little</td></tr>
 * </table>
 *
 * <p>Take {@link #PARK} unless you have measured that you need another. Workers of services always park.
 */
public enum Idle
{
    /** Spin. Refused if there are more spinning threads than cores, since a descheduled spinner costs milliseconds. */
    BUSY,
    /** Call {@link Thread#yield()} in a loop: other processes can take the core when they need it. */
    YIELD,
    /** Agrona's backoff: spin, then yield, then park for growing times up to a millisecond. */
    BACKOFF,
    /**
     * Park until shortly before the next deadline, then spin. The spin starts 100 to 300 us early, as much as this host
     * oversleeps. Producers unpark the thread. A thread that polls sockets or shared memory parks for at most 100 us.
     */
    PARK
}
