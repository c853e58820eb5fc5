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
 *   trunks (UDP, IPC)                                          embedding program
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
 * <li>The agents are the same in each {@link io.escapement.engine.ThreadingMode}; Agrona's CompositeAgent runs
 * several in one thread. An embedded driver that is invoked there sends one datagram per publication and invocation,
 * so it is invoked once per duty cycle, and up to eight times after a loop has given one link more than a datagram.
 * It reads a clock that is updated once per duty cycle.
 * <li>No producer blocks on a queue: a full queue is a result to handle. Two full loops therefore cannot deadlock.
 * <li>Counters are in the engine's memory and are copied to the driver's counters file ten times a second. When a
 * driver dies, its client unmaps that file, and a write to unmapped memory would crash the JVM.
 * <li>Everything that user code can delay has a thread apart from the monitor's: services, jobs, files.
 * <li>After warm-up the engine's threads allocate nothing. An invoked driver allocates 64 bytes a second for a
 * timer, and 120 bytes for each datagram whose sender differs from the previous one.
 * <li>{@code Engine.drain}: the edge refuses new trunks and rooms; rooms get {@code onDrain}; when all rooms have
 * closed and services have replied, or at the timeout, CloseRoom commands close the rest; trunks are ended with
 * ENGINE_STOPPING; threads end; then the leak check runs. Each step is bounded, and a thread that code of the program
 * holds is left behind and reported.
 * <li>Code of the program that may block or throw runs outside the agents: the error handler and hooks in
 * escapement-faults, log-ins in escapement-log-in. Agents run in threads that clear interrupts and go on.
 * <li>An embedded driver and its client read clocks that step by at most 100 ms, or slew, since Aeron takes a pause of
 * the process or a step of the wall clock for a death.
 * </ul>
 */
package io.escapement.engine;
