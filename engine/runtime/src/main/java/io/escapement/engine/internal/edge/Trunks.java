package io.escapement.engine.internal.edge;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.monitor.TrunkReport;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.trunks.TrunkServerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * The life of trunks, from Welcome to the release of their link numbers. Owns every trunk and every link number. A
 * number leaves {@link #freeLinks} only in {@link #open} and returns only in {@link #freeIfDetached}.
 */
final class Trunks
{
    /** A trillion trunks an incarnation, so that no id is used in two. */
    private static final int INCARNATION_SHIFT = 40;

    private final TrunkServerContext options;
    private final EdgeCounters counters;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final TokenKeys keys;
    private final IngressStreams streams;
    private final Feeds feeds;
    private final int loops;
    private final Long2ObjectHashMap<Trunk> trunkByIdMap = new Long2ObjectHashMap<>();
    private final Trunk[] trunkByLink;
    private final ArrayDeque<Integer> freeLinks = new ArrayDeque<>();
    private long lastTrunkId;

    Trunks(final EdgeContext context, final EdgeTransport transport, final ControlProxy proxy, final NanoClock clock)
    {
        this.proxy = proxy;
        this.clock = clock;
        options = context.trunks();
        counters = context.counters();
        keys = context.keys();
        loops = context.queues().inboxes().length;
        feeds = new Feeds(context, transport, proxy, clock);
        streams = new IngressStreams(options, context.queues().inboxes(), feeds);
        trunkByLink = new Trunk[options.limit()];
        for (int i = 0; i < trunkByLink.length; i++)
        {
            freeLinks.add(i);
        }
    }

    /**
     * Hold the trunks of the last incarnation if their tokens can be checked, as if they had been lost at the start of
     * this incarnation. Of the other link numbers, the numbers that seats remember are used last: LinkUp makes its loop
     * forget them.
     */
    private void inherit(final List<EdgeContext.HeldTrunk> heldTrunks, final BitSet heldLinks)
    {
        for (int i = 0; keys.isLasting() && i < heldTrunks.size(); i++)
        {
            final EdgeContext.HeldTrunk held = heldTrunks.get(i);
            // A loop may still release the number of a trunk that ended here.
            if (freeLinks.remove((Integer)held.link()))
            {
                final Trunk trunk = Trunk.inherited(held, loops, clock.nanoTime());
                trunkByLink[trunk.link()] = trunk;
                trunkByIdMap.put(trunk.id(), trunk);
            }
        }
        final ArrayDeque<Integer> last = new ArrayDeque<>();
        for (int i = freeLinks.size(); i > 0; i--)
        {
            final Integer link = freeLinks.remove();
            (heldLinks.get(link) ? last : freeLinks).add(link);
        }
        freeLinks.addAll(last);
    }

    /** Start an incarnation, once all trunks have closed. Ids of new trunks do not repeat. */
    void begin(final int incarnation, final BitSet heldLinks, final List<EdgeContext.HeldTrunk> heldTrunks)
    {
        lastTrunkId = (long)incarnation << INCARNATION_SHIFT;
        inherit(heldTrunks, heldLinks);
    }

    /** Open a trunk on an authenticated control stream. False when no link number is free. */
    boolean open(final ControlStream control, final Authenticator.Verdict verdict)
    {
        if (freeLinks.isEmpty())
        {
            endInherited();
        }
        final Integer link = freeLinks.poll();
        if (null == link)
        {
            return false;
        }
        final Trunk trunk = new Trunk(++lastTrunkId, link, control.challenge().identity(), verdict, loops);
        trunkByLink[link] = trunk;
        trunkByIdMap.put(trunk.id(), trunk);
        connect(control, trunk, false);
        return true;
    }

    /** Continue a trunk on an authenticated control stream. False when the tokens or the identity do not match. */
    boolean resume(
        final ControlStream control,
        final long trunkId,
        final long resumeHigh,
        final long resumeLow,
        final Authenticator.Verdict verdict)
    {
        final Trunk trunk = trunkByIdMap.get(trunkId);
        if (null == trunk || !trunk.matches(keys, resumeHigh, resumeLow, control.challenge().identity()))
        {
            return false;
        }
        if (trunk.isInherited())
        {
            trunk.adopt(control.challenge().identity(), verdict, TokenKeys.connectionOf(resumeHigh));
        }
        if (trunk.isUp())
        {
            // The client noticed the loss of its connection before the engine did.
            lose(trunk, TrunkCode.REPLACED);
        }
        connect(control, trunk, true);
        return true;
    }

    void onActivity(final ControlStream control)
    {
        if (null != control.trunk())
        {
            control.trunk().onActivity(clock.nanoTime());
        }
    }

    void onGoodbye(final ControlStream control)
    {
        final Trunk trunk = control.trunk();
        if (null != trunk)
        {
            release(trunk);
            end(trunk);
        }
        control.end(clock.nanoTime());
    }

    void onImageGone(final ControlStream control)
    {
        if (null != control.trunk())
        {
            release(control.trunk());
        }
        control.close();
    }

    void onAttach(final IngressStream stream, final long trunkId, final long attachToken)
    {
        final Trunk trunk = trunkByIdMap.get(trunkId);
        if (null == trunk || !trunk.isUp() || !trunk.isAttachToken(attachToken) || null != trunk.stream(stream.loop()))
        {
            counters.refused(TrunkCode.BAD_ATTACH.value());
            return;
        }
        streams.attach(stream, trunk);
    }

    /** Attach on a stream that is attached: the client has not read Attached yet. */
    void onAttachRepeated(final IngressStream stream, final long trunkId, final long attachToken)
    {
        final Trunk trunk = stream.trunk();
        if (trunk.id() == trunkId && trunk.isAttachToken(attachToken) && trunk.isUp())
        {
            counters.countIfDropped(proxy.attached(trunk.control(), stream.loop(), true));
        }
        else
        {
            counters.refused(TrunkCode.BAD_ATTACH.value());
        }
    }

    void onImageGone(final IngressStream stream)
    {
        streams.detach(stream);
    }

    /** A loop took the publication that it was offered. */
    void onAttached(final int loop, final int link)
    {
        final Trunk trunk = trunkByLink[link];
        final IngressStream stream = null == trunk ? null : trunk.stream(loop);
        if (null != stream && IngressStream.State.OFFERED == stream.state())
        {
            stream.onAttached();
            counters.countIfDropped(proxy.attached(trunk.control(), loop, false));
            feeds.onAttached(stream);
        }
    }

    /** A client says how far its subscription to the feed of a loop is. */
    void onFeed(final Trunk trunk, final int loop, final int feedId, final int port, final boolean isOn)
    {
        feeds.onFeed(trunk, loop, feedId, port, isOn);
    }

    /** A loop released a publication. */
    void onDetached(final int loop, final int link)
    {
        final Trunk trunk = streams.onDetached(loop, link);
        if (null != trunk)
        {
            freeIfDetached(trunk);
        }
    }

    /** A loop reports that a trunk does not take its messages. Its seats are held until its client resumes it. */
    void onSlow(final int link)
    {
        final Trunk trunk = trunkByLink[link];
        if (null != trunk && trunk.isUp())
        {
            counters.refused(TrunkCode.SLOW_CONSUMER.value());
            lose(trunk, TrunkCode.SLOW_CONSUMER);
        }
    }

    int housekeep()
    {
        final int work = streams.housekeep() + feeds.housekeep();
        final long nowNs = clock.nanoTime();
        for (final Trunk trunk : trunkByLink)
        {
            if (null == trunk)
            {
                continue;
            }
            if (trunk.isSilent(nowNs, options.silenceNs()))
            {
                counters.refused(TrunkCode.KEEPALIVE_LATE.value());
                lose(trunk, TrunkCode.KEEPALIVE_LATE);
            }
            else if (trunk.isGraceOver(nowNs, options.graceNs()))
            {
                end(trunk);
            }
        }
        return work;
    }

    /** Close every trunk, because the engine stops or no longer leads, and give its client the reason. */
    void stop(final TrunkCode code)
    {
        for (final Trunk trunk : trunkByLink)
        {
            if (null != trunk)
            {
                if (trunk.isUp())
                {
                    close(trunk, code);
                }
                else
                {
                    end(trunk);
                }
            }
        }
    }

    /** Close the feeds. Loops do not write to them once all trunks have closed. */
    void closeFeeds()
    {
        feeds.close();
    }

    /** Reports of all trunks. */
    List<TrunkReport> report()
    {
        final List<TrunkReport> reports = new ArrayList<>();
        for (final Trunk trunk : trunkByLink)
        {
            if (null != trunk)
            {
                reports.add(trunk.report(clock.nanoTime()));
            }
        }
        return reports;
    }

    /** Link numbers in use, streams that are being attached or detached, and log-ins under way. */
    int held()
    {
        int held = streams.held() + trunkByLink.length - freeLinks.size();
        for (final Trunk trunk : trunkByLink)
        {
            held += null == trunk ? 0 : trunk.logIns().held();
        }
        return held;
    }

    private void connect(final ControlStream control, final Trunk trunk, final boolean isResumed)
    {
        final long nowNs = clock.nanoTime();
        control.welcome(trunk);
        trunk.connect(control, keys, nowNs);
        counters.trunks.incrementRelease();
        proxy.welcome(control, trunk, nowNs, isResumed);
    }

    /** End the trunk and its control stream, and give the client the reason. */
    private void close(final Trunk trunk, final TrunkCode code)
    {
        counters.refused(code.value());
        lose(trunk, code);
        end(trunk);
    }

    /** UP to LOST: also closes the control stream, and gives the client the reason. */
    private void lose(final Trunk trunk, final TrunkCode code)
    {
        final ControlStream control = trunk.control();
        release(trunk);
        proxy.goodbye(control, code);
        control.end(clock.nanoTime());
    }

    /** UP to LOST: loops release the trunk's publications, and its seats are held. */
    private void release(final Trunk trunk)
    {
        streams.detachAll(trunk);
        trunk.lose(clock.nanoTime());
        counters.trunks.decrementRelease();
    }

    /** A trunk of the last incarnation that was not resumed gives way to a new trunk. */
    private void endInherited()
    {
        for (final Trunk trunk : trunkByLink)
        {
            if (null != trunk && trunk.isInherited())
            {
                end(trunk);
                return;
            }
        }
    }

    /** LOST to ENDED. */
    private void end(final Trunk trunk)
    {
        trunk.end();
        trunkByIdMap.remove(trunk.id());
        trunkByLink[trunk.link()] = null;
        freeIfDetached(trunk);
    }

    /** Free the link number of an ended trunk once no loop has any of its publications. */
    private void freeIfDetached(final Trunk trunk)
    {
        if (Trunk.State.ENDED == trunk.state() && !streams.isDetaching(trunk))
        {
            freeLinks.add(trunk.link());
        }
    }
}
