/**
 * What is run from the command line: a server, bots, a demo of both, and what looks at them.
 *
 * <pre>
 *   escapement serve    ArenaServer: Engine + Accounts + ArenaTypes
 *   escapement bots     BotCrowd: a BotHost a thread, with trunks, and players that are state machines
 *   escapement demo     starts the two as processes, and prints what they say of themselves
 * </pre>
 */
package io.escapement.arena.program;
