/**
 * The program of a server for any rooms: its command line, and the {@link io.escapement.server.Game} that it serves.
 *
 * <pre>
 *   class path, --types  --&gt;  Types: the Game and the versions of its room types
 *   escapement serve    GameServer: Engine + Accounts + Types, a Gateway and a Console
 *   escapement cluster  ClusterProcesses: servers that keep one log, as child processes
 *   escapement bots     BotCrowd: a BotHost per thread, with trunks, and the bots of the game's BotProvider
 *   escapement demo     starts both as child processes and prints their statistics
 * </pre>
 */
package io.escapement.server;
