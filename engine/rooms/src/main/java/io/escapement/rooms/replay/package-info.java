/**
 * Runs the proposals of a log: on each node as they are committed, in a recovery, and in a replay that reports the
 * first difference from the log. Cuts the log of one room out of it.
 *
 * <p>A replay that compared no turn, or that reached the end of a log that ends in the middle, is no proof that
 * all is the same: ask {@link io.escapement.rooms.replay.Replay#compared()} and
 * {@link io.escapement.rooms.replay.Replay#isCutOff()} too.
 */
package io.escapement.rooms.replay;
