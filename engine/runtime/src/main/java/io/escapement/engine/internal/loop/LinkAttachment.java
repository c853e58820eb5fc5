package io.escapement.engine.internal.loop;

/**
 * The attachment of {@link ControlSignal#ATTACH}: a publication to a trunk, with all data that the loop needs for it.
 * The loop writes the publication from then on. Because the edge makes the attachment, an attach does not allocate in
 * the loop's thread.
 */
public final class LinkAttachment
{
    private final LinkEgress egress;

    /**
     * Make an attachment for a client that did not ask for Accepted.
     *
     * @param link        number of the trunk.
     * @param publication to it.
     * @param queues      that only the loop uses until it has answered {@link ControlSignal#DETACHED}.
     */
    public LinkAttachment(final int link, final LinkPublication publication, final LinkQueues queues)
    {
        this(link, publication, queues, false);
    }

    /**
     * Make one.
     *
     * @param link             number of the trunk.
     * @param publication      to it.
     * @param queues           that only the loop uses until it has answered {@link ControlSignal#DETACHED}.
     * @param isAcceptedWanted whether its client asked for Accepted.
     */
    public LinkAttachment(
        final int link,
        final LinkPublication publication,
        final LinkQueues queues,
        final boolean isAcceptedWanted)
    {
        egress = new LinkEgress(link, publication, queues, isAcceptedWanted);
    }

    LinkEgress egress()
    {
        return egress;
    }
}
