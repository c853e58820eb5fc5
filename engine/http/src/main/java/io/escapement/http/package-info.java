/**
 * The HTTP server of the engine's metrics, the gateway's metrics and the console. It is a part of these modules, and
 * its API is no promise to users.
 *
 * <pre>
 *   client --bytes--&gt; HttpConnection --answerNow--&gt; HttpHandler      the thread of all connections
 *                          |   ^
 *                      answer  |                                       a few workers with a short queue
 *                          v   |
 *                        HttpHandler --HttpStream.offer--&gt; client     from any thread
 * </pre>
 *
 * <p>A handler answers a health check in the thread of the connections, and that thread never waits. Work that may wait
 * runs in the workers. There is a limit on everything. Each connection has deadlines, and when there are too many
 * connections, the oldest that waits for its client makes room for the newcomer.
 */
package io.escapement.http;
