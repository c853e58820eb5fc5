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
 * <li><b>The loops only answer its requests</b> for rooms and trunks. These are bounded and read between turns. All
 * numbers are counters and interval histograms that the engine keeps anyway. The cost of a room is sampled from
 * outside.</li>
 * <li><b>An event is made once</b> and written to all open pages. Without a page no event is made. A slow page skips
 * events. If a page does not read for ten seconds, it is closed.</li>
 * <li><b>A request from this host is not trusted</b>: other users are on this host, and pages of other sites reach it
 * through a browser. Each request for data has a token. The URL carries the token in its fragment, so that no log
 * contains it. The Host header must name this server, so that no foreign name can be pointed at it. A request that
 * changes state needs the page's Origin.</li>
 * <li><b>Operations are commands</b> of the loops' logs, as any other, and a line in the application's log with the
 * role and the address.</li>
 * </ul>
 */
package io.escapement.console;
