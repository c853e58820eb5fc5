package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;
import java.util.ArrayDeque;

/** A subscription to a feed in memory: the test opens and connects it, and delivers packets. */
final class FakeFeed implements FeedStream
{
    final String group;
    final int sessionId;
    final int streamId;
    boolean isOpen;
    boolean hasImage;
    boolean isClosed;
    int port = 4_711;
    private final FragmentHandler handler;
    private final ArrayDeque<byte[]> received = new ArrayDeque<>();

    FakeFeed(final String group, final int sessionId, final int streamId, final FragmentHandler handler)
    {
        this.group = group;
        this.sessionId = sessionId;
        this.streamId = streamId;
        this.handler = handler;
    }

    /** Queue a packet for the next poll. */
    void deliver(final byte[] packet)
    {
        received.add(packet);
    }

    @Override
    public boolean isOpen()
    {
        return isOpen;
    }

    @Override
    public int port()
    {
        if (!isOpen)
        {
            throw new AssertionError("it has no port yet");
        }
        return port;
    }

    @Override
    public boolean hasImage()
    {
        return hasImage;
    }

    @Override
    public int poll()
    {
        int fragments = 0;
        while (hasImage && !isClosed && !received.isEmpty())
        {
            FakeStream.deliver(received.remove(), handler);
            fragments++;
        }
        return fragments;
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            throw new AssertionError("it is closed twice");
        }
        isClosed = true;
    }
}
