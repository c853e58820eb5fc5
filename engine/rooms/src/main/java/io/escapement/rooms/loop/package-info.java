/**
 * The state of a loop besides its rooms: the commands that its rooms have sent and no room or service has answered yet.
 *
 * <pre>
 *   rooms --&gt; Outputs --+--&gt; links, directory                      leave at once, are lost with the process
 *                       |
 *                       +--&gt; returns: to rooms of this loop        run first in a later turn
 *                       +--&gt; messages: to rooms of other loops      numbered, kept until Taken
 *                       +--&gt; requests: to services, for new rooms    kept until Reply or Refusal
 * </pre>
 *
 * <p>It is part of the host's state: only commands change it, so every host that runs the same turns has the same; the
 * state hash covers it and a snapshot contains it.
 *
 * <h2>Decisions</h2>
 * <ul>
 * <li><b>Full is a number of bytes</b> of the commands that wait, and not of the memory that they occupy: that depends
 * on what waited before, and a restored host would refuse another command than the first host.</li>
 * <li><b>Answers are never refused.</b> A room would wait for a lost one until it closes. Each answers a request that
 * is open, so the limits of requests bound them.</li>
 * <li><b>A position of sending is not state.</b> The leader sends what it has not sent, and after a HostResumed
 * everything once more. A loop runs a message once by its number, and confirms it each time. A service may handle a
 * request twice, and the room takes one answer. An OpenRoom that was sent twice is answered with the same room while
 * that room is open.</li>
 * <li><b>A service that has no room for a request</b> keeps those to other services moving: one that is stuck must not
 * stop them. Its own requests wait in order, so those to its other threads wait too.</li>
 * <li><b>The refusal of a signal is dropped</b> when twice the limit of bytes waits: no room waits for it.</li>
 * <li><b>A question is not an open request.</b> It waits as a return or a message until it runs. Then the room that is
 * asked holds it in its own state, with its deadline. An answer to the program is not kept, because the program ends
 * with the process.</li>
 * </ul>
 */
package io.escapement.rooms.loop;
