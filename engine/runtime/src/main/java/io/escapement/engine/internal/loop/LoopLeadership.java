package io.escapement.engine.internal.loop;

import java.util.BitSet;

/**
 * The edge's data about a loop that starts to lead.
 *
 * @param loop        number of the loop.
 * @param incarnation that starts.
 * @param heldLinks   link numbers of earlier incarnations that seats remember.
 * @param trunkIds    of links with held seats, 0 for others.
 * @param lastSerial  greatest serial of a room that the loop has seen.
 * @param roomIds     open rooms, in the order in which they opened.
 * @param typeIds     their types.
 */
public record LoopLeadership(
    int loop,
    int incarnation,
    BitSet heldLinks,
    long[] trunkIds,
    long lastSerial,
    long[] roomIds,
    int[] typeIds)
{
}
