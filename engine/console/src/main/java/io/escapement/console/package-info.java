/**
 * The console: a page that shows an engine at work and operates it. Start with
 * {@link io.escapement.console.ConsoleContext} and {@link io.escapement.console.Console}.
 *
 * <pre>
 *   escapement-monitor --intervals--&gt; LatencyHistory ----+
 *   counters, faults (EngineOperator) -------------------+--&gt; Sampler --one event--&gt; EventStreams --&gt; pages
 *                                          escapement-console, twice a second       one thread
 *   the room that runs --escapement-console, at random times--&gt; RoomCosts --&gt; Reports
 *   the journal's files --escapement-console-past, at most a quarter of its time--&gt; PastRooms &lt;-- Requests
 *   loops, edge &lt;--INSPECT, commands-- EngineOperator &lt;-- Reports, Operations &lt;-- Requests &lt;-- RequestGuard
 * </pre>
 *
 * <p>Decisions:
 * <ul>
 * <li><b>The loops do nothing for it</b> but answer requests for rooms and trunks, which are bounded and read between
 * turns. All numbers are counters and interval histograms that the engine keeps anyway; what a room costs is sampled
 * from outside.</li>
 * <li><b>An event is made once</b> and written to all open pages. Without a page none is made. A page that reads slowly
 * skips events, and a page that reads nothing for ten seconds is closed.</li>
 * <li><b>Nobody is trusted for being on this host</b>: other users are too, and pages of other sites through a browser.
 * So each request for data has a token, which the URL carries in its fragment, so that no log has it; the Host header
 * must name this server, so that no foreign name can be pointed at it; and what changes something needs the page's
 * Origin.</li>
 * <li><b>Operations are commands</b> of the loops' logs, as any other, and a line in the program's log with the role
 * and the address.</li>
 * </ul>
 */
package io.escapement.console;
