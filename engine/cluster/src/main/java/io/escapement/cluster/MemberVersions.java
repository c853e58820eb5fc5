package io.escapement.cluster;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Which versions of room types each member has, as it announced them last. An announcement contains all versions of a
 * member. A lost or repeated announcement has no lasting effect. After a member's restart, its announcement replaces
 * the versions of its earlier process:
 *
 * <pre>
 *   realm (8) | member (4) | count (4) | count times: type (4), version (4)
 * </pre>
 */
final class MemberVersions
{
    /** As many as fit in a message of a term of 64 KiB. */
    static final int LIMIT = 1_000;
    static final int MAX_LENGTH = 16 + 8 * LIMIT;
    /** If a member is silent for this long, it may no longer run with its last announced versions. */
    static final long SILENT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MEMBER_OFFSET = 8;
    private static final int COUNT_OFFSET = 12;
    private static final int VERSIONS_OFFSET = 16;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final long realm;
    private final int memberId;
    private final Set<Long> own = new LinkedHashSet<>();
    private final List<Set<Long>> versionsByMember = new ArrayList<>();
    private final long[] announcedNs;

    /**
     * Make a table without announcements.
     *
     * @param realm       of the cluster, because another cluster may have used its ports before.
     * @param memberId    of this node.
     * @param memberCount of the cluster.
     */
    MemberVersions(final long realm, final int memberId, final int memberCount)
    {
        this.realm = realm;
        this.memberId = memberId;
        announcedNs = new long[memberCount];
        for (int i = 0; i < memberCount; i++)
        {
            versionsByMember.add(Set.of());
        }
    }

    /** This node has a version. */
    synchronized void add(final int typeId, final int version)
    {
        if (own.size() >= LIMIT)
        {
            throw new IllegalStateException("a node announces at most " + LIMIT + " versions of room types");
        }
        own.add(key(typeId, version));
    }

    /** Encode what this node has. Returns the length. */
    synchronized int encode(final MutableDirectBuffer to)
    {
        to.putLong(0, realm, ORDER);
        to.putInt(MEMBER_OFFSET, memberId, ORDER);
        to.putInt(COUNT_OFFSET, own.size(), ORDER);
        int at = VERSIONS_OFFSET;
        for (final long key : own)
        {
            to.putLong(at, key, ORDER);
            at += Long.BYTES;
        }
        return at;
    }

    /**
     * Take over the versions of another member. Returns false if the message is not an announcement of this cluster.
     */
    synchronized boolean onMessage(final DirectBuffer buffer, final int offset, final int length, final long nowNs)
    {
        if (length < VERSIONS_OFFSET || realm != buffer.getLong(offset, ORDER))
        {
            return false;
        }
        final int member = buffer.getInt(offset + MEMBER_OFFSET, ORDER);
        final int count = buffer.getInt(offset + COUNT_OFFSET, ORDER);
        if (member < 0 || member >= announcedNs.length || member == memberId || count < 0 || count > LIMIT ||
            length != VERSIONS_OFFSET + count * Long.BYTES)
        {
            return false;
        }
        final Set<Long> versions = new LinkedHashSet<>();
        for (int i = 0; i < count; i++)
        {
            versions.add(buffer.getLong(offset + VERSIONS_OFFSET + i * Long.BYTES, ORDER));
        }
        versionsByMember.set(member, versions);
        announcedNs[member] = nowNs;
        return true;
    }

    /** The other members that have not announced this version, or anything for {@link #SILENT_NS}. */
    synchronized List<Integer> membersWithout(final int typeId, final int version, final long nowNs)
    {
        final List<Integer> without = new ArrayList<>();
        for (int member = 0; member < announcedNs.length; member++)
        {
            if (member != memberId && (!versionsByMember.get(member).contains(key(typeId, version)) ||
                nowNs - announcedNs[member] > SILENT_NS))
            {
                without.add(member);
            }
        }
        return without;
    }

    /** The type in the low half, because it is first in the bytes. */
    private static long key(final int typeId, final int version)
    {
        return (long)version << Integer.SIZE | typeId & 0xFFFF_FFFFL;
    }
}
