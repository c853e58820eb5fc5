package io.escapement.engine.internal.edge;

import io.aeron.Aeron;
import io.aeron.exceptions.RegistrationException;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.LinkAttachment;
import io.escapement.engine.internal.loop.LoopWiring;
import java.util.ArrayList;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The connections of trunks to loops: each way back is made here, handed to its loop, and closed here when the loop has
 * let go of it.
 */
final class LoopLinks
{
    private static final int SEAT_BUCKETS = 4_096;

    private final EdgeSettings settings;
    private final TrunkChannels channels;
    private final Aeron aeron;
    private final CommandQueue[] inboxes;
    private final RoomCommandEncoder commands = new RoomCommandEncoder();
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LoopWiring.INBOX_SLOT_LENGTH]);
    private final ArrayList<LoopLink> pending = new ArrayList<>();
    private final ArrayList<LoopLink> detaching = new ArrayList<>();

    LoopLinks(final EdgeContext context, final Aeron aeron)
    {
        settings = context.settings();
        channels = context.channels();
        inboxes = context.inboxes();
        this.aeron = aeron;
    }

    void attach(final LoopLink link, final Trunk trunk)
    {
        link.trunk = trunk;
        link.state = LoopLink.State.CONNECTING;
        link.trunkBucket = new TokenBucket(settings.trunkRate(), settings.trunkBurst());
        link.seatBuckets = new SeatBuckets(SEAT_BUCKETS, settings.seatRate(), settings.seatBurst());
        link.registrationId = aeron.asyncAddExclusivePublication(
            channels.responseChannel(link.image.correlationId(), link.port), TrunkMessages.loopStreamId(link.loop));
        trunk.loopLinks[link.loop] = link;
        pending.add(link);
    }

    /** The trunk whose link a loop has let go of, or null. */
    Trunk onDetached(final int loop, final int linkNumber)
    {
        for (int i = 0; i < detaching.size(); i++)
        {
            final LoopLink link = detaching.get(i);
            if (link.loop == loop && link.trunk.link == linkNumber)
            {
                detaching.remove(i);
                CloseHelper.quietClose(link.publication);
                return link.trunk;
            }
        }
        return null;
    }

    int housekeep()
    {
        int work = 0;
        for (int i = pending.size() - 1; i >= 0; i--)
        {
            if (isSettled(pending.get(i)))
            {
                pending.remove(i);
                work++;
            }
        }
        for (int i = 0; i < detaching.size(); i++)
        {
            tellDetached(detaching.get(i));
        }
        return work;
    }

    /** Those that are being made or given up. */
    int held()
    {
        return pending.size() + detaching.size();
    }

    /** The loop is to let go of the link, if it had it; its seats go away and are held. */
    void detach(final LoopLink link)
    {
        if (link.trunk.loopLinks[link.loop] == link)
        {
            link.trunk.loopLinks[link.loop] = null;
        }
        final LoopLink.State was = link.state;
        link.state = LoopLink.State.DETACHING;
        if (LoopLink.State.OFFERED == was || LoopLink.State.ATTACHED == was)
        {
            detaching.add(link);
            tellDetached(link);
        }
    }

    boolean isDetaching(final Trunk trunk)
    {
        for (int i = 0; i < detaching.size(); i++)
        {
            if (detaching.get(i).trunk == trunk)
            {
                return true;
            }
        }
        return false;
    }

    /** Whether a way back that is being made has become one, or has come to nothing. */
    private boolean isSettled(final LoopLink link)
    {
        try
        {
            if (null == link.publication)
            {
                link.publication = aeron.getExclusivePublication(link.registrationId);
            }
        }
        catch (final RegistrationException ex)
        {
            link.state = LoopLink.State.DETACHING;
            if (link.trunk.loopLinks[link.loop] == link)
            {
                link.trunk.loopLinks[link.loop] = null;
            }
            return true;
        }
        if (null == link.publication)
        {
            return false;
        }
        if (LoopLink.State.DETACHING == link.state)
        {
            CloseHelper.quietClose(link.publication);
            return true;
        }
        final Trunk trunk = link.trunk;
        if (!link.publication.isConnected() || isDetaching(trunk))
        {
            return false;
        }
        final int length = trunk.wasOnLoop[link.loop] ?
            commands.linkResumed(scratch, 0, trunk.link, trunk.link, trunk.id) :
            commands.linkUp(scratch, 0, trunk.link, trunk.id);
        final boolean isTaken = inboxes[link.loop].offer(
            ControlSignal.ATTACH, new LinkAttachment(trunk.link, link.publication), scratch, 0, length);
        if (isTaken)
        {
            trunk.wasOnLoop[link.loop] = true;
            link.state = LoopLink.State.OFFERED;
        }
        return isTaken;
    }

    private void tellDetached(final LoopLink link)
    {
        if (!link.isDetachTold)
        {
            final int length = commands.linkDown(scratch, 0, link.trunk.link);
            link.isDetachTold = inboxes[link.loop].offer(ControlSignal.DETACH, null, scratch, 0, length);
        }
    }
}
