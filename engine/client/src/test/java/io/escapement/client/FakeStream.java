package io.escapement.client;

import io.aeron.logbuffer.FragmentHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One stream in memory: the test connects it, delivers batches, applies back pressure and reads what was sent. */
final class FakeStream implements TrunkStream
{
    private static final long BACK_PRESSURED = -2;

    final List<byte[]> sent = new ArrayList<>();
    boolean isOpen;
    boolean isConnected;
    boolean hasImage;
    boolean isBackPressured;
    boolean isClosed;
    boolean isTransportClosed;
    int maxPayloadLength = 1_376;
    int offers;
    private final FragmentHandler handler;
    private final ArrayDeque<byte[]> received = new ArrayDeque<>();

    FakeStream(final FragmentHandler handler)
    {
        this.handler = handler;
    }

    /** Queue a batch for the next poll. */
    void deliver(final byte[]... messages)
    {
        deliverRaw(Messages.batch(messages));
    }

    void deliverRaw(final byte[] bytes)
    {
        received.add(bytes);
    }

    /** The batches that were sent since the last call. */
    List<byte[]> takeSent()
    {
        final List<byte[]> taken = new ArrayList<>(sent);
        sent.clear();
        return taken;
    }

    @Override
    public boolean isOpen()
    {
        return isOpen || isConnected;
    }

    @Override
    public boolean isConnected()
    {
        return isConnected;
    }

    @Override
    public boolean isClosed()
    {
        return isTransportClosed;
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
            deliver(received.remove(), handler);
            fragments++;
        }
        return fragments;
    }

    /** At an offset and between other bytes, as in a term. */
    static void deliver(final byte[] bytes, final FragmentHandler handler)
    {
        final UnsafeBuffer term = new UnsafeBuffer(new byte[bytes.length + 64]);
        term.setMemory(0, term.capacity(), (byte)0x5A);
        term.putBytes(32, bytes);
        handler.onFragment(term, 32, bytes.length, null);
    }

    @Override
    public int maxPayloadLength()
    {
        return maxPayloadLength;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        offers++;
        if (isBackPressured || isClosed)
        {
            return BACK_PRESSURED;
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        sent.add(bytes);
        return length;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
