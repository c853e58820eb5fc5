package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.rooms.host.RoomHost;
import java.util.BitSet;
import org.agrona.concurrent.UnsafeBuffer;

/** Has the edge open and close with the role of a loop, as soon as the edge's inbox has room. */
final class LeadershipNotices
{
    private static final int LENGTH = 2 * Integer.BYTES;

    private final int loop;
    private final int linkLimit;
    private final CommandQueue edgeInbox;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);
    private LoopLeadership leading;
    private boolean isFollowingDue;

    LeadershipNotices(final LoopContext context)
    {
        loop = context.loop();
        linkLimit = context.trunks().limit();
        edgeInbox = context.edgeInbox();
        bytes.putInt(0, loop);
    }

    /** The loop leads no more. The edge may never have known that it did. */
    void following(final int leaderMemberId)
    {
        leading = null;
        bytes.putInt(Integer.BYTES, leaderMemberId);
        isFollowingDue = true;
    }

    /** The loop leads. */
    void leading(final RoomHost host, final int incarnation)
    {
        final BitSet heldLinks = new BitSet();
        final long[] trunkIds = new long[linkLimit];
        for (int link = 0; link < linkLimit; link++)
        {
            heldLinks.set(link, host.hasSeats(link));
            trunkIds[link] = host.trunkOf(link);
        }
        final long[] roomIds = host.openRoomIds();
        final int[] typeIds = new int[roomIds.length];
        for (int i = 0; i < roomIds.length; i++)
        {
            typeIds[i] = host.typeOf(roomIds[i]);
        }
        leading = new LoopLeadership(
            loop, incarnation, heldLinks, trunkIds, host.loopState().lastSerial(), roomIds, typeIds);
    }

    boolean isDue()
    {
        return isFollowingDue || null != leading;
    }

    /** Send the notices that are due. Returns whether the edge was just sent that the loop leads. */
    boolean send()
    {
        if (isFollowingDue)
        {
            isFollowingDue = !edgeInbox.offer(ControlSignal.FOLLOWING, null, bytes, 0, LENGTH);
        }
        if (null == leading || isFollowingDue || !edgeInbox.offer(ControlSignal.LEADING, leading, bytes, 0, LENGTH))
        {
            return false;
        }
        leading = null;
        return true;
    }
}
