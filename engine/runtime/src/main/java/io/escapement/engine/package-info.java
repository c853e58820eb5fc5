/**
 * The engine: rooms on threads, connected to trunks. {@link io.escapement.engine.Engine} is the class to embed, and
 * {@link io.escapement.engine.EngineContext} has its options.
 *
 * <pre>
 *   packages:  engine --&gt; internal.{edge, service, monitor} --&gt; internal.loop --&gt; internal.{durable, queue}
 * </pre>
 *
 * <p>Threads:
 *
 * <pre>
 *   trunks (UDP, IPC)                                          application
 *        |                                                             |
 *   media driver   its threads, or invoked by the edge's thread        | RoomHandle, openRoom, drain
 *        |                                                             |
 *   +----v------- escapement-edge ------------------+                  |
 *   |  Aeron conductor, handshakes, trunks,         |                  |
 *   |  admission of batches, directory, room opener |                  |
 *   +--+-----------------------------------^--------+                  |
 *      | ring of a loop (1 producer)       | edge inbox (many)         |
 *   +--v-------- escapement-loop-n --------+--------+  inbox (many)    |
 *   |  RoomHost: turns.  LoopEgress: output         &lt;------------------+
 *   +--+-----------------------^--------------------+
 *      | worker queue (many)   | Reply, into the inbox
 *   +--v---- escapement-&lt;service&gt;-n ----+    escapement-monitor   watchdog, governor, histograms
 *   |  AsyncService, may block          |    escapement-journal   journals, recordings
 *   +-----------------------------------+    escapement-jobs      Engine.every
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li>The agents are the same in each {@link io.escapement.engine.ThreadingMode}. Agrona's CompositeAgent runs several
 * in one thread. An embedded driver that is invoked there sends one datagram per publication and invocation. It is
 * invoked once per duty cycle, and up to eight times after a loop has given one link more than a datagram. It reads a
 * clock that is updated once per duty cycle.
 * <li>No producer blocks on a queue: a full queue is a result to handle. Two full loops therefore cannot deadlock.
 * <li>Counters are in the engine's memory and are copied to the driver's counters file ten times per second. When a
 * driver dies, its client unmaps that file, and a write to unmapped memory would crash the JVM.
 * <li>User code must not delay the monitor. Work that it can delay has a separate thread: services, jobs, files.
 * <li>After warm-up the engine's threads do not allocate. An invoked driver allocates 64 bytes per second for a timer,
 * and 120 bytes for each datagram from a different sender than the previous datagram.
 * <li>{@code Engine.drain} runs in steps. The edge refuses new trunks and rooms. Rooms get {@code onDrain}. When all
 * rooms have closed and services have replied, or at the timeout, CloseRoom commands close the rest. Trunks are closed
 * with ENGINE_STOPPING. Threads stop. Then the leak check runs. Each step is bounded. If application code holds a
 * thread, the drain abandons and reports the thread.
 * <li>Code of the application that may block or throw runs outside the agents: the error handler and hooks in
 * escapement-faults, log-ins in escapement-log-in. Agents run in threads that clear interrupts and continue.
 * <li>An embedded driver and its client read clocks that step by at most 100 ms, or slew. Otherwise Aeron takes a pause
 * of the process, or a step of the wall clock, for a death.
 * </ul>
 */
package io.escapement.engine;
