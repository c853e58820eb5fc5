/**
 * Runs the proposals of a log: on each node as they are committed, in a recovery, and in a replay that reports the
 * first difference from the log. Cuts the log of one room out of it.
 *
 * <p>A replay without a compared turn, or of a log without an end record, is no proof that all is the same: also check
 * {@link io.escapement.rooms.replay.Replay#compared()} and {@link io.escapement.rooms.replay.Replay#isCutOff()}.
 */
package io.escapement.rooms.replay;
