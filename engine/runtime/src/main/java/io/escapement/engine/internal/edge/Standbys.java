package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.TrunkCode;
import java.security.SecureRandom;
import java.util.ArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * Clients on standby: authenticated, with a loop stream or more, and without a trunk. They wait for this node to lead,
 * and then need not connect. Owns the streams that are STANDBY. An engine without other nodes always leads.
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
        private final ControlStream control;
        private final IngressStream stream;
        private boolean isAnswered;

        Entry(final ControlStream control, final IngressStream stream)
        {
            this.control = control;
            this.stream = stream;
        }
    }

    private final EdgeCounters counters;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final SecureRandom random;
    private final int limit;
    private final int loops;
    private final Long2ObjectHashMap<ControlStream> controlByTokenMap = new Long2ObjectHashMap<>();
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

    /** A log decides who leads, and no leader is known. */
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

    /** Admit an authenticated client. False when the clients on standby are as many as the trunk limit. */
    boolean admit(final ControlStream control)
    {
        controlByTokenMap.values().removeIf(Standbys::isGone);
        if (standing() >= limit)
        {
            return false;
        }
        long token = random.nextLong();
        while (0 == token || controlByTokenMap.containsKey(token))
        {
            token = random.nextLong();
        }
        control.standBy(token, clock.nanoTime());
        controlByTokenMap.put(token, control);
        answer(control);
        return true;
    }

    /** A client on standby got no trunk. */
    void keep(final ControlStream control)
    {
        control.standBy(control.standbyToken(), clock.nanoTime());
    }

    /** Send a client the role of this node. */
    void answer(final ControlStream control)
    {
        counters.countIfDropped(proxy.standby(control, role, loops));
    }

    /** Send a client that this node leads. */
    void announce(final ControlStream control)
    {
        counters.countIfDropped(proxy.leading(control, role));
    }

    /** Connect a loop stream of a client on standby, at most one stream per loop. */
    void onAttach(final IngressStream stream, final long token)
    {
        final ControlStream control = controlByTokenMap.get(token);
        final Entry known = entryOf(control, stream.loop());
        if (null == control || ControlStream.State.STANDBY != control.state() ||
            null != known && known.stream != stream)
        {
            counters.refused(TrunkCode.BAD_ATTACH.value());
        }
        else if (null == known)
        {
            stream.standBy();
            entries.add(new Entry(control, stream));
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
            if (IngressStream.State.STANDBY != entry.stream.state())
            {
                entries.remove(i);
            }
            else if (isGone(entry.control) || StreamPublication.State.CLOSED == entry.stream.pollResponse())
            {
                entry.stream.detach();
                entries.remove(i);
            }
            else if (!entry.isAnswered && entry.stream.isConnected())
            {
                entry.isAnswered = true;
                counters.countIfDropped(proxy.attached(entry.control, entry.stream.loop(), true));
            }
        }
    }

    /** Streams to loops on standby. */
    int held()
    {
        return entries.size();
    }

    private int standing()
    {
        int count = 0;
        for (final ControlStream control : controlByTokenMap.values())
        {
            count += ControlStream.State.WELCOMED == control.state() ? 0 : 1;
        }
        return count;
    }

    private static boolean isGone(final ControlStream control)
    {
        return ControlStream.State.ENDING == control.state() || ControlStream.State.CLOSED == control.state();
    }

    private Entry entryOf(final ControlStream control, final int loop)
    {
        for (int i = 0; i < entries.size(); i++)
        {
            final Entry entry = entries.get(i);
            if (entry.control == control && entry.stream.loop() == loop)
            {
                return entry;
            }
        }
        return null;
    }
}
