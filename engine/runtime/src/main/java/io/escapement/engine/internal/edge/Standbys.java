package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import java.security.SecureRandom;
import java.util.ArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * Clients that stand by: authenticated, with a loop stream or more, and without a trunk. They wait for this node to
 * lead, so that they need not connect then. Owns the links that are STANDBY. An engine without other nodes always
 * leads.
 */
final class Standbys
{
    /**
     * The role of this node.
     *
     * @param memberId       its number.
     * @param leaderMemberId number of the node that leads, or {@link TrunkMessages#NO_LEADER}.
     * @param incarnation    in which this node leads or led last.
     */
    record Role(int memberId, int leaderMemberId, int incarnation)
    {
    }

    /** A loop stream of a client. */
    private static final class Entry
    {
        private final Connection connection;
        private final LoopLink link;
        private boolean isAnswered;

        Entry(final Connection connection, final LoopLink link)
        {
            this.connection = connection;
            this.link = link;
        }
    }

    private final EdgeCounters counters;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final SecureRandom random;
    private final int limit;
    private final int loops;
    private final Long2ObjectHashMap<Connection> connectionByTokenMap = new Long2ObjectHashMap<>();
    private final ArrayList<Entry> entries = new ArrayList<>();
    private Role role;

    Standbys(final EdgeContext context, final ControlProxy proxy, final NanoClock clock)
    {
        this.proxy = proxy;
        this.clock = clock;
        limit = context.trunks().limit();
        counters = context.counters();
        random = context.random();
        loops = context.queues().inboxes().length;
        role = new Role(0, 0, 0);
    }

    /** A log decides who leads, and none is known to lead. */
    void join(final int memberId)
    {
        role = new Role(memberId, TrunkMessages.NO_LEADER, 0);
    }

    void follow(final int leaderMemberId)
    {
        role = new Role(role.memberId, leaderMemberId, role.incarnation);
    }

    void lead(final int incarnation)
    {
        role = new Role(role.memberId, role.memberId, incarnation);
    }

    /** Admit an authenticated client. False when as many stand by as there may be trunks. */
    boolean admit(final Connection connection)
    {
        connectionByTokenMap.values().removeIf(Standbys::isGone);
        if (standing() >= limit)
        {
            return false;
        }
        long token = random.nextLong();
        while (0 == token || connectionByTokenMap.containsKey(token))
        {
            token = random.nextLong();
        }
        connection.standBy(token, clock.nanoTime());
        connectionByTokenMap.put(token, connection);
        answer(connection);
        return true;
    }

    /** A client that has stood by got no trunk. */
    void keep(final Connection connection)
    {
        connection.standBy(connection.standbyToken(), clock.nanoTime());
    }

    /** Send a client the role of this node. */
    void answer(final Connection connection)
    {
        counters.countIfDropped(proxy.standby(connection, role, loops));
    }

    /** Send a client that this node leads. */
    void announce(final Connection connection)
    {
        counters.countIfDropped(proxy.leading(connection, role));
    }

    /** Connect a loop stream of a client that stands by; one for each loop. */
    void onAttach(final LoopLink link, final long token)
    {
        final Connection connection = connectionByTokenMap.get(token);
        final Entry known = entryOf(connection, link.loop());
        if (null == connection || Connection.State.STANDBY != connection.state() ||
            null != known && known.link != link)
        {
            counters.refused(TrunkCode.BAD_ATTACH.value());
        }
        else if (null == known)
        {
            link.standBy();
            entries.add(new Entry(connection, link));
        }
        else
        {
            // The client has not read Attached yet.
            known.isAnswered = false;
        }
    }

    void housekeep()
    {
        for (int i = entries.size() - 1; i >= 0; i--)
        {
            final Entry entry = entries.get(i);
            if (LoopLink.State.STANDBY != entry.link.state())
            {
                entries.remove(i);
            }
            else if (isGone(entry.connection) || ResponsePublication.State.CLOSED == entry.link.pollResponse())
            {
                entry.link.detach();
                entries.remove(i);
            }
            else if (!entry.isAnswered && entry.link.isConnected())
            {
                entry.isAnswered = true;
                counters.countIfDropped(proxy.attached(entry.connection, entry.link.loop(), true));
            }
        }
    }

    /** Links that stand by. */
    int held()
    {
        return entries.size();
    }

    private int standing()
    {
        int count = 0;
        for (final Connection connection : connectionByTokenMap.values())
        {
            count += Connection.State.WELCOMED == connection.state() ? 0 : 1;
        }
        return count;
    }

    private static boolean isGone(final Connection connection)
    {
        return Connection.State.ENDING == connection.state() || Connection.State.CLOSED == connection.state();
    }

    private Entry entryOf(final Connection connection, final int loop)
    {
        for (int i = 0; i < entries.size(); i++)
        {
            final Entry entry = entries.get(i);
            if (entry.connection == connection && entry.link.loop() == loop)
            {
                return entry;
            }
        }
        return null;
    }
}
