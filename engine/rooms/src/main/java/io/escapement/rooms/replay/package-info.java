/**
 * Runs a turn log again and reports the first difference from the recording; cuts the log of one room out of it.
 *
 * <p>A replay that compared no turn, or that reached the end of a recording that ends in the middle, is no proof that
 * all is the same: ask {@link io.escapement.rooms.replay.Replay#compared()} and
 * {@link io.escapement.rooms.replay.Replay#isCutOff()} too.
 */
package io.escapement.rooms.replay;
