package io.escapement.driver.guard;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.protocol.DataHeaderFlyweight;
import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs of datagrams between drivers: nothing is lost, reordered or cut, and system calls are saved. */
class OffloadTest
{
    private static final int STREAM_ID = 1_001;
    private static final int TERM_LENGTH = 1 << 20;
    private static final int MTU = 1_408;
    private static final int LARGE_MTU = 8_192;
    private static final int MESSAGES = 20_000;
    private static final long SEED = 20_261_123;
    private static final int DROP_EVERY = 37;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LARGE_MTU]);
    private final int port = Tests.freePort();

    @Test
    void shouldBeAvailableWhereTheTestsRun()
    {
        assumeTrue(System.getProperty("os.name").startsWith("Linux"));
        assertNull(SocketOffload.obstacle());
    }

    @Test
    void shouldSetTheSegmentLengthWithoutAllocation() throws IOException
    {
        try (DatagramChannel channel = DatagramChannel.open())
        {
            final int descriptor = SocketOffload.descriptor(channel);
            assertEquals(0, Allocations.least(8, () ->
            {
                for (int i = 0; i < 20_000; i++)
                {
                    assertTrue(SocketOffload.segment(descriptor, 1_000 + i % 2));
                }
            }));
        }
    }

    @Test
    void shouldSendRunsOfFullDatagramsInOrder()
    {
        try (TestDriver sender = TestDriver.guarded(); TestDriver receiver = TestDriver.guarded())
        {
            exchange(new Stream(sender, receiver, port, STREAM_ID, MTU, true, SEED));
            assertTrue(count(sender, OffloadCounter.RUNS_SENT) > 0);
            assertTrue(count(sender, OffloadCounter.DATAGRAMS_IN_RUNS) >=
                2 * count(sender, OffloadCounter.RUNS_SENT));
            assertTrue(count(receiver, OffloadCounter.BLOCKS_JOINED) > 0);
            assertEquals(0, count(sender, OffloadCounter.RUNS_REFUSED));
            receiver.assertCounted(GuardCounter.DATA_MALFORMED, 0);
        }
    }

    @Test
    void shouldSendMessagesOfAnyLength()
    {
        try (TestDriver sender = TestDriver.guarded(); TestDriver receiver = TestDriver.guarded())
        {
            exchange(new Stream(sender, receiver, port, STREAM_ID, MTU, false, SEED));
            receiver.assertCounted(GuardCounter.DATA_MALFORMED, 0);
        }
    }

    @Test
    void shouldCutEachPublicationOfASocketByItsMtu()
    {
        try (TestDriver sender = TestDriver.guarded(); TestDriver receiver = TestDriver.guarded())
        {
            exchange(
                new Stream(sender, receiver, port, STREAM_ID, MTU, true, SEED),
                new Stream(sender, receiver, port, STREAM_ID + 1, LARGE_MTU, true, SEED + 1),
                new Stream(sender, receiver, port, STREAM_ID + 2, MTU, false, SEED + 2),
                new Stream(sender, receiver, port, STREAM_ID + 3, LARGE_MTU, false, SEED + 3));
            assertTrue(count(sender, OffloadCounter.RUNS_SENT) > 0);
            receiver.assertCounted(GuardCounter.DATA_MALFORMED, 0);
        }
    }

    @Test
    void shouldRepairLossInsideARun() throws IOException
    {
        try (TestDriver sender = TestDriver.guarded(); TestDriver receiver = TestDriver.guarded();
            LossyPath path = new LossyPath(port))
        {
            exchange(
                new Stream(sender, receiver, path.port(), port, STREAM_ID, MTU, true, SEED, path::forward));
            assertTrue(path.dropped > MESSAGES / DROP_EVERY / 2, "dropped " + path.dropped);
            assertTrue(count(sender, OffloadCounter.RUNS_SENT) > 0);
        }
    }

    private static void exchange(final Stream... streams)
    {
        Tests.await(() ->
        {
            boolean isDone = true;
            for (final Stream stream : streams)
            {
                isDone &= stream.step();
            }
            return isDone;
        }, "all messages");
    }

    private static long count(final TestDriver driver, final OffloadCounter counter)
    {
        final CountersReader counters = driver.aeron().countersReader();
        return counters.getCounterValue(counters.findByTypeIdAndRegistrationId(counter.typeId(), 0));
    }

    /** Messages of a publication, numbered, with contents that follow from their number. */
    private final class Stream
    {
        private final SplittableRandom sentLengths;
        private final SplittableRandom receivedLengths;
        private final Publication publication;
        private final Subscription subscription;
        private final boolean isFull;
        private final int maxPayload;
        private final Runnable path;
        private int length;
        private int sent;
        private int received;

        Stream(
            final TestDriver sender,
            final TestDriver receiver,
            final int port,
            final int streamId,
            final int mtu,
            final boolean isFull,
            final long seed)
        {
            this(sender, receiver, port, port, streamId, mtu, isFull, seed, () -> {});
        }

        Stream(
            final TestDriver sender,
            final TestDriver receiver,
            final int sendPort,
            final int receivePort,
            final int streamId,
            final int mtu,
            final boolean isFull,
            final long seed,
            final Runnable path)
        {
            this.isFull = isFull;
            this.path = path;
            maxPayload = mtu - DataHeaderFlyweight.HEADER_LENGTH;
            sentLengths = new SplittableRandom(seed);
            receivedLengths = new SplittableRandom(seed);
            subscription = receiver.aeron().addSubscription("aeron:udp?endpoint=127.0.0.1:" + receivePort, streamId);
            publication = sender.aeron().addPublication(new ChannelUriStringBuilder().media("udp")
                .endpoint("127.0.0.1:" + sendPort).mtu(mtu).termLength(TERM_LENGTH).build(), streamId);
            length = nextLength(sentLengths);
        }

        /** Returns whether all messages have arrived. */
        boolean step()
        {
            for (int i = 0; i < 64 && sent < MESSAGES; i++)
            {
                message.setMemory(0, length, (byte)sent);
                message.putInt(0, sent);
                if (publication.offer(message, 0, length) < 0)
                {
                    break;
                }
                sent++;
                length = nextLength(sentLengths);
            }
            path.run();
            subscription.poll((buffer, offset, arrived, header) ->
            {
                assertEquals(nextLength(receivedLengths), arrived, "seed " + SEED);
                assertEquals(received, buffer.getInt(offset), "seed " + SEED);
                for (int i = Integer.BYTES; i < arrived; i += 97)
                {
                    assertEquals((byte)received, buffer.getByte(offset + i), "seed " + SEED);
                }
                received++;
            }, 64);
            return MESSAGES == received;
        }

        private int nextLength(final SplittableRandom random)
        {
            return isFull ? maxPayload : Integer.BYTES + random.nextInt(maxPayload - Integer.BYTES);
        }
    }

    /** Forwards datagrams between a sender and a receiver, except every n-th to the receiver. */
    private static final class LossyPath implements AutoCloseable
    {
        private final DatagramChannel front = DatagramChannel.open();
        private final DatagramChannel back = DatagramChannel.open();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        private SocketAddress sender;
        private int datagrams;
        private int dropped;

        LossyPath(final int receivePort) throws IOException
        {
            front.setOption(StandardSocketOptions.SO_RCVBUF, 2 << 20);
            front.bind(new InetSocketAddress("127.0.0.1", 0));
            back.connect(new InetSocketAddress("127.0.0.1", receivePort));
            front.configureBlocking(false);
            back.configureBlocking(false);
        }

        int port() throws IOException
        {
            return ((InetSocketAddress)front.getLocalAddress()).getPort();
        }

        void forward()
        {
            try
            {
                SocketAddress source = front.receive(buffer.clear());
                while (null != source)
                {
                    sender = source;
                    if (buffer.position() >= MTU && 0 == ++datagrams % DROP_EVERY)
                    {
                        dropped++;
                    }
                    else
                    {
                        back.write(buffer.flip());
                    }
                    source = front.receive(buffer.clear());
                }
                while (null != back.receive(buffer.clear()))
                {
                    front.send(buffer.flip(), sender);
                }
            }
            catch (final PortUnreachableException ignore)
            {
                // The receiver has not opened its socket yet.
            }
            catch (final IOException ex)
            {
                throw new IllegalStateException(ex);
            }
        }

        @Override
        public void close() throws IOException
        {
            front.close();
            back.close();
        }
    }
}
