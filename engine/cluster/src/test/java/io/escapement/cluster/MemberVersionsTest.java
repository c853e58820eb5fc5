package io.escapement.cluster;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MemberVersionsTest
{
    private static final long REALM = 77;
    private static final int TYPE = 5;
    private static final int MEMBERS = 3;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MemberVersions.MAX_LENGTH + 8]);
    private final MemberVersions first = new MemberVersions(REALM, 0, MEMBERS);
    private final MemberVersions second = new MemberVersions(REALM, 1, MEMBERS);

    @Test
    void shouldKnowWhatAMemberAnnouncedLast()
    {
        second.add(TYPE, 1);
        second.add(TYPE, 2);
        assertEquals(List.of(1, 2), first.membersWithout(TYPE, 2, 0), "nobody has announced anything");
        assertTrue(announce(second, 100));
        assertEquals(List.of(2), first.membersWithout(TYPE, 2, 100));
        assertEquals(List.of(1, 2), first.membersWithout(TYPE, 3, 100));
        assertEquals(List.of(1, 2), first.membersWithout(2, TYPE, 100), "type and version are not exchanged");
        assertEquals(List.of(1, 2), first.membersWithout(TYPE + 1, 2, 100));

        final MemberVersions restarted = new MemberVersions(REALM, 1, MEMBERS);
        restarted.add(TYPE, 1);
        assertTrue(announce(restarted, 200));
        assertEquals(List.of(1, 2), first.membersWithout(TYPE, 2, 200), "it has started again without version 2");
        assertEquals(List.of(2), first.membersWithout(TYPE, 1, 200));
    }

    @Test
    void shouldNotCountOnASilentMember()
    {
        second.add(TYPE, 2);
        assertTrue(announce(second, 100));
        assertEquals(List.of(2), first.membersWithout(TYPE, 2, 100 + MemberVersions.SILENT_NS));
        assertEquals(List.of(1, 2), first.membersWithout(TYPE, 2, 101 + MemberVersions.SILENT_NS));
    }

    @Test
    void shouldIgnoreWhatIsNoAnnouncement()
    {
        second.add(TYPE, 2);
        final int length = second.encode(message);
        for (int i = 0; i < length; i++)
        {
            assertFalse(first.onMessage(message, 0, i, 0), "cut off at " + i);
        }
        assertFalse(first.onMessage(message, 0, length + Long.BYTES, 0), "longer than its count");
        for (final int count : new int[] {-1, 2, MemberVersions.LIMIT + 1, Integer.MAX_VALUE})
        {
            message.putInt(12, count);
            assertFalse(first.onMessage(message, 0, length, 0), "count " + count);
        }
        for (final int member : new int[] {-1, 0, MEMBERS, Integer.MAX_VALUE})
        {
            second.encode(message);
            message.putInt(8, member);
            assertFalse(first.onMessage(message, 0, length, 0), "member " + member);
        }
        assertFalse(announce(new MemberVersions(REALM + 1, 1, MEMBERS), 0), "another cluster");
        assertEquals(List.of(1, 2), first.membersWithout(TYPE, 2, 0));
    }

    @Test
    void shouldRefuseMoreVersionsThanFit()
    {
        for (int version = 1; version <= MemberVersions.LIMIT; version++)
        {
            second.add(TYPE, version);
        }
        assertEquals(MemberVersions.MAX_LENGTH, second.encode(message));
        assertTrue(announce(second, 0));
        assertEquals(List.of(2), first.membersWithout(TYPE, MemberVersions.LIMIT, 0));
        assertThrows(IllegalStateException.class, () -> second.add(TYPE, MemberVersions.LIMIT + 1));
    }

    private boolean announce(final MemberVersions member, final long nowNs)
    {
        return first.onMessage(message, 0, member.encode(message), nowNs);
    }
}
