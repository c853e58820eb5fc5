/**
 * The timing wheel that all rooms of a host share. It stores numbers only: a deadline, an owner and an id.
 *
 * <p><b>The rule of ticks.</b> A timer set at {@code now} for a deadline belongs to tick
 * {@code max(ceil(deadline / T), floor(now / T) + 1)}, and the first {@code expire} at or after the time of that tick
 * delivers it. The tick depends only on the deadline and on {@code now}, not on when the wheel was advanced. Therefore
 * a replay of one room, without the other rooms of its host, fires the same timers in the same turns. No timer fires in
 * the turn that set it.
 *
 * <p><b>Handles.</b> The wheel has no handles that survive a timer. A room's handle is a slot of the room with a
 * generation. The host maps it to a node, and a stale handle never reaches the wheel.
 *
 * <p><b>Layout.</b> A wheel of a loaded host is larger than the caches, and its cost is cache misses. Buckets are
 * chains of cache lines of node numbers: advancing reads a tick without following one node to the next, and a cancel,
 * the fate of most timers, waits for one line.
 */
package io.escapement.rooms.internal.timers;
