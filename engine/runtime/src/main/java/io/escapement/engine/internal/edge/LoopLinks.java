package io.escapement.engine.internal.edge;

import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.engine.internal.loop.LinkQueues;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.trunks.TrunkServerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Attaches trunks to loops. The edge makes each response publication, offers it to the loop, and closes it when the
 * loop has released it. Owns the links that are CONNECTING, CANCELLED or DETACHING.
 */
final class LoopLinks
{
    private final TrunkServerContext options;
    /** Queues that no loop uses. Not more are made than links are attached at one time. */
    private final ArrayDeque<LinkQueues> freeQueues = new ArrayDeque<>();
    private final CommandQueue[] inboxes;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final ArrayList<LoopLink> connecting = new ArrayList<>();
    private final ArrayList<LoopLink> detaching = new ArrayList<>();

    LoopLinks(final TrunkServerContext options, final CommandQueue[] inboxes)
    {
        this.options = options;
        this.inboxes = inboxes;
    }

    void attach(final LoopLink link, final Trunk trunk)
    {
        link.connect(trunk, new EntryLimits(options));
        connecting.add(link);
    }

    /** Stop reading a link. If its loop has the publication, the loop is asked to release it. */
    void detach(final LoopLink link)
    {
        final LoopLink.State before = link.state();
        link.detach();
        if (LoopLink.State.DETACHING == link.state() && LoopLink.State.DETACHING != before)
        {
            detaching.add(link);
            sendDetach(link);
        }
    }

    void detachAll(final Trunk trunk)
    {
        for (int loop = 0; loop < trunk.loops(); loop++)
        {
            final LoopLink link = trunk.loopLink(loop);
            if (null != link)
            {
                detach(link);
            }
        }
    }

    /** A loop released a publication. Returns its trunk, or null when no such link is detaching. */
    Trunk onDetached(final int loop, final int linkNumber)
    {
        for (int i = 0; i < detaching.size(); i++)
        {
            final LoopLink link = detaching.get(i);
            if (link.loop() == loop && link.trunk().link() == linkNumber)
            {
                detaching.remove(i);
                freeQueues.add(link.queues());
                link.close();
                return link.trunk();
            }
        }
        return null;
    }

    int housekeep()
    {
        int work = 0;
        for (int i = connecting.size() - 1; i >= 0; i--)
        {
            if (hasLeftConnecting(connecting.get(i)))
            {
                connecting.remove(i);
                work++;
            }
        }
        for (int i = 0; i < detaching.size(); i++)
        {
            sendDetach(detaching.get(i));
        }
        return work;
    }

    /** Links that are being attached or detached. */
    int held()
    {
        return connecting.size() + detaching.size();
    }

    boolean isDetaching(final Trunk trunk)
    {
        for (int i = 0; i < detaching.size(); i++)
        {
            if (detaching.get(i).trunk() == trunk)
            {
                return true;
            }
        }
        return false;
    }

    private boolean isDetaching(final Trunk trunk, final int loop)
    {
        for (int i = 0; i < detaching.size(); i++)
        {
            if (detaching.get(i).trunk() == trunk && detaching.get(i).loop() == loop)
            {
                return true;
            }
        }
        return false;
    }

    private boolean hasLeftConnecting(final LoopLink link)
    {
        final ResponsePublication.State response = link.pollResponse();
        if (ResponsePublication.State.PENDING == response)
        {
            return false;
        }
        if (ResponsePublication.State.CLOSED == response || LoopLink.State.CANCELLED == link.state())
        {
            link.close();
            return true;
        }
        // While the loop has the trunk's last publication, DETACHED of the old would be mistaken for one of the new.
        // Other loops do not matter: one that hangs must not keep the trunk from the rest.
        return link.isConnected() && !isDetaching(link.trunk(), link.loop()) && tryOffer(link);
    }

    private boolean tryOffer(final LoopLink link)
    {
        final Trunk trunk = link.trunk();
        final int length = trunk.isKnownToLoop(link.loop()) ?
            commands.linkResumed(scratch, 0, trunk.link(), trunk.link(), trunk.id()) :
            commands.linkUp(scratch, 0, trunk.link(), trunk.id());
        final LinkQueues queues = freeQueues.isEmpty() ? new LinkQueues() : freeQueues.remove();
        if (!inboxes[link.loop()].offer(ControlSignal.ATTACH, link.attachment(queues), scratch, 0, length))
        {
            freeQueues.add(queues);
            return false;
        }
        link.onOffered(queues);
        return true;
    }

    private void sendDetach(final LoopLink link)
    {
        if (!link.isDetachSent())
        {
            final int length = commands.linkDown(scratch, 0, link.trunk().link());
            if (inboxes[link.loop()].offer(ControlSignal.DETACH, null, scratch, 0, length))
            {
                link.onDetachSent();
            }
        }
    }
}
