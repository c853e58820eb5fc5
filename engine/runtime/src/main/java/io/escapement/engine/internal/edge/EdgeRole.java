package io.escapement.engine.internal.edge;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.LoopLeadership;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.LongArrayList;

/**
 * Opens the edge when all loops lead the same incarnation, and closes it when one leads no more: all trunks end, and
 * their clients resume them at the node that leads.
 */
final class EdgeRole
{
    private final Leadership leadership;
    private final Trunks trunks;
    private final Handshakes handshakes;
    private final RoomOpener roomOpener;
    private final Directory directory;
    private final RoomPlacement placement;
    private final LoopLeadership[] loops;
    private boolean isOpen;

    EdgeRole(
        final Leadership leadership,
        final int loops,
        final Trunks trunks,
        final Handshakes handshakes,
        final RoomOpener roomOpener,
        final Directory directory,
        final RoomPlacement placement)
    {
        this.leadership = leadership;
        this.trunks = trunks;
        this.handshakes = handshakes;
        this.roomOpener = roomOpener;
        this.directory = directory;
        this.placement = placement;
        this.loops = new LoopLeadership[loops];
        handshakes.join(leadership.memberId());
    }

    void onLeading(final LoopLeadership loop)
    {
        loops[loop.loop()] = loop;
        for (final LoopLeadership other : loops)
        {
            if (null == other || other.incarnation() != loop.incarnation())
            {
                return;
            }
        }
        open(loop.incarnation());
    }

    void onFollowing(final int loop, final int leaderMemberId)
    {
        loops[loop] = null;
        directory.forget(loop);
        leadership.follow(leaderMemberId);
        handshakes.follow(leadership.leaderMemberId());
        if (isOpen)
        {
            isOpen = false;
            roomOpener.forget();
            trunks.stop(TrunkCode.NOT_LEADING);
        }
    }

    private void open(final int incarnation)
    {
        final BitSet heldLinks = new BitSet();
        final long[][] trunkIds = new long[loops.length][];
        final Map<Integer, LongArrayList> roomsByTypeMap = new HashMap<>();
        for (final LoopLeadership loop : loops)
        {
            heldLinks.or(loop.heldLinks());
            trunkIds[loop.loop()] = loop.trunkIds();
            placement.resume(loop.loop(), loop.lastSerial(), loop.roomIds().length);
            for (int i = 0; i < loop.roomIds().length; i++)
            {
                roomsByTypeMap.computeIfAbsent(loop.typeIds()[i], (type) -> new LongArrayList())
                    .addLong(loop.roomIds()[i]);
            }
        }
        final Map<Integer, long[]> rooms = new HashMap<>();
        roomsByTypeMap.forEach((type, ids) -> rooms.put(type, ids.toLongArray()));
        trunks.closeFeeds();
        trunks.begin(incarnation, heldLinks, EdgeContext.HeldTrunk.of(trunkIds));
        handshakes.lead(incarnation);
        isOpen = true;
        leadership.lead(Map.copyOf(rooms));
    }
}
