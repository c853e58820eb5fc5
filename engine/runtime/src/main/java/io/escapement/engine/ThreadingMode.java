package io.escapement.engine;

/**
 * How the media driver, the edge and the loops are spread over threads. The agents and the results are the same in each
 * mode.
 *
 * <table>
 * <caption>Choosing a mode</caption>
 * <tr><th>mode</th><th>threads</th><th>use it for</th></tr>
 * <tr><td>{@link #DEDICATED}</td><td>3 of the driver, the edge, each loop</td><td>cores to spare</td></tr>
 * <tr><td>{@link #SHARED}</td><td>the edge with the driver, each loop</td><td>a few cores</td></tr>
 * <tr><td>{@link #SOLO}</td><td>one</td><td>one or two cores</td></tr>
 * <tr><td>{@link #INVOKER}</td><td>none</td><td>tests, simulation, applications with a main loop</td></tr>
 * </table>
 *
 * <p>In every mode the monitor, the journal, jobs and the workers of services have threads, because they may block.
 */
public enum ThreadingMode
{
    /** The embedded driver's three threads, a thread for the edge, and a thread per loop. */
    DEDICATED,
    /** One thread for the edge and an embedded driver, and a thread per loop. The default with an external driver. */
    SHARED,
    /** One thread for everything. The default on two cores or fewer with an embedded driver. */
    SOLO,
    /** Everything runs in the thread that calls {@link Engine#invoke()}. */
    INVOKER
}
