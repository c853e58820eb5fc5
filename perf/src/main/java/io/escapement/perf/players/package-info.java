/**
 * Players in rooms: an engine in one process, bots in another.
 *
 * <pre>
 *   tool    BEGIN, END, TELL ------&gt; PlayersServer: engine, rooms, what both counted
 *           GO, TELL --------------&gt; PlayersBots: one thread, a driver and all trunks
 * </pre>
 *
 * <p>The server counts from before the bots send the first move that counts until after the last one was answered, so
 * that both sides can be compared to the last move. States carry whether they count.
 */
package io.escapement.perf.players;
