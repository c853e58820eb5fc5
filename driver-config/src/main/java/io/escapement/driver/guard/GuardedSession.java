package io.escapement.driver.guard;

import io.aeron.protocol.SetupFlyweight;
import java.net.InetSocketAddress;

/** A session that a receive endpoint has admitted. Confined to the receiver thread. */
final class GuardedSession
{
    private final InetSocketAddress source;
    private final int termLength;
    private final int mtuLength;
    private final int initialTermId;
    /** The end of the data that has been handed on. */
    private long highestPosition;
    /** Data beyond is dropped by the image. */
    private long overrunPosition;
    private long activityNs;
    private boolean isStranger;
    private int lastSearch;
    private int responseSessionId;
    private boolean hasResponse;

    GuardedSession(
        final InetSocketAddress source, final SetupFlyweight setup, final long nowNs, final boolean isStranger)
    {
        this.source = source;
        termLength = setup.termLength();
        mtuLength = setup.mtuLength();
        initialTermId = setup.initialTermId();
        highestPosition = position(setup.activeTermId(), setup.termOffset());
        onStatusMessage(setup.activeTermId(), setup.termOffset());
        this.isStranger = isStranger;
        activityNs = nowNs;
    }

    InetSocketAddress source()
    {
        return source;
    }

    boolean isFrom(final InetSocketAddress address)
    {
        // A channel returns the same object while it has a single source: identity usually decides.
        return source == address || source.equals(address);
    }

    int termLength()
    {
        return termLength;
    }

    int mtuLength()
    {
        return mtuLength;
    }

    /** The image has sent a status message with this position. */
    void onStatusMessage(final int termId, final int termOffset)
    {
        overrunPosition = position(termId, termOffset) + (termLength >> 1);
    }

    /** Whether an image takes the data of several datagrams as one, because all of it is new and in its window. */
    boolean isTakenAsOne(final int termId, final int termOffset, final int length)
    {
        final long position = position(termId, termOffset);
        return position >= highestPosition && position + length <= overrunPosition;
    }

    void onData(final int termId, final int termOffset, final int length)
    {
        highestPosition = Math.max(highestPosition, position(termId, termOffset) + length);
    }

    private long position(final int termId, final int termOffset)
    {
        // Term ids wrap around: their difference counts.
        return (long)(termId - initialTermId) * termLength + termOffset;
    }

    void onActivity(final long nowNs)
    {
        activityNs = nowNs;
    }

    boolean isInactive(final long nowNs, final long timeoutNs)
    {
        return nowNs - activityNs > timeoutNs;
    }

    /** Whether it counts as a stranger's. */
    boolean isStranger()
    {
        return isStranger;
    }

    void onEstablished()
    {
        isStranger = false;
    }

    /** A search found its image. */
    void foundInSearch(final int search)
    {
        lastSearch = search;
    }

    boolean isFoundInSearch(final int search)
    {
        return lastSearch == search;
    }

    boolean hasResponse()
    {
        return hasResponse;
    }

    int responseSessionId()
    {
        return responseSessionId;
    }

    void responseSessionId(final int sessionId)
    {
        responseSessionId = sessionId;
        hasResponse = true;
    }
}
