package io.escapement.client;

import io.escapement.codecs.trunk.TrunkEncoder;

/** The stream to one loop: attached first, then open for entries. */
final class LoopStream implements AutoCloseable
{
    /** An Attach without an answer is sent again after this long. */
    private static final long ATTACH_RETRY_NS = 500_000_000;

    private final TrunkStream stream;
    private final StreamBatch batch;
    private final boolean isAcceptedWanted;
    private final long openedNs;
    private boolean isAttached;
    private boolean hasAsked;
    private boolean hasHadImage;
    private boolean hasConnected;
    private long connectedNs;
    private long attachDueNs;

    LoopStream(
        final TrunkStream stream,
        final int maxBatchEntries,
        final boolean isAcceptedWanted,
        final long nowNs)
    {
        this.stream = stream;
        this.isAcceptedWanted = isAcceptedWanted;
        batch = new StreamBatch(stream, maxBatchEntries);
        openedNs = nowNs;
        attachDueNs = nowNs;
    }

    StreamBatch batch()
    {
        return batch;
    }

    boolean isAttached()
    {
        return isAttached;
    }

    int poll()
    {
        return stream.poll();
    }

    /**
     * Whether this stream has ended although the trunk is up: its image is gone, or the engine has not attached it in
     * time since it connected. A new stream has a while to connect, so that streams are not opened in a storm. One that
     * has never connected stays: the driver goes on to set it up, and a second one would take a second place at the
     * engine.
     */
    boolean isLost(final long nowNs, final long timeoutNs)
    {
        hasHadImage |= stream.hasImage();
        return hasHadImage && !stream.hasImage() ? nowNs - openedNs >= ATTACH_RETRY_NS :
            !isAttached && hasConnected && nowNs - connectedNs > timeoutNs;
    }

    /** Send Attach when it is due: as soon as the stream is connected, and again while the engine does not answer. */
    void advance(final long nowNs, final long trunkId, final long attachToken)
    {
        if (isAttached || nowNs - attachDueNs < 0 || !stream.isConnected())
        {
            return;
        }
        if (!hasConnected)
        {
            hasConnected = true;
            connectedNs = nowNs;
        }
        if (batch.isEmpty())
        {
            // Cold: at most once in ATTACH_RETRY_NS.
            new TrunkEncoder().attach(
                batch.buffer(), batch.claim(TrunkEncoder.attachLength()), trunkId, attachToken, isAcceptedWanted);
        }
        if (batch.flush())
        {
            hasAsked = true;
            attachDueNs = nowNs + ATTACH_RETRY_NS;
        }
    }

    /** The client stood by and has a trunk now, to which the engine is to attach the stream. */
    void attachAgain(final long nowNs)
    {
        isAttached = false;
        hasAsked = false;
        attachDueNs = nowNs;
        connectedNs = nowNs;
        batch.clear();
    }

    /** An answer that was on its way while this stream replaced the one that had asked is not for this one. */
    void onAttached()
    {
        if (hasAsked && !isAttached)
        {
            isAttached = true;
            // A repeated Attach may be left under back pressure. An Attach must be alone in its batch.
            batch.clear();
        }
    }

    /** Offer the batch, and return whether nothing is left that could be sent. */
    boolean flush()
    {
        return !isAttached || batch.flush();
    }

    @Override
    public void close()
    {
        stream.close();
    }
}
