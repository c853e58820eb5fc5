/**
 * The host: it runs many rooms on one thread, one turn after another. {@code RoomHost}, its context and its image are
 * the API. All other classes are parts of a host: its rooms, their seats, timers, frames, links and output.
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
 *                       GuardedRoom --&gt; RoomOutput, ControlOutput
 *                                            |
 *                                            v
 *                       HostOutput --&gt; Outputs, LoopLedger
 * </pre>
 *
 * <p>This package has no thread, no clock and no socket. A loop, a bench or a replay drives a host from one thread at a
 * time. {@code ThreadGuard} checks this. A {@code RoomInstance} consists of parts that reach their host through
 * {@code RoomServices} only. {@code HostSnapshot} writes the state of a host.
 *
 * <h2>Decisions</h2>
 * <ul>
 * <li><b>A turn leaves a trace only if a room or the host runs in it</b>. A log does not depend on the idle runs of a
 * loop.</li>
 * <li><b>Output is flushed before every change of a room's seats.</b> A message stores its audience and not its
 * receivers. The receivers at the flush are those at the time of sending.</li>
 * <li><b>A claimed buffer is zeroed.</b> Bytes of an earlier message are not part of the room's state, and may
 * have been for another player.</li>
 * <li><b>A link keeps its seats when it goes down</b>, so that a resume finds them. Giving its number to another trunk
 * releases them.</li>
 * <li><b>Frame deadlines are computed from the frame number</b>, by whole seconds and a remainder, without drift. All
 * rooms of a rate and phase share one grid that starts at host time 0. A late room runs one frame that spans the missed
 * frames, or up to its type's {@code catchUp} frames. Frames that never run are counted.</li>
 * <li><b>With many rooms the loop is bound by cache misses.</b> A message follows a chain of objects. They are not in
 * the cache if each message is for another room. From 1,536 rooms up a loop announces the next 32 commands
 * ({@code RoomHost.prefetch}). {@code CachePrefetcher} reads the objects of their rooms, one link of the chain at a
 * time, to overlap the misses. Phase groups do the same for the frames of their next 16 rooms. They also keep the data
 * for the frames of rooms in step in arrays: such a frame touches the logic and no other object of its room. An idle
 * loop reads the logics ahead while it spins for the deadline. Prefetching does not change state: the scenario of the
 * golden hashes prefetches for every command.</li>
 * <li><b>A snapshot does not stop the host.</b> {@code RollingSnapshot} copies a room before it changes, and the others
 * between turns. All copies are of one turn. Copies of several turns would need a position each, and so
 * would the state of the loop, the links and the output hash. A replay would need to skip the commands that are already
 * in a room's copy. The host's own state is small and is copied at once.</li>
 * <li><b>A stack overflow inside the host's own code</b>, after a logic that recursed to the limit called its
 * room, can leave the host's tables half changed. The room is closed, but the host is not proven intact: do not
 * recurse without a bound.</li>
 * </ul>
 */
package io.escapement.rooms.host;
