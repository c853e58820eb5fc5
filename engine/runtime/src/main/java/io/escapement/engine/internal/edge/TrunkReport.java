package io.escapement.engine.internal.edge;

import java.util.Map;

/**
 * A trunk, for an operator.
 *
 * @param id            of the trunk.
 * @param link          its number in every loop.
 * @param identity      that its client proved, or null if it belongs to the last incarnation and nobody has resumed it.
 * @param source        address of its client, or null while it is lost.
 * @param isUp          whether it has a connection; otherwise its seats are held.
 * @param loops         that it is attached to.
 * @param logIns        of players under way.
 * @param silentNs      since its last keepalive, or since it was lost.
 * @param roundTripNs   of the last answered keepalive, as its client measured it; 0 if it is not known.
 * @param received      bytes on the streams of loops since it was attached.
 * @param entries       that it sent to loops, refused ones included.
 * @param refused       of its entries that were refused here.
 * @param refusedByCode of them, for the first codes that occurred.
 */
public record TrunkReport(
    long id,
    int link,
    byte[] identity,
    String source,
    boolean isUp,
    int loops,
    int logIns,
    long silentNs,
    long roundTripNs,
    long received,
    long entries,
    long refused,
    Map<Integer, Long> refusedByCode)
{
}
