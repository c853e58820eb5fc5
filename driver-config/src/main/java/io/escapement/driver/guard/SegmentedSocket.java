package io.escapement.driver.guard;

import io.aeron.AeronCounters;
import io.aeron.driver.NetworkPublication;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.collections.Hashing;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.UnsafeBufferPosition;

/**
 * The socket of a send endpoint, which cuts what publications with a large MTU offer, and sends runs of datagrams where
 * the kernel takes them. Confined to the sender thread.
 */
final class SegmentedSocket
{
    /** The endpoint's socket. An address is null for the one to which it is connected. */
    interface Socket
    {
        /** Send one datagram, and handle errors. */
        int send(ByteBuffer buffer, InetSocketAddress address);

        /** Send a run. */
        int sendRun(ByteBuffer buffer, InetSocketAddress address) throws IOException;

        /** Cut longer sends into datagrams of a length, or do not cut if it is 0. False if the kernel refuses. */
        boolean segment(int length);

        /** Whether the last send has reached any destination, if {@link #send} does not say so. */
        default boolean hasSent()
        {
            return true;
        }
    }

    private final Long2ObjectHashMap<SegmentedSends> sendsByKeyMap = new Long2ObjectHashMap<>();
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final SetupFlyweight setup = new SetupFlyweight();
    private final CountersManager positions;
    private final OffloadCounters counters;
    private final Socket socket;
    private final int longest;
    /** The length of datagrams into which the kernel cuts longer sends. 0 without cutting. */
    private int segmentLength;
    private boolean isOn;

    /**
     * Allocate.
     *
     * @param positions of the driver's publications.
     * @param counters  of runs, or null to send no runs.
     * @param longest   datagram into which slices are cut, unless a frame is longer.
     * @param socket    of the endpoint.
     */
    SegmentedSocket(
        final CountersManager positions, final OffloadCounters counters, final int longest, final Socket socket)
    {
        this.positions = positions;
        this.counters = counters;
        this.longest = longest;
        this.socket = socket;
        isOn = null != counters;
    }

    /** Whether runs are sent. */
    boolean isOn()
    {
        return isOn;
    }

    void add(final NetworkPublication publication)
    {
        final long registrationId = publication.subscribableRegistrationId();
        final int position = positions.findByTypeIdAndRegistrationId(
            AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID, registrationId);
        final int limit = positions.findByTypeIdAndRegistrationId(
            AeronCounters.DRIVER_SENDER_LIMIT_TYPE_ID, registrationId);
        if (position >= 0 && limit >= 0)
        {
            final UnsafeBuffer values = (UnsafeBuffer)positions.valuesBuffer();
            add(publication.streamId(), publication.sessionId(), new SegmentedSends(
                new UnsafeBufferPosition(values, position), new UnsafeBufferPosition(values, limit), longest));
        }
    }

    void add(final int streamId, final int sessionId, final SegmentedSends sends)
    {
        sendsByKeyMap.put(Hashing.compoundKey(streamId, sessionId), sends);
    }

    void remove(final NetworkPublication publication)
    {
        sendsByKeyMap.remove(Hashing.compoundKey(publication.streamId(), publication.sessionId()));
    }

    /**
     * Send what Aeron's sender offers, and more of its publication where that is ready.
     *
     * @param address of the receiver, or null for the one to which the socket is connected.
     * @return bytes of the buffer that have been sent, now or with an earlier run.
     */
    int send(final ByteBuffer buffer, final InetSocketAddress address)
    {
        final SegmentedSends sends = sends(buffer);
        if (null == sends)
        {
            return sendOne(buffer, address);
        }
        final int begin = buffer.position();
        final int end = buffer.limit();
        final boolean isNext = sends.isNext(buffer);
        // If the last datagram of a run was shorter than an MTU, frames may have been committed since.
        int offset = begin + (isNext ? sends.sentOf(buffer) : 0);
        while (offset < end)
        {
            final int length = sends.datagramLength(buffer, offset, end);
            final int runLength = isNext && isOn ? sends.runLength(buffer, begin, offset, length) : length;
            buffer.limit(offset + runLength).position(offset);
            final int sent = runLength == length ?
                sendOne(buffer, address) : sendRun(buffer, length, address);
            if (0 == sent)
            {
                return 0;
            }
            offset += sent;
            if (isNext)
            {
                sends.onSent(offset - begin);
            }
        }
        return end - begin;
    }

    /** Send a run, or its first datagram if runs are refused. Returns the sent bytes. */
    private int sendRun(final ByteBuffer buffer, final int length, final InetSocketAddress address)
    {
        final int begin = buffer.position();
        final int runLength = buffer.remaining();
        if (segmentLength == length || segment(length))
        {
            try
            {
                if (runLength != socket.sendRun(buffer, address))
                {
                    return 0;
                }
                counters.count(OffloadCounter.RUNS_SENT, 1);
                counters.count(OffloadCounter.DATAGRAMS_IN_RUNS, (runLength + length - 1) / length);
                return runLength;
            }
            catch (final IOException ex)
            {
                // The receiver is unreachable, or the network card or the path refuses runs. A single datagram shows
                // which.
                segment(0);
                if (length == sendOne(buffer.limit(begin + length).position(begin), address))
                {
                    if (socket.hasSent())
                    {
                        refuse();
                    }
                    return length;
                }
                return 0;
            }
        }
        return sendOne(buffer.limit(begin + length), address);
    }

    /** Returns 0 if the socket does not take the whole datagram. */
    private int sendOne(final ByteBuffer buffer, final InetSocketAddress address)
    {
        final int length = buffer.remaining();
        if (segmentLength > 0 && length > segmentLength)
        {
            // A publication with a larger MTU: cut here, its datagram would end inside a frame.
            segment(0);
        }
        return length == socket.send(buffer, address) ? length : 0;
    }

    private boolean segment(final int length)
    {
        if (!socket.segment(length))
        {
            refuse();
            return false;
        }
        segmentLength = length;
        return true;
    }

    private void refuse()
    {
        isOn = false;
        counters.count(OffloadCounter.RUNS_REFUSED, 1);
    }

    /** The runs of the publication that a slice of a term is from. Null for other frames. */
    private SegmentedSends sends(final ByteBuffer buffer)
    {
        frame.wrap(buffer, buffer.position(), buffer.remaining());
        if (buffer.capacity() >= LogBufferDescriptor.TERM_MIN_LENGTH)
        {
            return sendsByKeyMap.get(Hashing.compoundKey(
                frame.getInt(DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN),
                frame.getInt(DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN)));
        }
        if (buffer.remaining() >= SetupFlyweight.HEADER_LENGTH && HeaderFlyweight.HDR_TYPE_SETUP ==
            frame.getShort(HeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN))
        {
            setup.wrap(frame);
            final SegmentedSends sends =
                sendsByKeyMap.get(Hashing.compoundKey(setup.streamId(), setup.sessionId()));
            if (null != sends)
            {
                sends.mtuLength(setup.mtuLength());
            }
        }
        return null;
    }
}
