/**
 * The host: it runs many rooms, one turn after another, and owns everything that a room only sees.
 *
 * <pre>
 *   beginTurn(now) --&gt; onCommand(bytes) ... --&gt; endTurn()
 *                          |                      |-- timers that are due   (TimerWheel, order of deadline)
 *                          v                      |-- flush
 *                     RoomInstance                  |-- frames that are due   (Frames, a phase group at a time)
 *                          |                      |-- flush
 *                          v                      v
 *                     RoomLogic  --&gt; GuardedRoom --&gt; RoomOutput, ControlOutput --&gt; Outputs
 * </pre>
 *
 * <p>No thread, no clock, no socket. Whoever drives the host (a loop, a bench, a replay) does so from one thread at a
 * time, which {@code ThreadGuard} checks.
 */
package io.escapement.rooms.host;
