package io.escapement.engine.internal.edge;

import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.loop.LinkQueues;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.trunks.TrunkServerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Attaches trunks to loops. The edge makes each response publication, offers it to the loop, and closes it when the
 * loop has released it. Owns the streams that are CONNECTING, CANCELLED or DETACHING.
 */
final class IngressStreams
{
    private final TrunkServerContext options;
    /** Queues that no loop uses. Not more are made than streams are attached at one time. */
    private final ArrayDeque<LinkQueues> freeQueues = new ArrayDeque<>();
    private final CommandQueue[] inboxes;
    private final Feeds feeds;
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final ArrayList<IngressStream> connecting = new ArrayList<>();
    private final ArrayList<IngressStream> detaching = new ArrayList<>();

    IngressStreams(final TrunkServerContext options, final CommandQueue[] inboxes, final Feeds feeds)
    {
        this.feeds = feeds;
        this.options = options;
        this.inboxes = inboxes;
    }

    void attach(final IngressStream stream, final Trunk trunk)
    {
        stream.connect(trunk, new EntryLimits(options));
        connecting.add(stream);
    }

    /** Stop reading a stream. If its loop has the publication, the loop is asked to release it. */
    void detach(final IngressStream stream)
    {
        final IngressStream.State before = stream.state();
        stream.detach();
        if (IngressStream.State.DETACHING == stream.state() && IngressStream.State.DETACHING != before)
        {
            feeds.onDetached(stream);
            detaching.add(stream);
            sendDetach(stream);
        }
    }

    void detachAll(final Trunk trunk)
    {
        for (int loop = 0; loop < trunk.loops(); loop++)
        {
            final IngressStream stream = trunk.stream(loop);
            if (null != stream)
            {
                detach(stream);
            }
        }
    }

    /** A loop released a publication. Returns its trunk, or null when no such stream is detaching. */
    Trunk onDetached(final int loop, final int linkNumber)
    {
        for (int i = 0; i < detaching.size(); i++)
        {
            final IngressStream stream = detaching.get(i);
            if (stream.loop() == loop && stream.trunk().link() == linkNumber)
            {
                detaching.remove(i);
                freeQueues.add(stream.queues());
                stream.close();
                return stream.trunk();
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

    /** Streams that are being attached or detached. */
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

    private boolean hasLeftConnecting(final IngressStream stream)
    {
        final StreamPublication.State response = stream.pollResponse();
        if (StreamPublication.State.PENDING == response)
        {
            return false;
        }
        if (StreamPublication.State.CLOSED == response || IngressStream.State.CANCELLED == stream.state())
        {
            stream.close();
            return true;
        }
        // While the loop has the trunk's last publication, DETACHED of the old would be mistaken for DETACHED of the
        // new. Other loops do not matter: a hanging loop must not keep the trunk from the rest.
        return stream.isConnected() && !isDetaching(stream.trunk(), stream.loop()) && tryOffer(stream);
    }

    private boolean tryOffer(final IngressStream stream)
    {
        final Trunk trunk = stream.trunk();
        final int length = trunk.isKnownToLoop(stream.loop()) ?
            commands.linkResumed(scratch, 0, trunk.id(), trunk.link(), trunk.link()) :
            commands.linkUp(scratch, 0, trunk.id(), trunk.link());
        final LinkQueues queues = freeQueues.isEmpty() ? new LinkQueues() : freeQueues.remove();
        if (!inboxes[stream.loop()].offer(ControlSignal.ATTACH, stream.attachment(queues), scratch, 0, length))
        {
            freeQueues.add(queues);
            return false;
        }
        stream.onOffered(queues);
        return true;
    }

    private void sendDetach(final IngressStream stream)
    {
        if (!stream.isDetachSent())
        {
            final int length = commands.linkDown(scratch, 0, stream.trunk().link());
            if (inboxes[stream.loop()].offer(ControlSignal.DETACH, null, scratch, 0, length))
            {
                stream.onDetachSent();
            }
        }
    }
}
