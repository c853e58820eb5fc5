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
 * <p>It is part of the host's state. Only commands change it: every host that runs the same turns has the same. The
 * state hash covers it and a snapshot contains it.
 *
 * <h2>Decisions</h2>
 * <ul>
 * <li><b>Full is a number of bytes</b> of the waiting commands, not of the memory that they occupy. That memory depends
 * on earlier commands: a restored host would refuse another command than the first host.</li>
 * <li><b>Answers are never refused.</b> A room would wait for a lost answer until it closes. Each answers an open
 * request: the limits of requests bound the answers.</li>
 * <li><b>A position of sending is not state.</b> The leader sends the unsent commands, and after a HostResumed it
 * resends all. A loop runs a message once by its number, and confirms it each time. A service may handle a request
 * twice, and the room accepts one answer. A repeated OpenRoom is answered with the same room while that room is
 * open.</li>
 * <li><b>A service that has no room for a request</b> does not delay the requests to other services. Its own requests
 * wait in order, including the requests to its other threads.</li>
 * <li><b>The refusal of a signal is dropped</b> when twice the limit of bytes waits: no room waits for it.</li>
 * <li><b>A question is not an open request.</b> It waits as a return or a message until it runs. Then the asked room
 * holds it in its own state, with its deadline. An answer to the application is not kept, because the application exits
 * with the process.</li>
 * </ul>
 */
package io.escapement.rooms.loop;
