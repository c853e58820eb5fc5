/**
 * Rooms full of players: an engine, or a peer over TCP, in one process, bots in another.
 *
 * <pre>
 *   tool    BEGIN, END, REPORT ----&gt; escapement serve with CrowdGame: engine, rooms, counters
 *                                    or TcpServer: event loop, rooms, counters
 *           GO, REPORT ------------&gt; CrowdBots: one thread with EngineLinks (a driver and all trunks)
 *                                    or TcpLinks or WebLinks (Netty's loop, all connections)
 *           BEGIN, REPORT ---------&gt; escapement gateway with CrowdGame between both,
 *                                    or ConsolePages at the engine's console, or neither
 * </pre>
 *
 * <p>The server counts from before the first measured move is sent until after the last move is answered, so that the
 * counts of both sides agree to the last move. A state carries whether it is measured.
 */
package io.escapement.perf.crowd;
