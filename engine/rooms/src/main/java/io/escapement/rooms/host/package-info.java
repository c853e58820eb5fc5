/**
 * The host: it runs many rooms on one thread, one turn after another.
 *
 * <pre>
 *   beginTurn(now) --&gt; onCommand(bytes) ... --&gt; endTurn()
 *                          |                      |-- timers that are due   (TimerWheel, by deadline)
 *                          v                      |-- flush
 *   CommandAdapter --&gt; RoomInstance               |-- frames that are due   (Frames, one phase group after another)
 *         |                |                      |-- flush
 *         v                v                      v
 *   HostCommands      LogicInvoker --&gt; RoomLogic
 *                                            |
 *                                            v
 *                       GuardedRoom --&gt; RoomOutput, ControlOutput --&gt; Outputs
 * </pre>
 *
 * <p>Nothing here has a thread, a clock or a socket. A loop, a bench or a replay drives a host from one thread at
 * a time, which {@code ThreadGuard} checks. {@code RoomHost} is the entry; {@code HostState} holds what a
 * snapshot writes; a {@code RoomInstance} consists of parts that reach their host through {@code RoomServices}
 * only.
 *
 * <h2>Decisions</h2>
 * <ul>
 * <li><b>Control output is encoded once</b>, by the host, as the SBE message that its receiver decodes. Hashing,
 * capturing and routing it are a few lines over bytes, and its hash is that of the bytes on the wire.</li>
 * <li><b>A turn leaves a trace only if a recorded room or the host runs in it</b>, so a log does not depend on
 * how often a loop runs idle.</li>
 * <li><b>Output is flushed before every change of a room's seats.</b> A message stores its audience and not its
 * receivers; the receivers at the flush are those at the time of sending.</li>
 * <li><b>A claimed buffer is zeroed.</b> Bytes of an earlier message are not part of the room's state, and may
 * have been for another player.</li>
 * <li><b>A link that goes down keeps its seats</b>, so that a resume finds them. Giving its number to another
 * trunk releases them.</li>
 * <li><b>Frame deadlines are computed from the frame number</b>, by whole seconds and a remainder, so they do not
 * drift. All rooms of a rate and phase share one grid that begins at host time 0. A late room runs one frame that
 * spans the missed ones, or up to its type's {@code catchUp} frames; frames that never run are counted.</li>
 * <li><b>With many rooms the loop is bound by cache misses.</b> A message follows a chain of objects, and none of
 * them is in the cache if each message is for another room. From 512 rooms up a loop announces the next 32
 * commands ({@code RoomHost.prefetch}), and {@code CachePrefetcher} reads the objects of their rooms, one link of
 * the chain at a time, so that the misses overlap. Phase groups do the same for the frames of their next 16
 * rooms. It changes no state: the scenario of the golden hashes prefetches for every command.</li>
 * <li><b>A stack overflow inside the host's own code</b>, after a logic that recursed to the limit called its
 * room, can leave the host's tables half changed. The room is closed, but the host is not proven intact: do not
 * recurse without a bound.</li>
 * <li><b>Everything of a host but its API is package-private</b>: other modules use {@code RoomHost}, {@code
 * HostContext}, {@code Outputs} with its two implementations, and {@code HostListener}.</li>
 * </ul>
 */
package io.escapement.rooms.host;
