package io.escapement.engine.internal.edge;

import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.loop.LinkAttachment;
import io.escapement.engine.internal.loop.LinkQueues;

/** A client's stream to a loop, and the trunk to which its Attach bound it. */
final class IngressStream
{
    /**
     * Transitions:
     * <pre>
     *   UNBOUND     Attach                          CONNECTING
     *   UNBOUND     Attach of a client that         STANDBY
     *               stands by
     *   UNBOUND     image gone, timeout             CLOSED
     *   STANDBY     Attach                          CONNECTING
     *   STANDBY     image or client gone,           CLOSED
     *               publication refused
     *   CONNECTING  publication connected           OFFERED, by ATTACH to the loop
     *   CONNECTING  publication refused             CLOSED
     *   CONNECTING  image gone, trunk lost          CANCELLED
     *   CANCELLED   publication made or refused     CLOSED
     *   OFFERED     ATTACHED from the loop          ATTACHED
     *   OFFERED, ATTACHED   image gone, trunk lost  DETACHING, by DETACH to the loop
     *   DETACHING   DETACHED from the loop          CLOSED
     * </pre>
     */
    enum State
    {
        /** Accepts only Attach. */
        UNBOUND,
        /** Likewise, with a response publication, so that the Attach of a trunk need not wait for it. */
        STANDBY,
        /** The response publication is being made. */
        CONNECTING,
        /** The loop was given the publication. */
        OFFERED,
        /** Admits entries. */
        ATTACHED,
        /** Detached before the publication was made. It is closed as soon as it is made. */
        CANCELLED,
        /** The loop has not yet released the publication. */
        DETACHING,
        /** Holds no resources. */
        CLOSED
    }

    private final int loop;
    private final EdgeImage image;
    private final long createdNs;
    private State state = State.UNBOUND;
    private boolean isPolled = true;
    private Trunk trunk;
    private EntryLimits entryLimits;
    private StreamPublication response;
    private LinkQueues queues;
    private boolean isAcceptedWanted;
    private boolean isDetachSent;
    /** Null unless the trunk was offered the feed of the loop. */
    private Feeds.Member member;
    private int blockedEntries;

    IngressStream(final int loop, final EdgeImage image, final long createdNs)
    {
        this.loop = loop;
        this.image = image;
        this.createdNs = createdNs;
    }

    int loop()
    {
        return loop;
    }

    EdgeImage image()
    {
        return image;
    }

    State state()
    {
        return state;
    }

    /** Whether its image is read: from UNBOUND to ATTACHED. */
    boolean isPolled()
    {
        return isPolled;
    }

    /** Whether its messages wait until its client takes more of the answers. */
    boolean isCongested()
    {
        return null != queues && queues.isCongested();
    }

    /** The trunk, from Attach on. */
    Trunk trunk()
    {
        return trunk;
    }

    EntryLimits entryLimits()
    {
        return entryLimits;
    }

    /** Whether the client asked for Accepted, in Attach. */
    void isAcceptedWanted(final boolean value)
    {
        isAcceptedWanted = value;
    }

    /** Slots needed by the batch that Aeron holds because the ring was full. 0 without such a batch. */
    int blockedEntries()
    {
        return blockedEntries;
    }

    void blockedEntries(final int entries)
    {
        blockedEntries = entries;
    }

    boolean isAttachLate(final long nowNs, final long timeoutNs)
    {
        return State.UNBOUND == state && nowNs - createdNs > timeoutNs;
    }

    /** Make the response publication before there is a trunk. */
    void standBy()
    {
        moveTo(State.STANDBY);
        response = image.addResponse(TrunkMessages.loopStreamId(loop));
    }

    void connect(final Trunk newTrunk, final EntryLimits newLimits)
    {
        if (State.STANDBY != state)
        {
            response = image.addResponse(TrunkMessages.loopStreamId(loop));
        }
        moveTo(State.CONNECTING);
        trunk = newTrunk;
        entryLimits = newLimits;
        trunk.bind(this);
    }

    StreamPublication.State pollResponse()
    {
        return response.poll();
    }

    boolean isConnected()
    {
        return response.isConnected();
    }

    LinkAttachment attachment(final LinkQueues newQueues)
    {
        return new LinkAttachment(
            trunk.link(), response.handOver(), newQueues, isAcceptedWanted);
    }

    void onOffered(final LinkQueues newQueues)
    {
        queues = newQueues;
        moveTo(State.OFFERED);
        trunk.onOffered(loop);
    }

    /** The queues that its loop uses, from OFFERED until the loop has answered DETACHED. */
    LinkQueues queues()
    {
        return queues;
    }

    void onAttached()
    {
        moveTo(State.ATTACHED);
    }

    /** Stop reading, whatever the state. */
    void detach()
    {
        if (null != trunk)
        {
            trunk.unbind(this);
        }
        switch (state)
        {
            case UNBOUND -> moveTo(State.CLOSED);
            case STANDBY ->
            {
                response.close();
                moveTo(State.CLOSED);
            }
            case CONNECTING -> moveTo(State.CANCELLED);
            case OFFERED, ATTACHED -> moveTo(State.DETACHING);
            default ->
            {
                // Detached before.
            }
        }
    }

    Feeds.Member member()
    {
        return member;
    }

    void member(final Feeds.Member value)
    {
        member = value;
    }

    boolean isDetachSent()
    {
        return isDetachSent;
    }

    void onDetachSent()
    {
        isDetachSent = true;
    }

    void close()
    {
        trunk.unbind(this);
        response.close();
        moveTo(State.CLOSED);
    }

    private void moveTo(final State next)
    {
        state = next;
        isPolled = next.ordinal() <= State.ATTACHED.ordinal();
    }
}
