package io.escapement.engine.internal.edge;

import io.escapement.engine.spi.ReplicatedLog;
import java.util.Map;

/** Whether an engine with a log leads. The edge writes it, any thread reads it. */
public final class Leadership
{
    private static final long[] NO_ROOMS = {};

    /** State in one piece. */
    private record View(long term, boolean isLeading, int leaderMemberId, Map<Integer, long[]> roomsByTypeMap)
    {
    }

    private final int memberId;
    private volatile View view = new View(0, false, ReplicatedLog.NO_LEADER, Map.of());

    /**
     * Make a follower's leadership.
     *
     * @param memberId number of this node.
     */
    public Leadership(final int memberId)
    {
        this.memberId = memberId;
    }

    /** Whether all loops lead, so that the edge accepts trunks and new rooms. */
    public boolean isLeading()
    {
        return view.isLeading;
    }

    /** Incremented each time that this node starts to lead or to follow. */
    public long term()
    {
        return view.term;
    }

    /** The member that leads, or {@link ReplicatedLog#NO_LEADER}. */
    public int leaderMemberId()
    {
        return view.leaderMemberId;
    }

    /** Rooms of a type that were open when this node became the leader. */
    public long[] rooms(final int typeId)
    {
        return view.roomsByTypeMap.getOrDefault(typeId, NO_ROOMS);
    }

    int memberId()
    {
        return memberId;
    }

    void lead(final Map<Integer, long[]> roomsByTypeMap)
    {
        view = new View(view.term + 1, true, memberId, roomsByTypeMap);
    }

    void follow(final int leaderMemberId)
    {
        view = new View(view.term + 1, false,
            leaderMemberId == memberId ? ReplicatedLog.NO_LEADER : leaderMemberId, Map.of());
    }
}
