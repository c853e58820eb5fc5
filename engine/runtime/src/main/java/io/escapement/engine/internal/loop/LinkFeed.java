package io.escapement.engine.internal.loop;

/**
 * The feed of a loop, over UDP or over shared memory. The edge makes it, and closes it when no loop writes any more.
 *
 * @param id          random, different in each incarnation.
 * @param isShared    whether it is over shared memory.
 * @param publication to all trunks that receive the feed.
 */
public record LinkFeed(int id, boolean isShared, LinkPublication publication)
{
    /**
     * The attachment of {@code ControlSignal.FEED}.
     *
     * @param link of a trunk that is attached.
     * @param feed that the trunk receives from now on, or null without a feed.
     */
    public record Change(int link, LinkFeed feed)
    {
    }
}
