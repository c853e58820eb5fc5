package io.escapement.engine.monitor;

import java.util.Map;

/**
 * A trunk, for an operator: the connection of a gateway, or of another application with players.
 *
 * @param link          its number in all loops.
 * @param id            of the trunk.
 * @param identity      that its client proved, as text. Empty if it was inherited from before a restart and not yet
 *                      resumed.
 * @param address       of its client, or empty while it is lost.
 * @param isUp          whether it has a connection. Otherwise its seats are held.
 * @param loops         that it is attached to.
 * @param logIns        of players under way.
 * @param silentNs      since its last keepalive, or since it was lost.
 * @param roundTripNs   of its last answered keepalive, as its client measured it; 0 if it is not known.
 * @param received      bytes from it since its connection started.
 * @param entries       messages from it.
 * @param refused       of them, refused before they reached a loop.
 * @param refusedByCode of those, for the first eight codes that occurred.
 */
public record TrunkReport(
    int link,
    long id,
    String identity,
    String address,
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
