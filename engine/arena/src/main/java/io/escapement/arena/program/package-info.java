/**
 * The command line: a server, bots, a demo of both, and commands that read counters and recordings.
 *
 * <pre>
 *   escapement serve    ArenaServer: Engine + Accounts + ArenaTypes
 *   escapement cluster  ClusterProcesses: servers that keep one log, as child processes
 *   escapement bots     BotCrowd: a BotHost a thread, with trunks, and players that are state machines
 *   escapement demo     starts both as child processes and prints their statistics
 * </pre>
 */
package io.escapement.arena.program;
