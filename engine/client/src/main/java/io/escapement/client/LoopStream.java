package io.escapement.client;

import io.escapement.codecs.trunk.TrunkEncoder;

/** The stream to one loop: attached first, then open for entries. */
final class LoopStream implements AutoCloseable
{
    /** An Attach without an answer is resent after this long. */
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
     * Whether this stream is over although the trunk is up: its image is gone, or the engine has not attached it in
     * time since it connected. A new stream has a while to connect. Otherwise streams would be opened in a storm. A
     * stream that has never connected stays: the driver continues to set it up, and a second stream would take a second
     * place at the engine.
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

    /** The client was on standby and has a trunk now. The engine must attach the stream to it. */
    void attachAgain(final long nowNs)
    {
        isAttached = false;
        hasAsked = false;
        attachDueNs = nowNs;
        connectedNs = nowNs;
        batch.clear();
    }

    /**
     * An answer may have been in flight while this stream replaced the stream that had asked. Such an answer is not for
     * this stream.
     */
    void onAttached()
    {
        if (hasAsked && !isAttached)
        {
            isAttached = true;
            // A repeated Attach may be left under back pressure. An Attach must be the only message in its batch.
            batch.clear();
        }
    }

    /** Offer the batch. Returns whether no message is left that could be sent. */
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
