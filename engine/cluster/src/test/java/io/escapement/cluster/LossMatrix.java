package io.escapement.cluster;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ext.DebugReceiveChannelEndpoint;
import io.aeron.driver.ext.DebugSendChannelEndpoint;
import io.aeron.driver.ext.LossGenerator;
import io.aeron.driver.media.ReceiveDestinationTransport;
import io.aeron.driver.media.UdpChannel;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Loss between members of a cluster on this host, in a file that all their processes map: for each direction the share
 * of packets that their drivers drop, in percent, and for each UDP port the member that has it. Each driver drops what
 * it receives, since it finds the sender by the port of the packet: data and the replies to its own data alike.
 */
@RealTime("a helper of processes that are killed")
final class LossMatrix implements AutoCloseable
{
    private static final int PORTS = 65_536;
    private static final int MEMBERS = 16;
    private static final int LENGTH = PORTS + MEMBERS * MEMBERS;
    private static final int ALL = 100;
    private static final LossGenerator NO_LOSS = (address, buffer, length) -> false;

    private final AtomicBuffer bytes;

    LossMatrix(final Path file)
    {
        try (FileChannel channel = FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            bytes = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Drop a share of what a member sends to another. */
    void lose(final int from, final int to, final int percent)
    {
        bytes.putByteVolatile(PORTS + from * MEMBERS + to, (byte)percent);
    }

    /** Drop everything between two members. */
    void cut(final int one, final int other)
    {
        lose(one, other, ALL);
        lose(other, one, ALL);
    }

    void heal()
    {
        for (int i = 0; i < MEMBERS * MEMBERS; i++)
        {
            bytes.putByteVolatile(PORTS + i, (byte)0);
        }
    }

    /** Have the driver of a member drop packets. */
    MediaDriver.Context install(final MediaDriver.Context context, final int member, final long seed)
    {
        return context
            .sendChannelEndpointSupplier((channel, status, ctx) ->
                new SendEndpoint(channel, status, ctx, member, new Random(seed)))
            .receiveChannelEndpointSupplier((channel, dispatcher, status, ctx) ->
                new ReceiveEndpoint(channel, dispatcher, status, ctx, member, new Random(seed)));
    }

    @Override
    public void close()
    {
        IoUtil.unmap(bytes.byteBuffer());
    }

    private void own(final String address, final int member)
    {
        bytes.putByteVolatile(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)), (byte)(member + 1));
    }

    private LossGenerator lossTo(final int member, final Random random)
    {
        return (address, buffer, length) -> isLost(address, member, random);
    }

    private boolean isLost(final InetSocketAddress source, final int to, final Random random)
    {
        final int from = bytes.getByteVolatile(source.getPort()) - 1;
        final int percent = from < 0 ? 0 : bytes.getByteVolatile(PORTS + from * MEMBERS + to);
        return percent > 0 && random.nextInt(ALL) < percent;
    }

    /** Sends all data, and loses replies. */
    private final class SendEndpoint extends DebugSendChannelEndpoint
    {
        private final int member;

        SendEndpoint(
            final UdpChannel channel,
            final AtomicCounter status,
            final MediaDriver.Context context,
            final int member,
            final Random random)
        {
            super(channel, status, context, NO_LOSS, lossTo(member, random));
            this.member = member;
        }

        @Override
        public void openChannel()
        {
            super.openChannel();
            own(bindAddressAndPort(), member);
        }
    }

    /** Loses data, and sends all replies. */
    private final class ReceiveEndpoint extends DebugReceiveChannelEndpoint
    {
        private final int member;

        ReceiveEndpoint(
            final UdpChannel channel,
            final DataPacketDispatcher dispatcher,
            final AtomicCounter status,
            final MediaDriver.Context context,
            final int member,
            final Random random)
        {
            super(channel, dispatcher, status, context, lossTo(member, random), NO_LOSS);
            this.member = member;
        }

        @Override
        public void openChannel()
        {
            super.openChannel();
            if (!hasDestinationControl())
            {
                own(bindAddressAndPort(), member);
            }
        }

        @Override
        public int addDestination(final ReceiveDestinationTransport transport)
        {
            own(transport.bindAddressAndPort(), member);
            return super.addDestination(transport);
        }
    }
}
