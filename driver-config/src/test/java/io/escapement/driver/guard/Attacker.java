package io.escapement.driver.guard;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A socket that sends arbitrary packets of Aeron's protocol. */
final class Attacker implements AutoCloseable
{
    static final int MTU = 1_408;
    private static final long RECEIVER_ID = 7;

    private final ByteBuffer sent = BufferUtil.allocateDirectAligned(64 * 1_024, 64);
    private final ByteBuffer received = ByteBuffer.allocateDirect(64 * 1_024);
    private final DatagramChannel channel;
    private final Set<Integer> setupStreams = new HashSet<>();
    private String target = "127.0.0.1";
    private int sessionId;
    private int streamId;
    private long receivedBytes;
    private long sentBytes;

    Attacker()
    {
        this("127.0.0.1");
    }

    Attacker(final String host)
    {
        this(host, 0);
    }

    Attacker(final String host, final int port)
    {
        try
        {
            channel = DatagramChannel.open();
            // Large enough for all packets of a test, because the attacker polls late.
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 2 << 20);
            // Members of a group share a port.
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, port > 0);
            channel.bind(new InetSocketAddress(host, port));
            channel.configureBlocking(false);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Receive what is sent to a group on the loopback interface, and send to another one. */
    Attacker joins(final String group, final String answered)
    {
        try
        {
            final NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            channel.join(InetAddress.getByName(group), loopback);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            target = answered;
            return this;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    Attacker claims(final int streamId, final int sessionId)
    {
        this.streamId = streamId;
        this.sessionId = sessionId;
        return this;
    }

    void sendSetup(final int port, final int termLength, final int mtuLength, final int initialTermId)
    {
        final SetupFlyweight setup = new SetupFlyweight(clear());
        setup
            .initialTermId(initialTermId)
            .activeTermId(initialTermId)
            .termOffset(0)
            .termLength(termLength)
            .mtuLength(mtuLength)
            .sessionId(sessionId)
            .streamId(streamId)
            .frameLength(SetupFlyweight.HEADER_LENGTH)
            .headerType(SetupFlyweight.HDR_TYPE_SETUP);
        send(port, SetupFlyweight.HEADER_LENGTH);
    }

    /** A datagram of one frame whose length field may be wrong. */
    void sendData(
        final int port, final int termId, final int termOffset, final byte[] payload, final int claimedFrameLength)
    {
        final DataHeaderFlyweight data = new DataHeaderFlyweight(clear());
        data
            .sessionId(sessionId)
            .streamId(streamId)
            .termId(termId)
            .termOffset(termOffset)
            .frameLength(claimedFrameLength)
            .flags(DataHeaderFlyweight.BEGIN_AND_END_FLAGS)
            .headerType(DataHeaderFlyweight.HDR_TYPE_DATA);
        new UnsafeBuffer(sent).putBytes(DataHeaderFlyweight.HEADER_LENGTH, payload);
        send(port, BitUtil.align(
            DataHeaderFlyweight.HEADER_LENGTH + payload.length, FrameDescriptor.FRAME_ALIGNMENT));
    }

    void sendData(final int port, final int termId, final int termOffset, final byte[] payload)
    {
        sendData(port, termId, termOffset, payload, DataHeaderFlyweight.HEADER_LENGTH + payload.length);
    }

    /** Set up a session as an honest sender does: echo the cookie, and send a setup again. */
    void openSession(final int port, final int termLength)
    {
        receivedBytes();
        sendSetup(port, termLength, MTU, 0);
        Tests.await(() -> tryEcho(port, termLength), "a cookie");
    }

    /** Echo the cookie of the session, if it has come, and send a setup again. */
    boolean tryEcho(final int port, final int termLength)
    {
        final RttMeasurementFlyweight cookie = new RttMeasurementFlyweight(received);
        if (RttMeasurementFlyweight.HEADER_LENGTH != receive() ||
            RttMeasurementFlyweight.HDR_TYPE_RTTM != cookie.headerType() || sessionId != cookie.sessionId())
        {
            return false;
        }
        echo(port, cookie.echoTimestampNs());
        sendSetup(port, termLength, MTU, 0);
        return true;
    }

    void echo(final int port, final long cookie)
    {
        final RttMeasurementFlyweight measurement = new RttMeasurementFlyweight(clear());
        measurement
            .echoTimestampNs(cookie)
            .sessionId(sessionId)
            .streamId(streamId)
            .frameLength(RttMeasurementFlyweight.HEADER_LENGTH)
            .headerType(RttMeasurementFlyweight.HDR_TYPE_RTTM);
        send(port, RttMeasurementFlyweight.HEADER_LENGTH);
    }

    void sendRoundTripMeasurement(final int port)
    {
        final RttMeasurementFlyweight measurement = new RttMeasurementFlyweight(clear());
        measurement
            .sessionId(sessionId)
            .streamId(streamId)
            .flags(RttMeasurementFlyweight.REPLY_FLAG)
            .frameLength(RttMeasurementFlyweight.HEADER_LENGTH)
            .headerType(RttMeasurementFlyweight.HDR_TYPE_RTTM);
        send(port, RttMeasurementFlyweight.HEADER_LENGTH);
    }

    /** 36 bytes that subscribe the attacker to a stream. */
    void sendStatusMessage(final int port, final short flags)
    {
        sendStatusMessage(port, flags, 0, 0);
    }

    void sendStatusMessage(final int port, final short flags, final int termId, final int termOffset)
    {
        final StatusMessageFlyweight message = new StatusMessageFlyweight(clear());
        message
            .consumptionTermId(termId)
            .consumptionTermOffset(termOffset)
            .sessionId(sessionId)
            .streamId(streamId)
            .receiverId(RECEIVER_ID)
            .receiverWindowLength(128 * 1_024)
            .flags(flags)
            .frameLength(StatusMessageFlyweight.HEADER_LENGTH)
            .headerType(StatusMessageFlyweight.HDR_TYPE_SM);
        send(port, StatusMessageFlyweight.HEADER_LENGTH);
    }

    void sendNak(final int port, final int termOffset, final int length)
    {
        final NakFlyweight nak = new NakFlyweight(clear());
        nak
            .sessionId(sessionId)
            .streamId(streamId)
            .termOffset(termOffset)
            .length(length)
            .frameLength(NakFlyweight.HEADER_LENGTH)
            .headerType(NakFlyweight.HDR_TYPE_NAK);
        send(port, NakFlyweight.HEADER_LENGTH);
    }

    void sendError(final int port, final String text)
    {
        final ErrorFlyweight error = new ErrorFlyweight(clear());
        error
            .sessionId(sessionId)
            .streamId(streamId)
            .receiverId(RECEIVER_ID)
            .errorMessage(text)
            .headerType(ErrorFlyweight.HDR_TYPE_ERR);
        send(port, error.frameLength());
    }

    /** Type and length of each datagram since the last call, for example SETUP 40. */
    List<String> received()
    {
        final List<String> datagrams = new ArrayList<>();
        for (int length = receive(); length > 0; length = receive())
        {
            final String type = switch (FrameDescriptor.frameType(new UnsafeBuffer(received), 0))
            {
                case HeaderFlyweight.HDR_TYPE_SETUP -> "SETUP ";
                case HeaderFlyweight.HDR_TYPE_DATA -> "DATA ";
                case HeaderFlyweight.HDR_TYPE_RTTM -> "RTTM ";
                default -> "OTHER ";
            };
            datagrams.add(type + length);
            if (SetupFlyweight.HEADER_LENGTH == length && type.startsWith("SETUP"))
            {
                setupStreams.add(new SetupFlyweight(received).streamId());
            }
        }
        return datagrams;
    }

    /** Streams whose setups {@link #received} has returned. */
    Set<Integer> setupStreams()
    {
        return setupStreams;
    }

    int port()
    {
        try
        {
            return ((InetSocketAddress)channel.getLocalAddress()).getPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Total bytes received. */
    long receivedBytes()
    {
        try
        {
            while (null != channel.receive(received.clear()))
            {
                receivedBytes += received.position();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return receivedBytes;
    }

    long sentBytes()
    {
        return sentBytes;
    }

    /** Length of the next datagram, 0 when there is none. */
    private int receive()
    {
        try
        {
            channel.receive(received.clear());
            receivedBytes += received.position();
            return received.position();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private ByteBuffer clear()
    {
        new UnsafeBuffer(sent).setMemory(0, sent.capacity(), (byte)0);
        return sent.clear();
    }

    private void send(final int port, final int length)
    {
        try
        {
            sent.clear().limit(length);
            sentBytes += length;
            channel.send(sent, new InetSocketAddress(target, port));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
